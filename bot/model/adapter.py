"""The Messages API as the turn's Model: streams a message, survives faults, records usage."""

import logging
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import anthropic

from bot.model.blocks import calls_in, is_id
from bot.model.check import problems
from bot.model.faults import (
    Again,
    BrokenReply,
    GiveUp,
    Unthinking,
    VendorFault,
    describe,
    judge,
    status_of,
)
from bot.model.pace import WALL, Pace, Waits, joined
from bot.model.priced import Priced, most_tokens
from bot.model.prices import step
from bot.model.prompt import Json, Prefix
from bot.model.purse import NoRoom, Purse
from bot.model.settings import ModelSettings
from bot.model.stream import Gathering, calls
from bot.model.transcript import transcript
from bot.turn.events import Delta, Ended, Event, Restart, Said

log = logging.getLogger(__name__)


class ClaudeModel:
    """One turn's model; `earlier` are the events of the turns before it, oldest first."""

    def __init__(
        self,
        client: anthropic.Anthropic,
        settings: ModelSettings,
        prefix: Prefix,
        *,
        earlier: Sequence[Sequence[Event]] = (),
        summary: str = "",
        pictures: Mapping[UUID, str] | None = None,
        purse: Purse,
        pace: Pace = WALL,
        previous: str | None = None,
    ) -> None:
        """`summary` stands for the turns before `earlier`; `pictures` are contents in base64.

        `previous`: id of the model's last message; the API compares prefixes with it.
        """
        self._vendor = Priced(client, purse, pace.clock)
        self._settings = settings
        self._prefix = prefix
        self._earlier = earlier
        self._summary = summary
        self._pictures = pictures or {}
        self._pace = pace
        self._previous = previous
        self._thinks = True

    def reply(
        self, history: Sequence[Event]
    ) -> Generator[Delta | Restart | Said | Ended, None, None]:
        waits = Waits(self._settings, self._pace)
        while True:
            try:
                yield from self._attempt(history)
            except NoRoom as none:
                yield none.ended
                return
            except VendorFault as fault:
                ended = self._after(fault, waits)
                if ended is not None:
                    yield ended
                    return
                if _midstream(fault):
                    yield Restart()
            else:
                return

    def fits(self, history: Sequence[Event]) -> bool:
        """Whether the prompt stays below the size from which the model costs more."""
        most = step(self._settings.model)
        return most is None or most_tokens(self._request(self._messages(history), ())) <= most

    def _after(self, fault: Exception, waits: Waits) -> Ended | None:
        """Wait and let it be asked again, or say how it ends."""
        verdict = judge(fault)
        log.warning("model fault: %s, %s", describe(fault), verdict)
        match verdict:
            case Unthinking() if self._thinks:
                self._thinks = False
                return None
            case Again():
                return None if waits.wait(verdict) else verdict.ended
            case Unthinking() | GiveUp():
                return Ended(reason="model_failed")

    def _attempt(self, history: Sequence[Event]) -> Iterator[Delta | Said | Ended]:
        messages = self._messages(history)
        if wrong := problems(messages):
            log.error("transcript not sent: %s", wrong)
            yield Ended(reason="model_failed")
            return
        texts: list[str] = []
        blocks: tuple[Json, ...] = ()
        stop_reason: str | None = "pause_turn"
        for _ in range(1 + self._settings.pauses):
            gathered = yield from self._stream(messages, blocks, texts)
            blocks += gathered.blocks()
            stop_reason = gathered.stop_reason
            if stop_reason != "pause_turn" or not _can_go_on(blocks):
                break
        yield self._said("".join(texts), blocks, stop_reason, _known(messages))

    def _messages(self, history: Sequence[Event]) -> list[Json]:
        epoch = self._prefix.epoch(self._settings.model) if self._thinks else None
        turns = [*self._earlier, history]
        return transcript(
            turns, epoch, self._prefix.deferred, self._summary, pictures=self._pictures
        )

    def _said(
        self, text: str, blocks: tuple[Json, ...], stop_reason: str | None, known: frozenset[str]
    ) -> Said:
        """Only a message that stopped for its tools has calls; ids are keys: none comes twice."""
        asked = calls(blocks) if stop_reason == "tool_use" else ()
        ids = [call.id for call in asked]
        if len({*ids} - known) < len(ids) or not all(map(is_id, ids)):
            raise BrokenReply("a call's id came before or is none")
        return Said(
            text=text,
            blocks=blocks,
            calls=asked,
            stop_reason=stop_reason,
            model=self._settings.model,
            epoch=self._prefix.epoch(self._settings.model),
        )

    def _stream(
        self, messages: list[Json], paused: tuple[Json, ...], texts: list[str]
    ) -> Generator[Delta, None, Gathering]:
        """One call."""
        with self._vendor.stream(self._request(messages, paused)) as (gathered, events):
            for text in joined(gathered.words(events), self._pace):
                texts.append(text)
                yield Delta(text=text)
        self._previous = gathered.message_id or self._previous
        return gathered

    def _request(self, messages: list[Json], paused: tuple[Json, ...]) -> dict[str, Any]:
        effort = self._settings.effort
        going_on = [{"role": "assistant", "content": list(paused)}] if paused else []
        return {
            "model": self._settings.model,
            "max_tokens": self._settings.max_tokens,
            "tools": list(self._prefix.tools),
            "system": list(self._prefix.system),
            "messages": [*self._prefix.marked(messages), *going_on],
            "diagnostics": {"previous_message_id": self._previous},
            **({"output_config": {"effort": effort}} if effort else {}),
        }


def _known(messages: Iterable[Json]) -> frozenset[str]:
    blocks = (block for message in messages for block in message["content"])
    return frozenset(block["id"] for block in blocks if block["type"] == "tool_use")


def _can_go_on(blocks: Sequence[Json]) -> bool:
    """A paused message is sent back to be finished; one with open calls of ours can't be."""
    return bool(blocks) and not calls_in(blocks)


def _midstream(fault: Exception) -> bool:
    return not isinstance(fault, anthropic.APIConnectionError) and status_of(fault) is None
