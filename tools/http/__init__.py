"""The API: every tool at its own method and path."""

from tools.http.routes import PREFIX, Api, blueprint

__all__ = ["PREFIX", "Api", "blueprint"]
