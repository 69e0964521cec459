"""Arbox over HTTP."""
