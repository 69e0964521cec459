"""The declarations: one module a router, thin."""
