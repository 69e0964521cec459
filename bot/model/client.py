"""The connection to the Messages API: the official SDK, without retries, with our timeouts."""

import anthropic

CONNECT_S = 5.0
SILENCE_S = 45.0
"""Between two pieces of a stream; the API pings more often than that."""


def connect(api_key: str, base_url: str | None = None) -> anthropic.Anthropic:
    """One client serves a process. Retries are the adapter's, who knows what was shown."""
    timeout = anthropic.Timeout(SILENCE_S, connect=CONNECT_S)
    return anthropic.Anthropic(api_key=api_key, base_url=base_url, max_retries=0, timeout=timeout)
