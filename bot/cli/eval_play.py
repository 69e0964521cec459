"""One request of an evaluation, asked on the page of a demo gym of its own."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.people import queries as people
from app.studio.paging import Cut
from app.workouts.queries import workouts
from app.workouts.views import WorkoutFilter
from bot.cli.browsing import Browser, BrowserError
from bot.cli.eval_score import ASKS, Scored, score
from bot.cli.eval_sheet import Request
from bot.cli.rows import Rows, difference, studio_rows
from bot.cli.stage import Stage
from bot.conversation.models import Conversation, Turn, TurnEvent, UsageRow
from bot.playground.demo import DemoGym, build
from bot.turn.events import Asked, Event, event_json
from tools.kit.cards import Typed
from tools.kit.registry import Registry

Approve = Literal["all", "none"]
MOST_ANSWERS = 8
"""A model that asks on and on is no use: what it has done by then counts."""
_YES, _NO, _FIRST = "1", "2", "1"


@dataclass(frozen=True, slots=True)
class Trial:
    """`approve`: what is answered to each question; of a pick it is always the first."""

    stage: Stage
    registry: Registry
    approve: Approve
    patience_s: float

    def play(self, request: Request, number: int) -> Scored:
        """A fault of the vendor's or of ours is part of the score, not an end of the evaluation."""
        db = self.stage.wiring.db
        now = self.stage.wiring.clock.now()
        gym = build(db, seed=number, now=now, language=request.lang)
        before, began = studio_rows(db, gym.org_id), time.monotonic()
        answer, fault = self._talk(request, gym)
        seconds = round(time.monotonic() - began, 2)
        with db.transaction(gym.org_id) as session:
            events = list(_events(session))
            tokens, micros = _used(session)
        return Scored(
            request=request,
            score=score(request, events, self.registry, fault),
            answer=tuple(answer),
            rows=_changed(before, studio_rows(db, gym.org_id)),
            tokens=tokens,
            cost_micros=micros,
            seconds=seconds,
        )

    def _talk(self, request: Request, gym: DemoGym) -> tuple[list[str], str]:
        page = Browser(self.stage, gym.org_id, _login(gym, request.role), self.patience_s)
        told: list[str] = []
        try:
            page.write(request.prompt, **self._place(request, gym))
            told += page.read()
            for _ in range(MOST_ANSWERS):
                reply = self._reply(gym.org_id)
                if reply is None:
                    return told, ""
                page.write(reply)
                told += page.read()
        except BrowserError as error:
            return told, str(error)
        return told, "it asks on and on"

    def _reply(self, org_id: UUID) -> str | None:
        """What is answered to what waits; None where nothing does."""
        with self.stage.wiring.db.transaction(org_id) as session:
            last = next(iter([*_events(session)][-1:]), None)
        match last:
            case Asked(card=Typed(words=words)) if self.approve == "all":
                return words
            case Asked(kind=kind) if kind in ASKS:
                return _YES if self.approve == "all" else _NO
            case Asked():
                return _FIRST
            case _:
                return None

    def _place(self, request: Request, gym: DemoGym) -> dict[str, Any]:
        """Where the person is looking: a page of one workout shows the gym's first."""
        if not request.page:
            return {}
        if request.page != "workout detail":
            return {"page": request.page}
        with self.stage.wiring.db.transaction(gym.org_id) as session:
            owner = people.actor(session, gym.org_id, gym.owner)
            found = workouts(session, owner, WorkoutFilter(), cut=Cut()) if owner else None
        if found is None or not found.rows:
            return {"page": request.page}
        shown = found.rows[0]
        selection = {"type": "workout", "id": str(shown.id), "label": shown.title or "workout"}
        return {"page": f"/workouts/{shown.id}", "selection": selection}


def _login(gym: DemoGym, role: Role) -> UUID:
    match role:
        case Role.OWNER:
            return gym.owner
        case Role.ADMIN:
            return gym.admin
        case _:
            return gym.coach


def _events(session: Session) -> Iterator[Event]:
    """All that happened in the gym's conversations, in order."""
    rows = session.scalars(
        select(TurnEvent.body)
        .join(Turn, Turn.id == TurnEvent.turn_id)
        .join(Conversation, Conversation.id == Turn.conversation_id)
        .order_by(Conversation.created_at, Turn.number, TurnEvent.seq)
    )
    return map(event_json.validate_python, rows)


def _used(session: Session) -> tuple[int, int]:
    parts = (UsageRow.input_tokens, UsageRow.cache_read, UsageRow.cache_write_5m)
    more = (UsageRow.cache_write_1h, UsageRow.output_tokens)
    tokens = sum((func.coalesce(func.sum(one), 0) for one in (*parts, *more[:1])), start=0)
    whole = select(tokens + func.coalesce(func.sum(more[1]), 0), func.sum(UsageRow.cost_micros))
    count, micros = session.execute(whole).one()
    return int(count or 0), int(micros or 0)


def _changed(before: Rows, after: Rows) -> dict[str, int]:
    changes: Sequence[dict[str, Any]] = difference(before, after)
    return dict(Counter(one["table"] for one in changes))
