"""A form's link leaves for the member's phone once, and a sending that is undone is corrected."""

from re import search
from uuid import UUID

from sqlalchemy import select

from app.forms import queries, service
from app.forms.service import FormRequest
from app.forms.terms import FormStatus
from app.forms.views import InstanceView
from app.people.terms import Channel
from bot.cli.stage import MEMBERS_SMS
from bot.conversation import relay
from bot.conversation.forms import FormLinks
from bot.conversation.letters import MemberLines
from bot.conversation.link_letters import LinkLetters
from bot.conversation.models import OutboundMessage
from tests.bot.conversation.test_threads import carried_out, posted
from tests.floor import Gym
from tests.requests.forms import dana, template
from tests.tools.catalog.asking import Asking


def sent(gym: Gym, channel: Channel = Channel.SMS) -> UUID:
    wish, member_id = FormRequest(template(gym.studio), channel), dana(gym.studio)
    with gym.db.transaction(gym.org_id) as session:
        now = session.info["now"]
        return service.send(session, gym.owner, wish, member_id, now=now)[0]


def look(gym: Gym, instance_id: UUID) -> InstanceView:
    with gym.db.transaction(gym.org_id) as session:
        return queries.instance(session, instance_id, today=gym.studio.day(0))


def test_a_link_leaves_once_and_leads_to_the_form(gym: Gym) -> None:
    made = sent(gym)
    carried_out(gym)
    assert posted(gym) == [], "an undo must still find it here"
    gym.later(seconds=16)
    carried_out(gym)
    (message,) = posted(gym)
    assert (message.sender, message.recipient) == (MEMBERS_SMS, "+972541234567")
    token = search(r"/forms/[\w-]+/([\w-]+)$", message.body)
    assert token
    with gym.db.transaction(gym.org_id) as session:
        sheet = service.look(session, token[1], now=session.info["now"])
    assert (sheet.instance_id, sheet.member) == (made, "Dana Levi")


def test_an_undo_after_it_left_tells_so_and_closes_the_link(gym: Gym) -> None:
    ask = Asking(gym.studio, gym.owner)
    given = {"form_template_id": template(gym.studio), "channel": "sms"}
    done = ask.outcome("forms.send_instance", **given, member_id=dana(gym.studio))
    gym.later(seconds=16)
    carried_out(gym)
    assert ask.undo(done).ok
    carried_out(gym)
    first, second = gym_messages(gym)
    assert "/forms/" in first
    assert "no longer works" in second
    assert look(gym, UUID(ask.told("forms.list_instances")["rows"][0]["id"])).status is (
        FormStatus.CANCELLED
    )


def test_what_nothing_can_carry_is_known_not_to_have_arrived(gym: Gym) -> None:
    made = sent(gym, Channel.WHATSAPP)
    gym.later(seconds=16)
    letters = LinkLetters(gym.stage.wiring.enqueue, MemberLines(), "https://spotter.example")
    acts = FormLinks(letters).acts()
    relay.relay_due(gym.db, acts, gym.org_id)
    assert look(gym, made).undelivered
    assert posted(gym) == []


def gym_messages(gym: Gym) -> list[str]:
    """What Dana was sent, corrections too."""
    with gym.db.platform() as session:
        lane = f"sms|{MEMBERS_SMS}|+972541234567"
        rows = session.scalars(select(OutboundMessage).where(OutboundMessage.lane == lane))
        mine = [row for row in rows if row.org_id == gym.org_id]
        return [row.body for row in sorted(mine, key=lambda row: row.position)]
