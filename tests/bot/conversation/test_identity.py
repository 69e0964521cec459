"""Codes, numbers that move, WhatsApp's own ids, and people of several gyms."""

import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from sqlalchemy import select

from app.core.actor import Role
from app.people import service as people
from bot.conversation import identity
from bot.conversation.models import ChannelIdentity, LinkCode
from tests.floor import Gym, Phone, open_gym

UNKNOWN = "This number isn't linked yet"


@pytest.fixture
def other(gym: Gym, database_url: str) -> Iterator[Gym]:
    """Another gym, in which the first one's owner is a coach."""
    found = open_gym(gym.stage, gym.brain, database_url)
    with gym.db.transaction(found.org_id) as session:
        user_id = gym.owner.user_id
        people.add_staff(session, found.org_id, user_id, name="Guest", role=Role.COACH)
    yield found
    found.studio.db.close()


def code(gym: Gym, user_id: UUID | None = None) -> str:
    with gym.db.platform() as session:
        return identity.new_code(session, gym.org_id, user_id or gym.owner.user_id)


def wrong(right: str) -> str:
    return f"{(int(right) + 1) % 1_000_000:06d}"


def known(phone: Phone) -> list[ChannelIdentity]:
    with phone.gym.db.platform() as session:
        mine = (phone.number, phone.scoped_id)
        query = select(ChannelIdentity).where(ChannelIdentity.value.in_(mine))
        return list(session.scalars(query.order_by(ChannelIdentity.kind)))


def test_a_code_has_six_digits_and_links_the_phone_it_comes_from(gym: Gym) -> None:
    word = code(gym)
    assert re.fullmatch(r"\d{6}", word)
    (told,) = gym.phone().says(word)
    assert told.startswith("This phone is linked to Gym")


@pytest.mark.parametrize("shape", ["{0}{1}", " {0} {1} ", "{0}{1}."])
def test_a_code_may_be_written_loosely(gym: Gym, shape: str) -> None:
    word = code(gym)
    (told,) = gym.phone().says(shape.format(word[:3], word[3:]))
    assert "linked to Gym" in told


def test_a_code_counts_once(gym: Gym) -> None:
    word = code(gym)
    gym.phone().says(word)
    (told,) = gym.phone().says(word)
    assert "doesn't match" in told


def test_a_code_is_good_for_ten_minutes(gym: Gym) -> None:
    early, late = code(gym), code(gym, gym.studio.coach.user_id)
    gym.later(minutes=9, seconds=55)
    assert "linked" in gym.phone().says(early)[0]
    gym.later(seconds=10)
    assert "doesn't match" in gym.phone().says(late)[0]


def test_a_new_code_makes_the_old_one_void(gym: Gym) -> None:
    old = code(gym)
    code(gym)
    assert "doesn't match" in gym.phone().says(old)[0]


def test_five_wrong_codes_lock_the_sender_and_no_other(gym: Gym) -> None:
    right = code(gym)
    phone = gym.phone()
    told = [phone.says(wrong(right))[0] for _ in range(5)]
    assert ["Tries left: 4" in told[0], "Tries left: 1" in told[3]] == [True, True]
    assert "Tries left: 0" in told[4]
    assert phone.says(right) == []
    assert "linked" in gym.phone().says(right)[0]


def test_the_lock_is_over_after_an_hour(gym: Gym) -> None:
    phone = gym.phone()
    for _ in range(5):
        phone.says(wrong(code(gym)))
    gym.later(minutes=61)
    assert "linked" in phone.says(code(gym))[0]


def test_codes_are_kept_as_hashes(gym: Gym) -> None:
    word = code(gym)
    with gym.db.platform() as session:
        kept = session.scalars(select(LinkCode.code_hash)).all()
    assert word not in kept
    assert all(len(one) == 64 for one in kept)


def test_a_number_linked_by_another_is_that_ones(gym: Gym) -> None:
    gym.says(("who am i", [{"say": "You."}]))
    phone = gym.linked()
    phone.link(gym.studio.coach.user_id)
    (row,) = known(phone)
    assert row.user_id == gym.studio.coach.user_id
    phone.says("who am i")
    assert gym.conversations()[-1].user_id == gym.studio.coach.user_id


def test_both_names_of_a_sender_are_kept(gym: Gym) -> None:
    phone = gym.linked()
    assert [row.kind for row in known(phone)] == ["phone"]
    phone.scoped_id = "IL.13491208655302741918"
    gym.says(("hello", [{"say": "Hi."}]))
    phone.says("hello")
    assert [row.kind for row in known(phone)] == ["bsuid", "phone"]


def test_a_hidden_number_is_known_by_its_scoped_id(gym: Gym) -> None:
    phone = gym.phone(scoped_id=f"IL.{gym.org_id.int % 10**20}")
    phone.link()
    gym.says(("hello", [{"say": "Hi."}]))
    phone.writes("hello", scoped_only=True)
    gym.settle()
    assert len(gym.turns()) == 1
    assert gym.conversations()[-1].address == {
        "channel": "whatsapp",
        "sender": "whatsapp:+14155238886",
        "recipient": f"whatsapp:{phone.scoped_id}",
    }


def test_a_phone_that_changed_hands_is_nobodys(gym: Gym) -> None:
    phone = gym.phone(scoped_id=f"IL.{gym.org_id.int % 10**19}1")
    phone.link()
    stranger = Phone(gym, number=phone.number, scoped_id=f"IL.{gym.org_id.int % 10**19}2")
    assert UNKNOWN in stranger.says("what's on today?")[-1]
    assert gym.turns() == []
    assert [row.kind for row in known(phone)] == ["bsuid"]
    with gym.db.platform() as session:
        assert identity.phone_for_sms(session, gym.org_id, gym.owner.user_id) is None


def test_the_person_of_a_number_that_changed_hands_is_known_by_their_id(gym: Gym) -> None:
    scoped = f"IL.{gym.org_id.int % 10**19}3"
    gym.phone(scoped_id=scoped).link()
    gym.says(("hello", [{"say": "Hi."}]))
    moved = gym.phone(scoped_id=scoped)
    assert moved.says("hello") == ["Hi."]
    assert [row.kind for row in known(moved)] == ["bsuid", "phone"]


def test_a_number_is_the_same_person_by_sms(gym: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    assert gym.linked().on("sms").says("hello") == ["Hi."]


def test_who_has_left_is_a_stranger(gym: Gym) -> None:
    phone = gym.linked(role=Role.COACH)
    gym.dismiss(Role.COACH)
    (told,) = phone.says("hello")
    assert UNKNOWN in told
    assert gym.conversations() == []


def test_a_second_gym_is_linked_by_its_code(gym: Gym, other: Gym) -> None:
    phone = gym.linked()
    assert "linked to Gym" in phone.says(code(other, gym.owner.user_id))[0]
    assert {row.org_id for row in known(phone)} == {gym.org_id, other.org_id}
    assert [row.org_id for row in known(phone) if row.chosen] == [other.org_id]


def test_a_number_of_six_digits_is_a_message_where_it_is_no_code(gym: Gym) -> None:
    gym.says(("150000", [{"say": "Noted."}]))
    phone = gym.linked()
    assert phone.says("150000") == ["Noted."]


def test_a_person_of_several_gyms_picks_one_and_it_sticks(gym: Gym, other: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone = gym.linked()
    phone.says(code(other, gym.owner.user_id))
    assert phone.says("hello") == []
    other.settle()
    assert len(other.turns()) == 1
    phone.got()
    assert [text.splitlines() for text in phone.says("new")][-1] == [
        "Which gym is this about?",
        "1 Gym",
        "2 Gym",
    ]
    assert phone.says("hello there")[0].startswith("Which gym")
    order = sorted((gym, other), key=lambda one: str(one.org_id))
    number = order.index(gym) + 1
    assert phone.says(str(number)) == ["This conversation is about Gym now."]
    assert phone.says("hello") == ["Hi."]
    assert phone.says("hello") == ["Hi."]
    assert len(gym.turns()) == 2
    assert len(other.turns()) == 1
