"""The dashboard's chat at the command line.

It posts as the page does, and shows what the page would show.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import requests
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.clock import Clock
from app.people import queries as people
from app.studio import queries as studio
from app.web.tokens import issue_token
from bot.cli.stage import Stage
from bot.conversation import reading
from bot.conversation.delivery import shown_events
from bot.conversation.models import TurnState
from bot.render.card import render
from bot.render.reader import Look, Reader
from bot.render.speech import Speech
from bot.turn.events import Asked, Ended, Event, Said
from i18n import Language
from tools.kit.models import Question
from tools.kit.values import Instant

LIMIT_S = 60.0


class BrowserError(RuntimeError):
    """The page was refused, or nothing came in time."""


@dataclass
class Browser:
    """One person's page, against a running stage."""

    stage: Stage
    org_id: UUID
    user_id: UUID
    patience_s: float = LIMIT_S
    _conversation: UUID | None = None
    _seen: dict[UUID, int] = field(default_factory=dict)
    _told: list[str] = field(default_factory=list)

    def write(self, text: str, **place: Any) -> None:  # noqa: ANN401 - as the page's JSON
        """Post what was typed; a bare answer to the open card is that answer.

        `place` is where the person looks: `page`, `selection`.
        """
        body: dict[str, Any] = {"text": text, **place}
        if self._conversation is not None:
            body["conversation_id"] = str(self._conversation)
        found = self._ask("POST", "/chat/messages", body)
        if "detail" in found:
            self._told.append(str(found["detail"]))
            return
        self._conversation = UUID(found["conversation_id"])
        if found.get("text"):
            self._told.append(found["text"])
        if undone := found.get("undone"):
            self._told += undone["view"]["lines"]

    def answer(self, choice: str) -> None:
        """Answer the first question that waits for the person, wherever it was asked."""
        waiting = self._ask("GET", "/chat/open")["questions"]
        if not waiting:
            raise BrowserError("nothing waits")
        path = f"/chat/questions/{waiting[0]['question_id']}/answers"
        self._ask("POST", path, {"choice": choice})

    def send(self, text: str, files: Sequence[Path]) -> None:
        raise BrowserError(f"the page takes no files: {len(files)} with {text!r}")

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        found: dict[str, Any] = requests.request(
            method,
            f"{self.stage.base_url}/api/v1{path}",
            json=body,
            headers={"Authorization": f"Bearer {self._token()}"},
            timeout=10,
        ).json()
        return found

    def read(self) -> list[str]:
        """Wait until the conversation waits or rests, and give what is new."""
        until = time.monotonic() + self.patience_s
        while self._busy():
            if time.monotonic() > until:
                raise BrowserError("no answer in time")
            time.sleep(0.05)
        told, self._told = self._told, []
        return told + self._new()

    def _busy(self) -> bool:
        if self._conversation is None:
            return False
        with self.stage.wiring.db.transaction(self.org_id) as session:
            moving = (TurnState.WAITING, TurnState.RUNNING)
            return any(
                one.turn.state in moving for one in reading.turns(session, self._conversation)
            )

    def _new(self) -> list[str]:
        if self._conversation is None:
            return []
        with self.stage.wiring.db.transaction(self.org_id) as session:
            reader = Reader(
                Language.of(self._actor(session).language),
                studio.org(session, self.org_id).timezone,
                self.stage.wiring.clock.now(),
            )
            shown: list[str] = []
            for one in reading.turns(session, self._conversation):
                events = [event for _, event in one.events]
                fresh = events[self._seen.get(one.turn.id, 0) :]
                self._seen[one.turn.id] = len(events)
                shown += _shown(session, fresh, reader)
            return shown

    def _actor(self, session: Session) -> Actor:
        actor = people.actor(session, self.org_id, self.user_id)
        if actor is None:
            raise BrowserError("nobody")
        return actor

    def _token(self) -> str:
        with self.stage.wiring.db.transaction(self.org_id) as session:
            actor = self._actor(session)
        return issue_token(self.stage.wiring.settings, actor, now=Clock().now())


def _shown(session: Session, events: list[Event], reader: Reader) -> list[str]:
    texts: list[str] = []
    for piece in shown_events(events):
        texts += [piece.text] if isinstance(piece, Said) else render(piece, Look.CHAT, reader).texts
    last = events[-1] if events else None
    if isinstance(last, Asked):
        question = session.get_one(Question, last.question_id)
        until = Instant(at=question.expires_at, zone=reader.zone)
        texts += render(last.card, Look.CHAT, reader, until=until).texts
    if isinstance(last, Ended) and (why := Speech(reader).ended(last)):
        texts.append(why)
    return texts
