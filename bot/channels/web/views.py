"""Words for one person's stream: labels, cards, how a question was closed, why a turn ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.conversation import playbooks
from bot.render.reader import Reader
from bot.render.recap import entries
from bot.render.speech import Speech, label_in
from bot.render.voice import Voice
from bot.render.web import view
from bot.turn.events import Answered, Ended, Event
from bot.turn.recap import recap
from i18n import Shown
from tools.kit.cards import AnyCard
from tools.kit.registry import Registry
from tools.kit.values import Instant, Value
from tools.playbooks import playbook


@dataclass(frozen=True, slots=True)
class PersonViews:
    reader: Reader
    registry: Registry

    def label(self, tool: str) -> str:
        return label_in(self.registry.label(tool), self.reader.language)

    def recap(self, events: Sequence[Event]) -> dict[str, Any]:
        found = recap(events, self.registry.reads)
        return dict(entries(found, Voice(self.reader, "web"), self.registry.label))

    def card(self, card: AnyCard, until: datetime | None = None) -> dict[str, Any]:
        return dict(view(card, self.reader, until=self._instant(until) if until else None))

    def end(self, ended: Ended) -> str:
        return Speech(self.reader).ended(ended) or ""

    def limit(self, ended: Ended) -> dict[str, Any]:
        """The gym's limit for a day, where the end tells of it; `text` is shown as it is."""
        limit = ended.limit
        if limit is None:
            return {"text": self.end(ended)}
        over = ended.reason == "over_budget"
        text = self.end(ended) if over else Speech(self.reader).budget_near(limit)
        more = {"upgrade_url": limit.link or None, "asks_owner": limit.asks_owner}
        return {"text": text, "tier": limit.tier, "reset": self._instant(limit.reset), **more}

    def next_steps(self, name: str) -> list[str]:
        book = playbook(name)
        return [] if book is None else list(playbooks.next_steps(book, self.reader.language))

    def settled(self, answered: Answered, kind: str) -> str:
        voice = Voice(self.reader, "web")
        if answered.outcome != "decided" or answered.at is None:
            return voice.say(f"settled.{answered.outcome}")
        where = voice.say(f"where.{answered.where or 'web'}")
        values: dict[str, Value | Shown] = {"at": self._instant(answered.at), "where": Shown(where)}
        return voice.say(f"settled.{decided(answered, kind)}", values)

    def asked(self, surface: str) -> str:
        """Where a question was asked, above its card when it is shown elsewhere."""
        return Voice(self.reader, "web").say(f"asked.{surface}")

    def time(self, at: datetime) -> str:
        """When something was, as lists show it."""
        return Voice(self.reader, "web").show(self._instant(at)).text

    def _instant(self, at: datetime) -> Instant:
        return Instant(at=at, zone=self.reader.zone)


def decided(answered: Answered, kind: str) -> str:
    """What came of a question, in one word: approved, some, declined, chosen, none."""
    decisions = answered.decisions.values()
    if kind == "pick":
        return "chosen" if any(one.option is not None for one in decisions) else "none"
    approved = [one.approved for one in decisions]
    if all(approved):
        return "approved"
    return "some" if any(approved) else "declined"
