"""Why the cache missed: a request compared with the one its caller named as the one before."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from bot.playground.model_api.cache import Plan
from bot.playground.model_api.prefix import Fingerprint, Prefix
from bot.playground.model_api.request import MessagesRequest

_KEPT = 5000


@dataclass(frozen=True, slots=True)
class _Known:
    fingerprint: Fingerprint
    cached: int


class Diagnosis:
    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def remember(self, message_id: str, prefix: Prefix) -> None:
        cached = max((place.tokens for place in prefix.places if place.ttl), default=0)
        with self._lock:
            self._known[message_id] = _Known(prefix.fingerprint, cached)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)

    def of(self, request: MessagesRequest, prefix: Prefix, plan: Plan) -> dict[str, Any] | None:
        """None where nothing was asked or nothing diverged; running out of time isn't a reason."""
        asked = request.diagnostics
        if asked is None or asked.previous_message_id is None:
            return None
        with self._lock:
            known = self._known.get(asked.previous_message_id)
        if known is None:
            return {"cache_miss_reason": {"type": "previous_message_not_found"}}
        reason = _divergence(known.fingerprint, prefix.fingerprint)
        if reason is None:
            return None
        if reason == "unavailable":
            return {"cache_miss_reason": {"type": reason}}
        missed = max(0, known.cached - plan.read)
        return {"cache_miss_reason": {"type": reason, "cache_missed_input_tokens": missed}}


def _divergence(before: Fingerprint, now: Fingerprint) -> str | None:
    if (before.model, before.speed) != (now.model, now.speed):
        return "model_changed"
    if before.tools != now.tools:
        return "tools_changed"
    if before.system != now.system:
        return "system_changed"
    if before.messages != now.messages[: len(before.messages)]:
        return "messages_changed"
    return "unavailable" if before.parameters != now.parameters else None
