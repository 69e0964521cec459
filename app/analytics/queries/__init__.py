"""Reading the figures."""
