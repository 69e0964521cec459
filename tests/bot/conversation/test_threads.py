"""An answer from the inbox leaves by the thread's channel, once, and what became of it is known."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import select

from app.core.outbox import Outbox
from app.inbox import service
from app.inbox.models import InboxMessage, InboxThread
from app.inbox.service import Approved, Reply
from app.inbox.terms import MessageState, ThreadChannel
from app.messages.queries import had
from app.people import queries as people
from app.people.terms import Channel
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.webhooks import status_lane
from bot.cli.stage import MEMBERS_SMS, MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.letters import MemberLines
from bot.conversation.models import InboundEvent, OutboundMessage, Turn
from bot.conversation.threads import Threads
from tests.floor import Gym, Phone, within
from tests.reachable import reachable
from tests.studio import Studio, open_studio

PHONE = "+972537654321"
OUTSIDE_WINDOW = 63016
OURS = MEMBERS_WHATSAPP.removeprefix("whatsapp:")
PHOTO = {"content_type": "image/png", "base64": "iVBORw0KGgo="}


def answered(
    gym: Gym,
    said: Reply,
    *,
    ago: timedelta = timedelta(),
    on: str = "whatsapp",
    handle: str = PHONE,
) -> UUID:
    with gym.db.transaction(gym.org_id) as session:
        now = session.info["now"]
        channel = ThreadChannel(on)
        thread = service.receive(session, gym.org_id, channel, handle, "Hi", at=now - ago)
        made, _ = service.reply(session, gym.owner, thread, said, had=had, now=now)
        return made


def state_of(gym: Gym, message_id: UUID) -> MessageState | None:
    with gym.db.transaction(gym.org_id) as session:
        return session.get_one(InboxMessage, message_id).state


def posted(gym: Gym) -> list[OutboundMessage]:
    with gym.db.platform() as session:
        mine = select(OutboundMessage).where(
            OutboundMessage.org_id == gym.org_id, OutboundMessage.about.is_not(None)
        )
        return list(session.scalars(mine.order_by(OutboundMessage.position)))


def carried_out(gym: Gym) -> None:
    for _ in range(2):  # once is enough
        relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
        gym.settle()


def told(gym: Gym, message_id: UUID, state: MessageState) -> None:
    """Once what the vendor tells has been taken."""

    def arrived() -> bool:
        take_all(gym.stage.wiring.intake, status_lane(posted(gym)[0].sid or ""))
        return state_of(gym, message_id) is state

    within(10, arrived)


def test_an_answer_leaves_once_and_is_known_to_arrive(gym: Gym) -> None:
    made = answered(gym, Reply("Yes, see you."), on="sms")
    carried_out(gym)
    (sent,) = posted(gym)
    assert (sent.sender, sent.recipient, sent.body) == (MEMBERS_SMS, PHONE, "Yes, see you.")
    told(gym, made, MessageState.DELIVERED)


def test_what_whatsapp_does_not_let_through_has_failed(gym: Gym) -> None:
    """Their 24 hours are over by its clock, though not by ours."""
    made = answered(gym, Reply("Yes, see you."))
    carried_out(gym)
    assert posted(gym)[0].sender == MEMBERS_WHATSAPP
    told(gym, made, MessageState.FAILED)
    with gym.db.transaction(gym.org_id) as session:
        assert session.get_one(InboxMessage, made).error_code == OUTSIDE_WINDOW


def test_an_approved_template_goes_by_the_providers_own_copy(gym: Gym) -> None:
    said = Reply("Hi Dana", Approved(gym.org_id, "HX123", {"1": "Dana"}))
    answered(gym, said, ago=timedelta(days=2))
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    (sent,) = posted(gym)
    assert (sent.content_sid, sent.content_variables) == ("HX123", {"1": "Dana"})


def test_what_nothing_can_carry_has_failed(gym: Gym) -> None:
    made = answered(gym, Reply("Yes"), on="sms")
    acts = Threads(gym.stage.wiring.enqueue, MemberLines()).acts()
    relay.relay_due(gym.db, acts, gym.org_id)
    assert state_of(gym, made) is MessageState.FAILED
    assert posted(gym) == []
    with gym.db.transaction(gym.org_id) as session:
        waiting = select(Outbox.state).where(Outbox.topic == service.REPLY)
        assert [state.value for state in session.scalars(waiting)] == ["done"]


def wrote(gym: Gym, studio: Studio | None = None) -> list[tuple[str, bool, list[str]]]:
    """The threads of a gym: the channel, whether a member is known, and what was written."""
    found = []
    with gym.db.transaction((studio or gym.studio).org_id) as session:
        for row in session.scalars(select(InboxThread).order_by(InboxThread.created_at)):
            texts = select(InboxMessage.body).where(InboxMessage.thread_id == row.id)
            bodies = list(session.scalars(texts.order_by(InboxMessage.at, InboxMessage.id)))
            found.append((row.channel.value, row.member_id is not None, bodies))
    return found


def refused(gym: Gym, number: str, on: Channel, studio: Studio | None = None) -> bool:
    with gym.db.transaction((studio or gym.studio).org_id) as session:
        return number in people.opted_out(session, on, [number])


def replies(gym: Gym, phone: Phone) -> list[str]:
    """What came back to one that writes to the numbers for members."""
    gym.settle()
    with gym.db.platform() as session:
        theirs = select(OutboundMessage.body).where(OutboundMessage.recipient == phone.address)
        return list(session.scalars(theirs.order_by(OutboundMessage.position)))


def test_what_members_write_is_in_the_inbox_and_stop_is_heard(gym: Gym) -> None:
    dana = gym.phone()
    reachable(gym.studio, phone=dana.number)
    dana.writes("When is the next class?", to=OURS)
    dana.writes("", to=OURS, media=[PHOTO])
    assert replies(gym, dana) == []
    ((channel, known, (question, photo)),) = wrote(gym)
    assert (channel, known, question) == ("whatsapp", True, "When is the next class?")
    assert photo.startswith("(תמונה")  # in the language of the gym
    dana.writes("עצרי", to=OURS)  # a wish to stop what runs, and nothing runs
    gym.settle()
    assert not refused(gym, dana.number, Channel.WHATSAPP)
    dana.writes("Stop", to=OURS)
    assert len(replies(gym, dana)) == 1
    assert refused(gym, dana.number, Channel.WHATSAPP)
    assert not refused(gym, dana.number, Channel.SMS)
    dana.on("sms").writes("הסר", to=MEMBERS_SMS)
    assert replies(gym, dana.on("sms")) == []
    assert refused(gym, dana.number, Channel.SMS)
    dana.writes("START", to=OURS)
    dana.on("sms").writes("YES", to=MEMBERS_SMS)  # an answer, to whatever it was
    gym.settle()
    assert not refused(gym, dana.number, Channel.WHATSAPP)
    assert refused(gym, dana.number, Channel.SMS)
    with gym.db.transaction(gym.org_id) as session:
        assert list(session.scalars(select(Turn))) == []


def test_a_word_of_the_carriers_opts_out_and_strangers_are_kept_without_an_answer(gym: Gym) -> None:
    dana, stranger = gym.phone("sms"), gym.phone("sms")
    reachable(gym.studio, phone=dana.number)
    assert dana.posts(To=MEMBERS_SMS, Body="Genug", OptOutType="STOP") == 200
    assert stranger.posts(To=MEMBERS_SMS, Body="How much is it?") == 200
    assert replies(gym, stranger) == replies(gym, dana) == []
    assert refused(gym, dana.number, Channel.SMS)
    assert wrote(gym) == [("sms", True, ["Genug"])]
    with gym.db.platform() as session:
        theirs = select(InboundEvent).where(InboundEvent.sender == stranger.address)
        assert [row.state.value for row in session.scalars(theirs)] == ["routed"]


def test_of_two_gyms_the_last_to_write_is_meant_and_both_hear_stop(
    gym: Gym, database_url: str
) -> None:
    other, dana = open_studio(database_url), gym.phone("sms")
    for studio in (gym.studio, other):
        reachable(studio, phone=dana.number)
    dana.writes("Is it open?", to=MEMBERS_SMS)  # nobody wrote yet: either may be meant
    gym.settle()
    assert wrote(gym) == wrote(gym, other) == [("sms", True, ["Is it open?"])]
    answered(gym, Reply("Yes"), on="sms", handle=dana.number)
    carried_out(gym)
    dana.writes("Thanks", to=MEMBERS_SMS)
    gym.settle()
    assert wrote(gym)[0][2][-1] == "Thanks"
    assert wrote(gym, other)[0][2] == ["Is it open?"]
    dana.writes("QUIT", to=MEMBERS_SMS)
    gym.settle()
    assert refused(gym, dana.number, Channel.SMS)
    assert refused(gym, dana.number, Channel.SMS, other)
