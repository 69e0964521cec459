"""A strict local stand-in for the Messages API that the real SDK talks to over HTTP."""
