"""Leads: one open lead a phone, a pipeline with a history, and how each of them ends (rule 38)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from app.bookings.models import Booking
from app.core.actor import Role
from app.core.errors import NotFound, StudioError
from app.leads import queries, service
from app.leads.models import Lead
from app.leads.service import Added, FollowUp, LeadChanges, NewActivity, NewLead
from app.leads.terms import OPEN, ActivityKind, LeadSource, LeadStage, LostReason
from app.leads.views import LeadFilter, LeadView
from app.memberships.models import Membership
from app.memberships.terms import PaymentStatus
from app.people.models import Member
from app.people.terms import MemberStatus
from app.people.views import MemberView
from app.studio.paging import Cut
from app.tasks import queries as tasks
from tests.studio import Studio

PHONE = "053-765 4321"


def take(studio: Studio, phone: str = PHONE, name: str = "Noa") -> Added | MemberView:
    with studio.act() as session:
        new = NewLead(name, phone, LeadSource.GOOGLE, last_name="Bar")
        return service.create(session, studio.coach, new, now=studio.now)


def lead(studio: Studio, phone: str = PHONE, name: str = "Noa") -> UUID:
    made = take(studio, phone, name)
    assert isinstance(made, Added)
    return made.lead_id


def look(studio: Studio, lead_id: UUID) -> LeadView:
    with studio.act() as session:
        return queries.lead(session, lead_id)


def move(studio: Studio, lead_id: UUID, stage: LeadStage) -> None:
    with studio.act() as session:
        service.set_stage(session, studio.coach, lead_id, stage, now=studio.now)


def lose(studio: Studio, lead_id: UUID) -> None:
    with studio.act() as session:
        service.mark_lost(session, studio.coach, lead_id, LostReason.PRICE, now=studio.now)


def code_of(studio: Studio, act: str, *given_: object, **more: object) -> str:
    with pytest.raises(StudioError) as failed, studio.act() as session:
        getattr(service, act)(session, studio.admin, *given_, now=studio.now, **more)
    return failed.value.code


def test_a_known_phone_gives_back_who_has_it(studio: Studio) -> None:
    first = take(studio)
    assert first == Added(look(studio, lead(studio)).id, is_new=True)
    for typed in ("0537654321", "972537654321", "+972 53 765 4321"):
        again = take(studio, typed, "Somebody else")
        assert again == Added(first.lead_id, is_new=False)
    member_id = studio.person("Dana Levi", phone="0521234567")
    known = take(studio, "+972521234567")
    assert isinstance(known, MemberView)
    assert known.id == member_id
    with studio.act() as session:
        assert session.scalar(select(func.count()).select_from(Lead)) == 1


def test_two_who_take_in_one_phone_at_once_make_one_lead(studio: Studio) -> None:
    together = Barrier(2)

    def add(name: str) -> Added | MemberView:
        with studio.act() as session:
            new = NewLead(name, PHONE, LeadSource.OTHER)
            together.wait(timeout=10)
            return service.create(session, studio.coach, new, now=studio.now)

    with ThreadPoolExecutor(2) as threads:
        made = list(threads.map(add, ("Noa", "Noah")))
    assert all(isinstance(one, Added) for one in made)
    assert len({one.lead_id for one in made if isinstance(one, Added)}) == 1
    assert sorted(one.is_new for one in made if isinstance(one, Added)) == [False, True]


def test_a_phone_of_another_open_lead_is_not_taken_over(studio: Studio) -> None:
    noa, tom = lead(studio), lead(studio, "0531111111", "Tom")
    taken = LeadChanges(phone=PHONE)
    with pytest.raises(StudioError) as failed, studio.act() as session:
        service.change(session, studio.coach, tom, taken)
    assert failed.value.values == {"name": "Noa Bar"}
    lose(studio, noa)
    with studio.act() as session:
        service.change(
            session, studio.coach, tom, LeadChanges(phone=PHONE, notes="", email="A@b.c")
        )
    assert (look(studio, tom).email, look(studio, tom).phone) == ("a@b.c", "+972537654321")
    assert code_of(studio, "set_stage", noa, LeadStage.NEW) == "lead_phone_taken"


def test_stages_are_history_and_a_lost_lead_can_come_back(studio: Studio) -> None:
    noa = lead(studio)
    move(studio, noa, LeadStage.CONTACTED)
    assert code_of(studio, "set_stage", noa, LeadStage.CONTACTED) == "same_stage"
    lose(studio, noa)
    assert look(studio, noa).lost_reason is LostReason.PRICE
    assert code_of(studio, "mark_lost", noa, LostReason.SPAM) == "lead_closed"
    follow_up = FollowUp(studio.now + timedelta(days=1), "Call")
    assert code_of(studio, "schedule_follow_up", noa, follow_up) == "lead_closed"
    move(studio, noa, LeadStage.OFFER)
    found = look(studio, noa)
    assert (found.stage, found.lost_at, found.lost_reason) == (LeadStage.OFFER, None, None)
    with studio.act() as session:
        steps = queries.activities(session, noa, cut=Cut()).rows
    assert [one.stage for one in steps] == [LeadStage.OFFER, LeadStage.LOST, LeadStage.CONTACTED]
    assert {one.by for one in steps} == {"coach one"}


def test_a_follow_up_is_a_task_of_whoever_looks_after_the_lead(studio: Studio) -> None:
    noa, at = lead(studio), studio.now + timedelta(days=1)
    with studio.act() as session:
        service.change(session, studio.coach, noa, LeadChanges(owner_id=studio.staff[Role.ADMIN]))
        wish = FollowUp(at, "Call Noa", "About the trial")
        service.schedule_follow_up(session, studio.coach, noa, wish, now=studio.now)
        (made,) = tasks.open_about_lead(session, noa)
    assert (made.assignee, made.due_at, made.notes) == ("admin one", at, "About the trial")
    assert look(studio, noa).next_follow_up_at == at
    past = FollowUp(studio.now, "Call")
    assert code_of(studio, "schedule_follow_up", noa, past) == "follow_up_in_past"
    ahead = NewActivity(ActivityKind.CALL, at=at)
    assert code_of(studio, "log_activity", noa, ahead) == "activity_in_future"


def test_who_joins_becomes_a_member_with_a_plan_and_nothing_else(studio: Studio) -> None:
    noa, plan = lead(studio), studio.plan(10)
    move(studio, noa, LeadStage.CONTACTED)
    early = studio.day(-100)
    assert code_of(studio, "convert", noa, plan_id=plan, start=early) == "start_too_far"
    with studio.act() as session:
        made = service.convert(session, studio.admin, noa, now=studio.now, plan_id=plan)
        member = session.get_one(Member, made.member_id)
        sold = session.get_one(Membership, made.membership_id)
        assert (member.name, member.phone) == ("Noa Bar", "+972537654321")
        assert (sold.plan_id, sold.payment_status) == (plan, PaymentStatus.DUE)
        assert session.scalar(select(func.count()).select_from(Booking)) == 0
        history = queries.activities(session, noa, cut=Cut()).rows
    assert [one.stage for one in history] == [LeadStage.WON, LeadStage.CONTACTED]
    assert look(studio, noa).converted_member_id == made.member_id
    assert code_of(studio, "convert", noa) == "lead_closed"
    assert code_of(studio, "set_stage", noa, LeadStage.NEW) == "lead_closed"


def test_who_came_to_a_trial_is_not_made_twice(studio: Studio) -> None:
    noa, session_id = lead(studio), studio.session()
    prospect = studio.member("Noa Bar", credits_=1)
    booking = studio.booking(prospect, session_id)
    with studio.act() as session:
        session.get_one(Member, prospect).status = MemberStatus.PROSPECT
        service.set_stage(
            session,
            studio.coach,
            noa,
            LeadStage.TRIAL_BOOKED,
            now=studio.now,
            trial_booking_id=booking,
        )
        made = service.convert(session, studio.admin, noa, now=studio.now)
        assert (made.member_id, made.is_new) == (prospect, False)
        assert session.get_one(Member, prospect).status is MemberStatus.ACTIVE


def test_a_deleted_lead_takes_its_history_and_leaves_its_tasks(studio: Studio) -> None:
    noa = lead(studio)
    with studio.act() as session:
        service.log_activity(
            session, studio.coach, noa, NewActivity(ActivityKind.CALL), now=studio.now
        )
        wish = FollowUp(studio.now + timedelta(days=1), "Call Noa")
        task_id = service.schedule_follow_up(session, studio.coach, noa, wish, now=studio.now)
        service.delete(session, noa)
        assert tasks.task(session, task_id).lead_id is None
        with pytest.raises(NotFound):
            queries.lead(session, noa)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(stages=st.lists(st.sampled_from([*OPEN, LeadStage.LOST]), max_size=8))
def test_the_pipeline_counts_each_open_lead_once(studio: Studio, stages: list[LeadStage]) -> None:
    with studio.act() as session:
        for row in session.scalars(select(Lead)):
            service.delete(session, row.id)
    for number, stage in enumerate(stages):
        made = lead(studio, f"05400000{number:02}")
        if stage is LeadStage.LOST:
            lose(studio, made)
        elif stage is not LeadStage.NEW:
            move(studio, made, stage)
    with studio.act() as session:
        found = queries.pipeline(session, LeadFilter())
    assert [(one.stage, one.count) for one in found] == [
        (stage, stages.count(stage)) for stage in OPEN
    ]
    assert all(len(one.oldest) == min(one.count, queries.SHOWN) for one in found)


def test_leads_are_found_by_name_phone_and_age(studio: Studio) -> None:
    noa, tom = lead(studio), lead(studio, "0531111111", "Tom")
    lose(studio, tom)

    def names(**terms: object) -> list[str]:
        with studio.act() as session:
            wanted = LeadFilter(**terms)  # type: ignore[arg-type] # as LeadFilter
            return [one.name for one in queries.leads(session, wanted, cut=Cut()).rows]

    assert names() == ["Noa Bar"]
    assert (
        names(q="oa b") == names(q="765-43") == names(sources=(LeadSource.GOOGLE,)) == ["Noa Bar"]
    )
    assert names(stages=(LeadStage.LOST,)) == ["Tom Bar"]
    assert names(created_since=studio.now + timedelta(seconds=1)) == []
    assert names(owner_id=noa) == []
