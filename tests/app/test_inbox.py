"""The inbox: one thread an address, and what may be answered when (rule 36)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select

from app.core.errors import NotFound, StaleVersion, StudioError
from app.core.outbox import Outbox, OutboxState
from app.inbox import queries, service
from app.inbox.service import Approved, Reply
from app.inbox.terms import Direction, MessageState, ThreadChannel, ThreadStatus
from app.inbox.views import ThreadFilter, ThreadView
from app.leads import service as leads
from app.leads.service import Added, NewLead
from app.leads.terms import LeadSource
from app.messages import queries as messages
from app.messages.queries import had
from app.people import service as people
from app.people.consent import Cap
from app.people.models import Member
from app.people.terms import Category, Channel
from app.studio.models import Org
from app.studio.paging import Cut
from tests.studio import Studio

PHONE = "+972537654321"
WHATSAPP = ThreadChannel.WHATSAPP
YES = Reply("Yes, see you.")


def hear(
    studio: Studio,
    body: str = "Hi",
    *,
    ago: float = 0,
    handle: str = PHONE,
    channel: ThreadChannel = WHATSAPP,
) -> UUID:
    with studio.act() as session:
        at = studio.now - timedelta(hours=ago)
        return service.receive(session, studio.org_id, channel, handle, body, at=at)


def look(studio: Studio, thread_id: UUID) -> ThreadView:
    with studio.act() as session:
        return queries.thread(session, thread_id)


def answer(studio: Studio, thread_id: UUID, said: Reply = YES) -> tuple[UUID, datetime]:
    with studio.act() as session:
        made, planned = service.reply(
            session, studio.coach, thread_id, said, had=had, now=studio.now
        )
        return made, planned.leaves_at


def refused(studio: Studio, thread_id: UUID, said: Reply = YES) -> dict[str, Any]:
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.preview_reply(session, studio.coach, thread_id, said, had=had, now=studio.now)
    return {"code": failed.value.code, **failed.value.values}


def approved(category: Category = Category.UTILITY) -> Reply:
    return Reply("Hi Dana", Approved(uuid4(), "HX1", {"1": "Dana"}), category)


def outbox(studio: Studio) -> list[dict[str, Any]]:
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == service.REPLY))
        return [{**row.body, "due_at": row.due_at} for row in rows]


def test_what_somebody_writes_is_one_thread_of_whoever_has_the_number(studio: Studio) -> None:
    stranger = hear(studio, "Hi", ago=3)
    assert look(studio, stranger).contact == PHONE
    with studio.act() as session:
        new = NewLead("Noa", PHONE, LeadSource.WHATSAPP)
        made = leads.create(session, studio.coach, new, now=studio.now)
    assert isinstance(made, Added)
    assert hear(studio, "Again", ago=2) == stranger
    assert (look(studio, stranger).contact, look(studio, stranger).lead_id) == ("Noa", made.lead_id)
    member_id = studio.person("Dana Levi", phone=PHONE)
    hear(studio, "And again", ago=1)
    found = look(studio, stranger)
    assert (found.member_id, found.contact, found.unread) == (member_id, "Dana Levi", 3)
    assert found.last_text == "And again"
    assert hear(studio, channel=ThreadChannel.SMS) != stranger
    mail = hear(studio, handle="Dana@Example.com", channel=ThreadChannel.EMAIL)
    assert look(studio, mail).handle == "dana@example.com"


def test_two_messages_at_once_begin_one_thread(studio: Studio) -> None:
    together = Barrier(2)

    def write(body: str) -> UUID:
        together.wait(timeout=10)
        return hear(studio, body)

    with ThreadPoolExecutor(2) as threads:
        found = set(threads.map(write, ("One", "Two")))
    (thread_id,) = found
    assert look(studio, thread_id).unread == 2


def test_an_answer_closes_nothing_and_waits_for_theirs(studio: Studio) -> None:
    thread_id = hear(studio)
    with studio.act() as session:
        service.save_draft(session, studio.coach, thread_id, "Yes")
    message_id, leaves_at = answer(studio, thread_id)
    found = look(studio, thread_id)
    assert (found.status, found.unread, found.last_text) == (ThreadStatus.PENDING, 0, YES.body)
    assert leaves_at == studio.now
    with studio.act() as session:
        assert queries.draft(session, thread_id) is None
        *_, sent = queries.messages(session, thread_id, limit=9)
    assert (sent.id, sent.state, sent.by) == (message_id, MessageState.QUEUED, "coach one")
    (queued,) = outbox(studio)
    assert queued == {
        "message_id": str(message_id),
        "content_ref": None,
        "content_variables": None,
        "due_at": studio.now,
    }
    hear(studio, "Thanks")
    assert look(studio, thread_id).status is ThreadStatus.OPEN


def test_after_a_day_whatsapp_takes_only_an_approved_template(studio: Studio) -> None:
    thread_id = hear(studio, ago=24)
    assert refused(studio, thread_id) == {"code": "needs_template", "name": PHONE}
    draft = replace(approved(), template=Approved(uuid4(), None, {}))
    assert refused(studio, thread_id, draft)["code"] == "needs_template"
    answer(studio, thread_id, approved())
    (queued,) = outbox(studio)
    assert (queued["content_ref"], queued["content_variables"]) == ("HX1", {"1": "Dana"})
    by_sms = hear(studio, ago=30, channel=ThreadChannel.SMS)
    answer(studio, by_sms)
    instagram = hear(studio, handle="noa.bar", channel=ThreadChannel.INSTAGRAM)
    assert refused(studio, instagram) == {"code": "cant_write_there", "channel": "instagram"}


@pytest.mark.parametrize("word", ["STOP", "הסר", "отписаться"])
def test_who_wants_no_more_messages_gets_none(studio: Studio, word: str) -> None:
    thread_id = hear(studio, word)
    assert refused(studio, thread_id)["code"] == "opted_out"
    hear(studio, "I said stop it")
    assert refused(studio, thread_id)["code"] == "opted_out"
    hear(studio, "START")
    answer(studio, thread_id)


def test_an_offer_wants_a_yes_to_offers(studio: Studio) -> None:
    member_id = studio.person("Dana Levi", phone=PHONE)
    thread_id = hear(studio)
    assert refused(studio, thread_id, approved(Category.MARKETING))["code"] == "no_consent"
    with studio.act() as session:
        people.consent(session, member_id, now=studio.now)
    answer(studio, thread_id, approved(Category.MARKETING))


def test_at_night_an_answer_waits_unless_they_are_awake(studio: Studio) -> None:
    early, late = hear(studio), hear(studio, handle="+972537654322")
    studio.wait(hours=12)  # it is ten at night
    hear(studio, "Are you there?", handle="+972537654322")
    _, at_once = answer(studio, late)
    _, in_the_morning = answer(studio, early)
    assert at_once == studio.now
    assert in_the_morning == studio.now + timedelta(hours=10)
    with studio.act() as session:
        quiet = {"quiet": {"since": "00:00", "until": "00:00"}}
        session.get_one(Org, studio.org_id).messaging_policy = quiet
    assert answer(studio, early)[1] == studio.now


def test_what_is_to_leave_is_looked_at_once_more(studio: Studio) -> None:
    thread_id = hear(studio)
    first, _ = answer(studio, thread_id)
    answer(studio, thread_id)
    one, two = outbox(studio)
    with studio.act() as session:
        found = service.outgoing(session, one, had=had, now=studio.now)
        assert found is not None
        assert (found.channel, found.address, found.body) == (Channel.WHATSAPP, PHONE, YES.body)
        people.opt_out(
            session, studio.org_id, Channel.WHATSAPP, PHONE, source="word", now=studio.now
        )
        assert service.outgoing(session, two, had=had, now=studio.now) is None
        assert service.outgoing(session, two, had=had, now=studio.now) is None
        service.report(session, first, MessageState.FAILED, error_code=63016)
        states = [
            (one.state, one.error_code) for one in queries.messages(session, thread_id, limit=2)
        ]
    assert states == [(MessageState.FAILED, 63016), (MessageState.FAILED, None)]


def left(studio: Studio) -> list[str]:
    """What the relay does with what is due: which bodies go out."""
    with studio.act() as session:
        due = select(Outbox).where(
            Outbox.topic == service.REPLY,
            Outbox.due_at <= studio.now,
            Outbox.state == OutboxState.WAITING,
        )
        gone = []
        for row in session.scalars(due).all():
            found = service.outgoing(session, row.body, had=had, now=studio.now)
            row.state = OutboxState.DONE
            gone += [found.body] if found else []
    return gone


def test_an_offer_that_waits_is_judged_as_any_other_when_it_leaves(studio: Studio) -> None:
    member_id = studio.person("Dana Levi", phone=PHONE, language="en")
    with studio.act() as session:
        people.consent(session, member_id, now=studio.now)
        policy = {"cap": {"most": 1, "days": 7}}
        session.get_one(Org, studio.org_id).messaging_policy = policy
    studio.wait(hours=12)  # it is ten at night
    thread_id = hear(studio)
    offer = approved(Category.MARKETING)
    answer(studio, thread_id, offer)
    assert refused(studio, thread_id, offer)["code"] == "over_cap"
    with studio.act() as session:
        (dana,) = messages.persons(session, [member_id]).values()
        known = messages.known(session, [dana], Channel.SMS, Cap(), studio.now)
        assert len(known[member_id].had) == 1
        session.get_one(Org, studio.org_id).messaging_policy = {"quiet": {"until": "09:00"}}
    studio.wait(hours=10)
    assert left(studio) == []
    studio.wait(hours=1)
    answer(studio, thread_id, offer)
    with studio.act() as session:
        session.get_one(Member, member_id).marketing_consent_at = None
    assert left(studio) == []
    with studio.act() as session:
        states = [one.state for one in queries.messages(session, thread_id, limit=2)]
    assert states == [MessageState.FAILED] * 2


def test_a_colleagues_draft_is_written_over_only_by_who_has_read_it(studio: Studio) -> None:
    thread_id = hear(studio)
    with studio.act() as session:
        service.save_draft(session, studio.coach, thread_id, "One")
        service.save_draft(session, studio.coach, thread_id, "Two")
        seen = queries.draft(session, thread_id)
    assert seen is not None
    assert (seen.body, seen.by) == ("Two", "coach one")
    with studio.act() as session, pytest.raises(StaleVersion):
        service.save_draft(session, studio.admin, thread_id, "Mine")
    with studio.act() as session:
        service.save_draft(session, studio.admin, thread_id, "Three", expected_version=seen.version)
    with studio.act() as session, pytest.raises(StaleVersion):
        service.save_draft(session, studio.coach, thread_id, "X", expected_version=seen.version)
    with studio.act() as session:
        service.save_draft(session, studio.admin, thread_id, "")
        assert queries.draft(session, thread_id) is None
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.save_draft(session, studio.admin, thread_id, "")
    assert failed.value.code == "no_draft"


def test_a_thread_is_closed_and_opened_once_each(studio: Studio) -> None:
    thread_id, undoing = hear(studio), replace(studio.coach, undoing=True)
    with studio.act() as session:
        service.close(session, studio.coach, thread_id, now=studio.now, outcome="Solved")
    assert look(studio, thread_id).outcome == "Solved"
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.close(session, studio.coach, thread_id, now=studio.now)
    assert failed.value.code == "thread_closed_already"
    with studio.act() as session:
        service.reopen(session, studio.coach, thread_id)
        service.close(session, undoing, thread_id, now=studio.now)
    assert look(studio, thread_id).outcome == "Solved"
    hear(studio, "One more thing")
    assert look(studio, thread_id).status is ThreadStatus.OPEN
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.reopen(session, studio.coach, thread_id)
    assert failed.value.code == "thread_not_closed"


def test_threads_come_unread_first_and_messages_in_their_order(studio: Studio) -> None:
    first = hear(studio, "One", ago=3)
    second = hear(studio, "Two", ago=2, handle="+972537654322")
    with studio.act() as session:
        service.mark_read(session, second, read=True)
        service.add_note(session, studio.coach, first, "Call her", now=studio.now)
        assert queries.thread(session, first).last_text == "One"
    hear(studio, "Three", ago=1)

    def ids(**terms: Any) -> list[UUID]:  # noqa: ANN401 - as ThreadFilter
        with studio.act() as session:
            found = queries.threads(session, ThreadFilter(**terms), cut=Cut()).rows
            return [one.id for one in found]

    assert ids() == [first, second]
    assert ids(unread=False) == [second]
    assert ids(channels=(ThreadChannel.SMS,)) == ids(statuses=(ThreadStatus.CLOSED,)) == []
    with studio.act() as session:
        page = queries.messages(session, first, limit=2)
        assert [(one.direction, one.body) for one in page] == [
            (Direction.IN, "Three"),
            (Direction.NOTE, "Call her"),
        ]
        (earlier,) = queries.messages(session, first, limit=2, before=page[0].id)
        assert earlier.body == "One"
        assert queries.message_count(session, first) == 3
        with pytest.raises(NotFound):
            queries.messages(session, second, limit=2, before=page[0].id)
