"""Whoever is erased is named nowhere any more, in no table and in nobody's chat."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import create_engine, select, text

from app.core.actor import Role
from app.people import queries
from app.people import service as people
from app.people.models import Member
from app.people.service import NewInvitation, NewNote
from app.people.terms import Channel, NoteKind
from app.tasks.models import Task
from bot.channels.twilio.inbound import take_all
from bot.cli.stage import MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.models import InboundEvent, TurnState
from tests.floor import Gym, Phone, call
from tools.kit.models import QuestionState

NAMED = ("Dana Levinsky", "דנה לוינסקי", "dana.lev@example.com")
DONE = {"say": "That is it, Dana Levinsky is told."}


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    phone: Phone
    booking: UUID


@pytest.fixture
def dana(gym: Gym) -> Person:
    """A member who has booked, was written about, wrote, and was invited as somebody else."""
    phone = gym.phone()
    studio = gym.studio
    member_id = studio.person(
        "Dana Levinsky", phone=phone.number, email="dana.lev@example.com", nickname="דנה לוינסקי"
    )
    studio.sell(member_id, studio.plan(10))
    why = "Dana Levinsky asked nicely"
    booking_id = studio.booking(member_id, studio.session(), override_reason=why)
    with studio.act() as session:
        note = NewNote("Dana Levinsky hurt her knee", NoteKind.INJURY)
        people.add_note(session, studio.coach, member_id, note)
        new = NewInvitation("Dana", Channel.SMS, "Levinsky", phone="0521112233")
        people.invite(session, studio.owner, new, now=studio.now)
    return Person(member_id, phone, booking_id)


def erasing(gym: Gym, dana: Person, *before: Any) -> None:  # noqa: ANN401 - scenes
    erase = call("memberships.erase_member_data", member_id=dana.id, legal_basis="request")
    show = call("read.get_member", member_id=dana.id)
    gym.says(
        ("who is Dana", [show, {"say": "Dana Levinsky, see above. נשלח אל דנה לוינסקי"}]),
        ("erase Dana", [erase, DONE]),
        ("good that Dana", [{"say": "Dana is a good one."}]),
        ("hello", [{"say": "Hello."}]),
        *before,
    )


def relayed(gym: Gym) -> None:
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()


def kept(gym: Gym) -> Iterator[tuple[str, str]]:
    """Every row of every table, as text, whoever owns it."""
    url = gym.stage.wiring.settings.database_url.get_secret_value()
    engine = create_engine(url)
    with engine.connect() as connection:
        tables = connection.scalars(
            text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ).all()
        for table in tables:
            rows = connection.scalars(text(f'SELECT "{table}"::text FROM "{table}"'))  # noqa: S608 - names of tables
            yield from ((table, row) for row in rows)
    engine.dispose()


def named(gym: Gym, *words: str) -> set[str]:
    """Tables in which some word stands, as it is or escaped in JSON."""
    escaped = [word.encode("unicode_escape").decode() for word in words]
    return {
        table
        for table, row in kept(gym)
        if any(word.lower() in row.lower() for word in {*words, *escaped})
    }


def streamed(gym: Gym, *words: str) -> bool:
    """Whether some word stands in the stream of a turn, where pages read it again."""
    redis = gym.stage.wiring.redis
    told = " ".join(str(redis.xrange(f"turn:{turn.id}")) for turn in gym.turns())
    return any(word.lower() in told.lower() for word in words)


def test_nothing_names_them_when_all_is_said(gym: Gym, dana: Person) -> None:
    owner, coach = gym.linked(), gym.linked(role=Role.COACH)
    erasing(gym, dana, ("find Zebbo?", [{"say": "Nobody is called so."}]))
    with gym.studio.act() as session:
        session.get_one(Member, dana.id).nickname = "Zebbo"
    dana.phone.says("Hi, what is this number?")  # told how to link, by no gym
    coach.says("find Zebbo?")
    gym.later(days=2)
    relayed(gym)  # they are told that they are booked, and the provider reports on it
    dana.phone.posts(To=MEMBERS_WHATSAPP, Body="Dana Levinsky here, running late")
    gym.settle()
    with gym.db.platform() as session:
        reports = select(InboundEvent.sender).where(InboundEvent.kind == "status")
        lanes = set(session.scalars(reports))
    for lane in lanes:
        take_all(gym.stage.wiring.intake, lane)
    for said in ("who is Dana Levinsky?", "good that Dana is here", "hello"):
        coach.says(said)
    words = (*NAMED, "Zebbo", dana.phone.number)
    before = {"member", "member_note", "turn_event", "outbound_message", "booking", "inbound_event"}
    assert {*before, "stranger"} <= named(gym, *words)
    assert streamed(gym, *words)

    assert "Lost for good" in "\n".join(owner.says("erase Dana"))
    assert "Erased for good" in "\n".join(owner.says("Dana Levinsky"))

    gym.later(seconds=20)
    relayed(gym)
    gym.later(minutes=11)
    relayed(gym)
    assert named(gym, *words, "Dana is a good one") == set()
    assert not streamed(gym, *words)
    assert {"turn_event", "outbound_message"} <= named(gym, "hello"), "nothing else is lost"


def test_a_question_about_them_is_closed_and_its_turn_ends(gym: Gym, dana: Person) -> None:
    owner, coach = gym.linked(), gym.linked(role=Role.COACH)
    cancel = call("bookings.cancel_for_member", booking_id=dana.booking)
    erasing(gym, dana, ("take her off", [cancel, {"say": "Nothing was done."}]))
    assert "Dana Levinsky" in "\n".join(coach.says("take her off"))
    owner.says("erase Dana")
    owner.says("Dana Levinsky")

    for _ in range(2):
        relayed(gym)
        gym.later(minutes=11)

    assert gym.questions(QuestionState.OPEN) == []
    assert {turn.state for turn in gym.turns()} == {TurnState.ENDED}
    assert coach.says("hello")[-1] == "Hello."
    assert named(gym, *NAMED) == set()


def test_only_the_name_itself_erases(gym: Gym, dana: Person) -> None:
    owner = gym.linked()
    erasing(gym, dana)
    with gym.studio.act() as session:
        session.add(Task(org_id=gym.org_id, title="Call Noa, sister of Dana Levinsky"))
    assert "others that name them, and stay: 1." in "\n".join(owner.says("erase Dana"))
    owner.says("yes")
    assert gym.questions(QuestionState.OPEN) != []
    owner.says("no")
    assert gym.questions(QuestionState.OPEN) == []
    with gym.db.transaction(gym.org_id) as session:
        assert queries.member(session, dana.id).name == "Dana Levinsky"
