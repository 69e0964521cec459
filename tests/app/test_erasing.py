"""Erasing a person: what refuses it, what goes, and what stays on the books without a name."""

from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import text

from app.analytics.periods import MonthOf
from app.analytics.queries import money
from app.bookings import queries as bookings
from app.bookings.views import BookingFilter
from app.core.errors import StudioError
from app.core.outbox import Outbox
from app.desk import erasing
from app.desk.errors import OpenBalance
from app.desk.queries import mentions, owed
from app.forms.models import FormInstance
from app.forms.terms import FormStatus
from app.memberships import queries as memberships
from app.memberships import service as selling
from app.memberships.models import Membership
from app.memberships.terms import MembershipStatus, PaymentStatus, PeriodUnit
from app.people import queries, service
from app.people.errors import LastOwner, MemberErased
from app.people.models import Member
from app.people.service import NewNote
from app.people.terms import LegalBasis, MemberStatus, NoteKind
from app.studio.paging import Cut
from app.tasks.models import Task
from app.tasks.terms import TaskStatus
from tests.app.test_races import race
from tests.requests.forms import template, waiting
from tests.studio import Studio


def erase(studio: Studio, member_id: UUID, *, though_owing: bool = False) -> erasing.Erased:
    with studio.act() as session:
        return erasing.erase(
            session,
            studio.owner,
            member_id,
            LegalBasis.REQUEST,
            now=studio.now,
            though_owing=though_owing,
        )


def dana(studio: Studio) -> UUID:
    member_id = studio.person("Dana Levi", phone="0501234567", email="dana@example.com")
    studio.sell(member_id, studio.plan(10))
    return member_id


def test_a_pseudonym_stays_with_every_row_of_the_ledger(studio: Studio) -> None:
    member_id = dana(studio)
    past, ahead = studio.session("11:00", day=0), studio.session(day=2)
    studio.booking(member_id, past)
    studio.wait(hours=3)
    studio.booking(member_id, ahead)
    with studio.act() as session:
        service.add_note(session, studio.coach, member_id, NewNote("knee", NoteKind.INJURY))
        session.add(Task(org_id=studio.org_id, title="Call Dana", member_id=member_id, notes="x"))

    done = erase(studio, member_id)

    assert (len(done.cleared.bookings), done.cleared.credits) == (1, 1)
    assert done.member.name.startswith("#")
    with studio.act() as session:
        assert queries.member(session, member_id).status is MemberStatus.ERASED
        assert queries.find_members(session, "Dana", cut=Cut()).total == 0
        assert queries.notes(session, studio.owner, member_id, cut=Cut()).total == 0
        ledger = memberships.ledger(session, member_id, cut=Cut())
        assert sorted(one.delta for one in ledger.rows) == [-1, -1, 1, 10]
        kept = bookings.bookings(session, BookingFilter(member_id=member_id), "en", cut=Cut())
        assert {one.member for one in kept.rows} == {done.member.name}
        (task,) = session.query(Task).all()
        assert (task.status, task.notes) == (TaskStatus.CANCELLED, None)


def test_nothing_is_billed_and_nothing_stays_open(studio: Studio) -> None:
    """Neither money of a month to come, nor a form that still could be signed."""
    member_id = studio.person("Dana Levi", phone="0501234567")
    monthly = studio.sell(member_id, studio.plan(period_unit=PeriodUnit.MONTH))
    form = waiting(studio, (template(studio), member_id))
    month = MonthOf(studio.day(0).year, studio.day(0).month)

    def members() -> int:
        with studio.act() as session:
            return money.mrr(session, month, today=studio.day(0)).members

    assert members() == 1
    erase(studio, member_id)

    assert members() == 0
    with studio.act() as session:
        row = session.get_one(Membership, monthly)
        assert (row.status, row.next_billing_date) == (MembershipStatus.CANCELLED, None)
        assert row.cancel_effective_on == studio.day(0)
        assert session.get_one(FormInstance, form).status is FormStatus.CANCELLED


def test_nobody_is_told_and_the_bot_is(studio: Studio) -> None:
    member_id = dana(studio)
    studio.booking(member_id, studio.session())
    erase(studio, member_id)
    with studio.act() as session:
        topics = [row.topic for row in session.query(Outbox).order_by(Outbox.id)]
        told = session.query(Outbox).filter_by(topic="member_erased").one()
    assert topics == ["member_notice", "member_erased"], "they were told of the booking alone"
    assert told.body["words"] == ["501234567", "Dana Levi", "dana@example.com"]
    assert told.due_at == studio.now + timedelta()


def test_what_others_texts_say_of_them_is_counted(studio: Studio) -> None:
    member_id, other = dana(studio), studio.person("Noa Cohen")
    with studio.act() as session:
        for title, notes in (("Call dana levi", None), ("x", "dana@example.com"), ("Dana", "Levi")):
            session.add(Task(org_id=studio.org_id, title=title, notes=notes))
        session.add(Task(org_id=studio.org_id, title="Dana Levi", member_id=member_id))
        service.add_note(
            session, studio.coach, other, NewNote("sister of Dana Levi", NoteKind.INJURY)
        )
        service.add_note(session, studio.coach, member_id, NewNote("Dana Levi", NoteKind.INJURY))
        session.get_one(Member, other).emergency_contact = "her sister, 050-123 4567"
        assert mentions(session, member_id) == 4
        assert mentions(session, other) == 0


def test_who_owes_is_kept_unless_that_is_set_aside(studio: Studio) -> None:
    member_id = dana(studio)
    with studio.act() as session:
        start = studio.day(-9)
        selling.sell(
            session,
            studio.owner,
            member_id,
            studio.plan(),
            start=start,
            payment=PaymentStatus.OVERDUE,
        )
        owing = owed(session, session.get_one(Member, member_id), studio.day(0))
    assert owing is not None
    assert owing.minor == 38_000
    with pytest.raises(OpenBalance) as refused:
        erase(studio, member_id)
    assert refused.value.values["owed"] == owing
    assert erase(studio, member_id, though_owing=True).member.status is MemberStatus.ERASED


def test_the_last_owner_is_not_erased(studio: Studio) -> None:
    member_id = dana(studio)
    with studio.act() as session:
        session.get_one(Member, member_id).user_id = studio.owner.user_id
    with pytest.raises(LastOwner):
        erase(studio, member_id)


def test_once_is_enough_for_all_who_ask_at_once(studio: Studio) -> None:
    member_id = dana(studio)
    studio.booking(member_id, studio.session())
    came = race(*[partial(erase, studio, member_id)] * 4)
    refused = [one for one in came if isinstance(one, StudioError)]
    assert [type(one) for one in refused] == [MemberErased] * 3


def test_the_app_itself_still_cannot_change_what_only_grows(studio: Studio) -> None:
    dana(studio)
    for statement in ("UPDATE credit_ledger SET note = 'x'", "UPDATE turn_event SET body = '{}'"):
        with studio.act() as session, pytest.raises(Exception, match="permission denied"):
            session.execute(text(statement))
