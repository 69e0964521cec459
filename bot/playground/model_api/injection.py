"""What each fault does to an answer, and which faults strike a request."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice

from bot.playground.model_api.answer import Answer, Call, Other, Say
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.events import new_id
from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.reading import PAUSE_MARK, turns
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.spelling import dumps

_PLAIN = {
    FaultKind.OVERLOADED: (529, "Overloaded"),
    FaultKind.SERVER_ERROR: (500, "Internal server error"),
    FaultKind.UNAVAILABLE: (503, "Service unavailable"),
    FaultKind.TIMED_OUT: (504, "The request timed out"),
    FaultKind.UNPAID: (402, "There is an issue with billing or payment information"),
    FaultKind.FORBIDDEN: (403, "The API key has no permission for this"),
    FaultKind.CONFLICT: (409, "The request conflicts with another one"),
}
"""Refusals that say nothing but their status."""

BEFORE = frozenset({FaultKind.RATE_LIMITED, FaultKind.SPEND_CAP, *_PLAIN})
MIDSTREAM = frozenset(
    {
        FaultKind.OVERLOADED_MIDSTREAM,
        FaultKind.ERROR_MIDSTREAM,
        FaultKind.CUT,
        FaultKind.DROPPED,
    }
)
TORN = frozenset({FaultKind.RESET, FaultKind.SILENCE, *MIDSTREAM})
"""Faults of the connection: the answer itself is left alone."""

_STOPS = {
    FaultKind.MAX_TOKENS: "max_tokens",
    FaultKind.REFUSAL: "refusal",
    FaultKind.CONTEXT_EXCEEDED: "model_context_window_exceeded",
    FaultKind.UNKNOWN_STOP_REASON: "sudden_inspiration",
}
_MANY = 20


class Strikes:
    """Counts strikes, so that a fault hits as often as it was asked to and then no more."""

    def __init__(self) -> None:
        self._asked: list[Fault] = []
        self._struck: Counter[tuple[bytes, Fault]] = Counter()
        self._lock = threading.Lock()

    def ask(self, faults: Sequence[Fault]) -> None:
        """Faults for coming requests, whatever the brain answers; `times` counts them all."""
        with self._lock:
            self._asked += faults

    def clear(self) -> None:
        with self._lock:
            self._asked.clear()

    def for_request(self, request: MessagesRequest) -> tuple[Fault, ...]:
        """At most one of those asked for, the first that fits."""
        with self._lock:
            for place, fault in enumerate(self._asked):
                if _fits(fault, request):
                    self._asked[place : place + 1] = _left(fault)
                    return (fault,)
        return ()

    def of_answer(self, answer: Answer, digest: bytes) -> tuple[Fault, ...]:
        """Those of the brain's faults that haven't yet struck this very request often enough.

        One that keeps the answer from arriving strikes first; what is wrong with the answer
        itself counts as struck only when it arrives.
        """
        with self._lock:
            due = [
                fault
                for fault in answer.faults
                if fault.times is None or self._struck[digest, fault] < fault.times
            ]
            blocking = [fault for fault in due if fault.kind in BEFORE | TORN][:1]
            self._struck.update((digest, fault) for fault in blocking or due)
        return (*blocking, *(fault for fault in due if fault.kind not in BEFORE | TORN))


def _fits(fault: Fault, request: MessagesRequest) -> bool:
    said = turns(request)
    text = said[-1].text if said else ""
    return fault.when.casefold() in text.casefold() and fault.model in request.model


def _left(fault: Fault) -> list[Fault]:
    if fault.times is None:
        return [fault]
    return [fault.model_copy(update={"times": fault.times - 1})] if fault.times > 1 else []


def raise_before(fault: Fault) -> None:
    """Raises Refused for a fault that comes in place of an answer."""
    match fault.kind:
        case FaultKind.RATE_LIMITED:
            raise Refused(
                429,
                "This request would exceed your organization's rate limit.",
                headers={"retry-after": f"{fault.retry_after:g}"},
            )
        case FaultKind.SPEND_CAP:
            raise Refused(
                429,
                "Your organization has reached its monthly usage limit.",
                "enforced_spend_limit_reached",
            )
        case kind if kind in _PLAIN:
            raise Refused(*_PLAIN[kind])
        case _:
            return


def reshaped(answer: Answer, fault: Fault, request: MessagesRequest) -> Answer:
    """The answer as the fault leaves it; faults of the connection leave it as it is."""
    if fault.kind in _STOPS:
        return replace(answer, stop_reason=_STOPS[fault.kind])
    if fault.kind is FaultKind.PAUSE_TURN:
        return _paused(answer, request)
    change = _CHANGES.get(fault.kind)
    return change(answer) if change else answer


def _empty(answer: Answer) -> Answer:
    return Answer((), "end_turn", answer.faults)


def _with_novelty(answer: Answer) -> Answer:
    novel = Other({"type": "novel_block", "payload": "nobody has read about this yet"})
    return replace(answer, pieces=(novel, *answer.pieces))


def _with_unknown_tool(answer: Answer) -> Answer:
    return replace(answer, pieces=(*answer.pieces, Call("studio__teleport", {})))


def _with_twin(answer: Answer) -> Answer:
    return replace(answer, pieces=(*answer.pieces, *_calls(answer)[:1]))


def _with_twenty(answer: Answer) -> Answer:
    calls = _calls(answer)
    more = islice(cycle(calls), max(0, _MANY - len(calls)))
    return replace(answer, pieces=(*answer.pieces, *more))


def _calls(answer: Answer) -> list[Call]:
    return [piece for piece in answer.pieces if isinstance(piece, Call)]


def _torn(answer: Answer) -> Answer:
    """Stops within the JSON of the last call, or within the text where there is none."""
    *before, last = answer.pieces or (Say(""),)
    match last:
        case Call():
            sent = dumps(dict(last.input))
            last = replace(last, raw=sent[: max(1, len(sent) * 2 // 3)])
        case Say(text):
            last = Say(text[: len(text) // 2])
        case _:
            pass
    return Answer((*before, last), "max_tokens", answer.faults)


def _paused(answer: Answer, request: MessagesRequest) -> Answer:
    """Stops at a search on the server; when it is resumed, the whole answer follows."""
    if request.messages[-1].role == "assistant":
        return answer
    search = {
        "type": "server_tool_use",
        "id": new_id(PAUSE_MARK),
        "name": "tool_search_tool_bm25",
        "input": {"query": "what was asked"},
    }
    return Answer((Other(search),), "pause_turn", answer.faults)


_CHANGES = {
    FaultKind.TRUNCATED_JSON: _torn,
    FaultKind.EMPTY: _empty,
    FaultKind.UNKNOWN_BLOCK: _with_novelty,
    FaultKind.UNKNOWN_TOOL: _with_unknown_tool,
    FaultKind.TWIN_CALLS: _with_twin,
    FaultKind.TWENTY_CALLS: _with_twenty,
}
