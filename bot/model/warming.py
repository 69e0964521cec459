"""A prompt of no tokens: it renews the cache's time for what all gyms of a role have in common."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.prompt import Json, Ttl, static_block
from bot.model.settings import ModelSettings


def warming(settings: ModelSettings, tools: Sequence[Mapping[str, Any]], ttl: Ttl) -> Json:
    """Ends with the mark on the static block; model and effort are those of the turns."""
    effort = settings.effort
    return {
        "model": settings.model,
        "max_tokens": 0,
        "tools": [dict(tool) for tool in tools],
        "system": [static_block(ttl)],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "."}]}],
        **({"output_config": {"effort": effort}} if effort else {}),
    }
