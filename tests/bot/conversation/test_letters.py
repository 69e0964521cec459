"""What the gym writes leaves for the member's phone once, and what became of it is known."""

from dataclasses import replace
from uuid import UUID

from sqlalchemy import select

from app.core.actor import Actor
from app.messages import service
from app.messages.models import Message
from app.messages.service import NewTemplate, Said
from app.messages.terms import MessageState, ProviderStatus
from app.messages.views import Audience
from app.people import queries as people
from app.people import service as opting
from app.people.terms import Category, Channel
from bot.channels.email.sending import Mailer
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.sending import send_lane
from bot.channels.twilio.webhooks import status_lane
from bot.cli.stage import MEMBERS_SMS, MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.letters import Letters, MemberLines
from bot.conversation.models import OutboundMessage, OutboundState
from bot.playground.twilio_api import content
from bot.playground.twilio_api.rules import Rule
from tests.bot.channels.email.post_office import post_office
from tests.floor import Gym, call, within
from tests.reachable import reachable

UTILITY = Category.UTILITY


def sent(gym: Gym, member_id: UUID, said: Said, actor: Actor | None = None) -> UUID:
    with gym.db.transaction(gym.org_id) as session:
        now = session.info["now"]
        made, _ = service.send_to_member(session, actor or gym.owner, member_id, said, now=now)
        return made


def carried_out(gym: Gym) -> None:
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()


def state_of(gym: Gym, message_id: UUID) -> MessageState:
    with gym.db.transaction(gym.org_id) as session:
        return session.get_one(Message, message_id).state


def reported(gym: Gym, state: MessageState, message_id: UUID) -> None:
    """Once what the vendor tells has been taken."""

    def arrived() -> bool:
        with gym.db.platform() as session:
            about = f"message:{message_id}"
            query = select(OutboundMessage.sid).where(OutboundMessage.about == about)
            sid = session.scalars(query).one()
        take_all(gym.stage.wiring.intake, status_lane(sid or ""))
        return state_of(gym, message_id) is state

    within(10, arrived)


def posted(gym: Gym) -> list[OutboundMessage]:
    with gym.db.platform() as session:
        mine = select(OutboundMessage).where(
            OutboundMessage.org_id == gym.org_id, OutboundMessage.about.is_not(None)
        )
        return list(session.scalars(mine.order_by(OutboundMessage.position)))


def approved(gym: Gym, text: str) -> str:
    """The id of a template at the vendor."""
    assert gym.stage.twilio is not None
    document = {"language": "en", "types": {"twilio/text": {"body": text}}}
    made = content.create(document, gym.db.clock.now())
    gym.stage.twilio.service.store.keep_content(replace(made, approved=True))
    return made.sid


def test_an_sms_leaves_the_members_number_once_and_is_known_to_arrive(gym: Gym) -> None:
    dana = gym.phone("sms")
    member_id = reachable(gym.studio, phone=dana.number)
    made = sent(gym, member_id, Said(Channel.SMS, {"en": "Hi {name}"}, category=UTILITY))
    assert state_of(gym, made) is MessageState.QUEUED
    carried_out(gym)
    carried_out(gym)
    (row,) = posted(gym)
    assert (row.sender, row.recipient, row.body) == (MEMBERS_SMS, dana.number, "Hi Dana")
    reported(gym, MessageState.DELIVERED, made)


def test_an_approved_template_opens_a_conversation_on_whatsapp(gym: Gym) -> None:
    dana = gym.phone()
    member_id = reachable(gym.studio, phone=dana.number)
    ref = approved(gym, "Hello {{1}}, we miss you")
    with gym.db.transaction(gym.org_id) as session:
        new = NewTemplate("hi", Channel.WHATSAPP, "en", "Hello {name}, we miss you", UTILITY)
        template = service.create_template(session, gym.owner, new)
        service.set_provider_status(session, template.id, ProviderStatus.APPROVED, ref)
    made = sent(gym, member_id, Said(Channel.WHATSAPP, template_id=template.id))
    carried_out(gym)
    (row,) = posted(gym)
    assert (row.sender, row.content_variables) == (MEMBERS_WHATSAPP, {"1": "Dana"})
    reported(gym, MessageState.DELIVERED, made)


def test_what_the_vendor_refuses_is_known_as_failed(gym: Gym) -> None:
    member_id = reachable(gym.studio, phone="+15005550001")
    made = sent(gym, member_id, Said(Channel.SMS, {"en": "Hi"}, category=UTILITY))
    assert gym.stage.twilio is not None
    refuses = Rule(to="+15005550001", outcome="refuse", code=21610)
    gym.stage.twilio.service.rules.add(refuses)
    carried_out(gym)
    assert state_of(gym, made) is MessageState.FAILED
    with gym.db.transaction(gym.org_id) as session:
        gone = people.opted_out(session, Channel.SMS, ["+15005550001"])
    assert gone == {"+15005550001"}


def test_a_broadcast_to_many_is_carried_on_by_workers_and_reaches_each_once(gym: Gym) -> None:
    owner = gym.linked()
    for number in range(30):
        reachable(gym.studio, f"Member{number} Katz")
    with gym.db.transaction(gym.org_id) as session:
        said, now = Said(Channel.SMS, {"en": "Hi {name}"}), session.info["now"]
        found = service.plan(session, gym.owner, Audience(), said, now=now)
    asks = call(
        "messages.send_broadcast",
        channel="sms",
        body={"en": "Hi {name}"},
        audience_hash=found.audience_hash,
    )
    gym.says(("text them all", [asks, {"say": "Done."}]))
    assert "*30 recipients* · SMS" in owner.says("text them all")[-1]
    told = "\n".join(owner.says("1"))
    assert "On the way: 30 messages" in told
    carried_out(gym)
    rows = posted(gym)
    assert sorted(row.body for row in rows) == sorted(f"Hi Member{one}" for one in range(30))
    assert len({row.recipient for row in rows}) == 30


def test_a_scheduled_broadcast_leaves_when_it_is_due(gym: Gym) -> None:
    dana = gym.phone("sms")
    reachable(gym.studio, phone=dana.number)
    owner = gym.linked()
    asks = call(
        "messages.schedule_broadcast",
        channel="sms",
        body={"en": "Hi"},
        send_at="2026-12-03T10:00",
    )
    gym.says(("on thursday", [asks, {"say": "Done."}]))
    owner.says("on thursday")
    owner.says("1")
    gym.later(hours=71)
    carried_out(gym)
    assert posted(gym) == []
    gym.later(hours=1)
    carried_out(gym)
    carried_out(gym)
    assert [row.recipient for row in posted(gym)] == [dana.number]


def test_without_a_number_of_its_own_a_message_fails_and_holds_nothing_up(gym: Gym) -> None:
    member_id = reachable(gym.studio)
    made = sent(gym, member_id, Said(Channel.SMS, {"en": "Hi"}, category=UTILITY))
    bare = Letters(gym.stage.wiring.enqueue, MemberLines())
    relay.relay_due(gym.db, bare.acts(), gym.org_id)
    assert state_of(gym, made) is MessageState.FAILED


def test_an_e_mail_leaves_by_the_mail_server(gym: Gym) -> None:
    member_id = reachable(gym.studio, email="dana@example.com")
    made = sent(gym, member_id, Said(Channel.EMAIL, {"en": "Hi {name}"}, category=UTILITY))
    lines = MemberLines(email="gym@example.com")
    relay.relay_due(gym.db, Letters(gym.stage.wiring.enqueue, lines).acts(), gym.org_id)
    with post_office() as office:
        sender = replace(gym.stage.wiring.sender, mailer=Mailer(office.url))
        send_lane(sender, "email|gym@example.com|dana@example.com")
    assert len(office.taken) == 1
    assert state_of(gym, made) is MessageState.SENT


def test_what_waits_for_another_try_is_kept_back_from_who_has_said_stop_meanwhile(
    gym: Gym,
) -> None:
    dana = gym.phone("sms")
    member_id = reachable(gym.studio, phone=dana.number)
    assert gym.stage.twilio is not None
    busy = Rule(to=dana.number, outcome="refuse", code=20429, http_status=429, times=1)
    gym.stage.twilio.service.rules.add(busy)
    made = sent(gym, member_id, Said(Channel.SMS, {"en": "Hi"}, category=UTILITY))
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    (row,) = posted(gym)
    send_lane(gym.stage.wiring.sender, row.lane)
    assert [(one.state, one.attempts) for one in posted(gym)] == [(OutboundState.QUEUED, 1)]
    dana.writes("STOP", to=MEMBERS_SMS)
    gym.settle()
    gym.later(minutes=30)
    send_lane(gym.stage.wiring.sender, row.lane)
    assert [(one.state, one.attempts) for one in posted(gym)] == [(OutboundState.DROPPED, 1)]
    assert state_of(gym, made) is MessageState.FAILED


def test_what_was_on_its_way_when_they_said_stop_is_not_tried_again(gym: Gym) -> None:
    number = gym.phone("sms").number
    member_id = reachable(gym.studio, phone=number)
    assert gym.stage.twilio is not None
    busy = Rule(to=number, outcome="refuse", code=20429, http_status=429, times=1)
    gym.stage.twilio.service.rules.add(busy)
    made = sent(gym, member_id, Said(Channel.SMS, {"en": "Hi"}, category=UTILITY))
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    with gym.db.transaction(gym.org_id) as session:
        now = session.info["now"]
        opting.opt_out(session, gym.org_id, Channel.SMS, number, source="stop", now=now)
    (row,) = posted(gym)
    send_lane(gym.stage.wiring.sender, row.lane)
    assert [(one.state, one.attempts) for one in posted(gym)] == [(OutboundState.REJECTED, 1)]
    assert state_of(gym, made) is MessageState.FAILED
