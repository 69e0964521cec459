"""An answer from the inbox leaves by the thread's channel, once, and what became of it is known."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import select

from app.core.outbox import Outbox
from app.inbox import service
from app.inbox.models import InboxMessage
from app.inbox.service import Approved, Reply
from app.inbox.terms import MessageState, ThreadChannel
from app.messages.queries import had
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.webhooks import status_lane
from bot.cli.stage import MEMBERS_SMS, MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.letters import MemberLines
from bot.conversation.models import OutboundMessage
from bot.conversation.threads import Threads
from tests.floor import Gym, within

PHONE = "+972537654321"
OUTSIDE_WINDOW = 63016


def answered(gym: Gym, said: Reply, *, ago: timedelta = timedelta(), on: str = "whatsapp") -> UUID:
    with gym.db.transaction(gym.org_id) as session:
        now = session.info["now"]
        channel = ThreadChannel(on)
        thread = service.receive(session, gym.org_id, channel, PHONE, "Hi", at=now - ago)
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
