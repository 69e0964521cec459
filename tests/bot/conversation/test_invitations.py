"""An invitation on its way: its link, the page behind it, and what is done where it fails."""

import re
from typing import Any
from uuid import UUID

import pytest
import requests
from sqlalchemy import select

from app.people import queries
from app.people.terms import Channel, InvitationStatus
from app.people.views import InvitationView
from app.studio.paging import Cut
from bot.channels.twilio.inbound import take_all
from bot.cli.stage import MEMBERS_SMS, MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.models import InboundEvent, InboundState, OutboundMessage
from tests.bot.dashboard.test_pages import word_of
from tests.floor import Gym, Phone, call


@pytest.fixture
def mia(gym: Gym) -> Phone:
    return gym.phone("sms")


def invites(gym: Gym, mia: Phone, channel: Channel, **more: Any) -> Phone:  # noqa: ANN401 - as the tool's
    """The owner, whose question has been answered with a yes."""
    owner = gym.linked()
    given = {"first_name": "Mia", "phone": mia.number, "channel": channel.value, **more}
    gym.says(
        ("invite Mia", [call("memberships.invite_member", **given), {"say": "On its way."}]),
    )
    owner.says("invite Mia")
    assert "Invitation on its way" in owner.says("1")[0]
    return owner


def sent(gym: Gym, mia: Phone, *, rounds: int = 2) -> list[OutboundMessage]:
    """What went to Mia, once what is due was carried out and reported."""
    for _ in range(rounds):
        relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
        gym.settle()
        report(gym)
        gym.later(seconds=1)
    addresses = (mia.number, f"whatsapp:{mia.number}")
    with gym.db.platform() as session:
        theirs = select(OutboundMessage).where(OutboundMessage.recipient.in_(addresses))
        return list(session.scalars(theirs.order_by(OutboundMessage.position)))


def report(gym: Gym) -> None:
    """Take what the provider has told of messages."""
    with gym.db.platform() as session:
        told = select(InboundEvent.sender).where(
            InboundEvent.kind == "status", InboundEvent.state == InboundState.STORED
        )
        lanes = set(session.scalars(told))
    for lane in lanes:
        take_all(gym.stage.wiring.intake, lane)


def link_in(text: str) -> str:
    found = re.search(r"http\S+/join/\S+", text)
    assert found, text
    return found[0]


def state(gym: Gym) -> InvitationView:
    with gym.db.transaction(gym.org_id) as session:
        found = queries.invitations(session, now=session.info["now"], cut=Cut())
    return found.rows[0]


def members(gym: Gym) -> list[tuple[UUID, str]]:
    with gym.db.transaction(gym.org_id) as session:
        found = queries.find_members(session, "Mia", cut=Cut())
    return [(one.member.id, one.member.name) for one in found.rows]


def test_the_link_lets_one_person_join_once(gym: Gym, mia: Phone) -> None:
    invites(gym, mia, Channel.SMS, language="he")
    assert sent(gym, mia) == [], "an undo may still come"
    gym.later(seconds=20)
    (message,) = sent(gym, mia)
    assert (message.sender, "הזמנה להצטרף" in message.body) == (MEMBERS_SMS, True)
    link = link_in(message.body)
    with requests.Session() as browser:
        page = browser.get(link, timeout=20)
        assert page.status_code == 200
        assert '<html lang="he" dir="rtl">' in page.text
        assert members(gym) == [], "what looks at links uses none up"
        word = word_of(page.text)
        assert browser.post(link, timeout=20).status_code == 403
        joined = browser.post(link, data={"csrf_token": word}, timeout=20)
        assert "ההצטרפות נרשמה" in joined.text
        again = browser.post(link, data={"csrf_token": word}, timeout=20)
        assert again.status_code == 404
    assert [name for _, name in members(gym)] == ["Mia"]
    assert state(gym).status is InvitationStatus.ACCEPTED
    token = link.rpartition("/")[2]
    assert token not in str([gym.events(), [vars(one) for one in gym.calls()]]), "nor any model"


def test_a_made_up_link_says_nothing(gym: Gym) -> None:
    base = gym.stage.base_url
    for path in ("/join/no-such-gym/abc", f"/join/gym-{gym.org_id.hex[:12]}/abc"):
        page = requests.get(base + path, timeout=20)
        assert page.status_code == 404
        assert "Gym" not in page.text


def test_an_undo_in_time_sends_nothing_and_a_late_one_takes_it_back(gym: Gym, mia: Phone) -> None:
    owner = invites(gym, mia, Channel.SMS)
    owner.says("undo")
    gym.later(seconds=20)
    assert sent(gym, mia) == []
    owner.says("invite Mia")
    owner.says("1")
    gym.later(seconds=20)
    (message,) = sent(gym, mia)
    assert owner.says("undo")[0].startswith("Undone")
    *_, correction = sent(gym, mia)
    assert "withdrawn" in correction.body or "בוטלה" in correction.body
    assert requests.get(link_in(message.body), timeout=20).status_code == 404


def test_what_whatsapp_will_not_carry_to_a_stranger_goes_by_sms(gym: Gym, mia: Phone) -> None:
    invites(gym, mia, Channel.WHATSAPP)
    gym.later(seconds=20)
    first, second = sent(gym, mia, rounds=4)
    assert (first.sender, second.sender) == (MEMBERS_WHATSAPP, MEMBERS_SMS)
    assert (state(gym).channel, state(gym).send_count) == (Channel.SMS, 2)
    assert requests.get(link_in(first.body), timeout=20).status_code == 404, "the newest counts"
    assert requests.get(link_in(second.body), timeout=20).status_code == 200
