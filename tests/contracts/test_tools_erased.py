"""Whoever is erased stays so: no tool writes anything of them any more."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings.models import Booking
from app.core.db import Base
from app.people import service as people
from app.people.models import Member
from app.people.terms import LegalBasis, MemberStatus
from tests.contracts.catalogue import TOOLS, name_of
from tests.contracts.examples import id_arguments
from tests.contracts.gyms import asked, everything, furnished, run
from tests.studio import Studio
from tools.kit.cards import Failed
from tools.kit.declare import Effect, Tool
from tools.kit.models import ToolCall

THEIRS: Final = {
    "member_id": "member",
    "member_ids": "member",
    "membership_id": "membership",
    "booking_id": "booking",
}
"""The arguments that say whom a call is about, by the table they mean."""
OWN: Final = "bookings.cancel_self"
"""About the caller, who is at work here."""
WRITES = [
    tool
    for tool in TOOLS
    if tool.effect is not Effect.READ
    and tool.name != OWN
    and THEIRS.keys() & set(id_arguments(tool))
]


@pytest.fixture(scope="module")
def gym(database_url: str) -> Iterator[Studio]:
    studio = furnished(database_url)
    yield studio
    studio.db.close()


@pytest.mark.parametrize("tool", WRITES, ids=name_of)
def test_nothing_is_written_of_somebody_erased(tool: Tool[Any], gym: Studio) -> None:
    """Their row alone is erased here: what else was theirs stands open, and is refused by that."""
    given = asked(gym, tool)
    if tool.name == "leads.convert":
        given["member_id"] = str(gym.person("Zoe Bar"))
    with gym.act() as session:
        for one in about(session, given):
            people.erase(session, one, LegalBasis.REQUEST, now=gym.now)
    many = "member_id" not in given and "member_ids" in id_arguments(tool)
    before = everything(gym) if many else None

    card = run(gym, tool, given).card

    if not many:
        assert isinstance(card, Failed), card
        assert card.code == "member_erased"
        with gym.act() as session:
            last = select(ToolCall.args).order_by(ToolCall.id.desc()).limit(1)
            assert session.scalar(last) == {}, "what was said of them is not kept"
    elif not isinstance(card, Failed):
        assert everything(gym) == before, "nobody is left of them"


def about(session: Session, given: dict[str, Any]) -> set[UUID]:
    """Whom the arguments mean; of a class alone, all who are booked."""
    booked = select(Booking.member_id).where(
        Booking.class_session_id == given.get("class_session_id")
    )
    found = set() if THEIRS.keys() & given.keys() else set(session.scalars(booked))
    for name in given.keys() & THEIRS.keys():
        table = Base.metadata.tables[THEIRS[name]]
        ids = given[name] if isinstance(given[name], list) else [given[name]]
        member_id = table.c.id if table.name == "member" else table.c.member_id
        found |= set(session.scalars(select(member_id).where(table.c.id.in_(ids))))
    alive = select(Member.id).where(Member.id.in_(found), Member.status != MemberStatus.ERASED)
    alone = set(session.scalars(alive))
    assert alone, given
    return alone
