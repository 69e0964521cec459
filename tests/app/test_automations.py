"""Automations: off until somebody says so, never reaching back, and once for each occasion."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.automations import queries, service
from app.automations.errors import (
    AlreadyOff,
    AlreadyOn,
    AutomationTaken,
    NotInTier,
    OnlyLeads,
    TooManyAutomations,
)
from app.automations.models import Automation, AutomationRun
from app.automations.service.seeding import keep
from app.automations.shapes import Shape
from app.automations.terms import RunStatus
from app.automations.views import Match
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.core.errors import NotFound
from app.core.ids import new_id
from app.core.outbox import Outbox
from app.forms import service as forms
from app.forms.fields import Field
from app.forms.models import FormInstance
from app.forms.service import FormRequest, NewForm
from app.forms.terms import FieldType, FormKind
from app.memberships import service as memberships
from app.messages import service as sending
from app.messages.errors import AudienceChanged, MissingValues
from app.messages.models import Message
from app.people import queries as known
from app.people import service as people
from app.people.models import Member
from app.people.terms import Channel
from app.studio import service as studio_service
from app.studio.paging import Cut
from app.studio.terms import Tier
from app.tasks.models import Task
from tests.reachable import reachable, told_alone
from tests.studio import Studio, open_studio

BIRTHDAY = {"kind": "birthday"}
ABSENT: dict[str, Any] = {"kind": "absent_n_days", "count": 10}
ENDS: dict[str, Any] = {"kind": "membership_expiring", "count": 1}
UNSIGNED = {"kind": "form_missing"}
SMS = {"kind": "send_message", "channel": "sms", "body": {"en": "Hi {name}"}}
TASK = {"kind": "create_task", "title": "Call {name}"}
TAG = {"kind": "add_tag", "tag": "quiet"}


@pytest.fixture
def gym(database_url: str) -> Any:  # noqa: ANN401 - a generator of a Studio
    opened = open_studio(database_url, tier=Tier.ELITE)
    yield opened
    opened.db.close()


def shape(trigger: dict[str, Any], *actions: dict[str, Any], **more: Any) -> Shape:  # noqa: ANN401 - as Shape
    return Shape.model_validate({"trigger": trigger, "actions": actions or (SMS,), **more})


def made(gym: Studio, one: Shape, name: str = "one") -> UUID:
    with gym.act() as session:
        return service.create(session, gym.owner, name, one).id


def switched_on(gym: Studio, one: Shape, name: str = "one") -> UUID:
    automation_id = made(gym, one, name)
    with gym.act() as session:
        service.enable(session, gym.owner, automation_id, now=gym.now)
    return automation_id


def looked(gym: Studio, automation_id: UUID) -> int:
    """What the pulse does: look, then do what is due."""
    with gym.act() as session:
        found = service.look(session, automation_id, now=gym.now)
    with gym.act() as session:
        due = select(Outbox).where(Outbox.topic == service.RUN, Outbox.due_at <= gym.now)
        for row in session.scalars(due).all():
            service.run(session, UUID(row.body["run_id"]), now=gym.now)
    return found


def runs(gym: Studio) -> list[tuple[RunStatus, str | None]]:
    with gym.act() as session:
        rows = session.scalars(select(AutomationRun).order_by(AutomationRun.id))
        return [(row.status, row.reason) for row in rows]


def written(gym: Studio) -> list[str]:
    with gym.act() as session:
        return sorted(session.scalars(select(Message.body)))


def birthday_child(gym: Studio, name: str = "Dana Levi", *, year: int = 1990) -> UUID:
    return reachable(gym, name, birth_date=gym.day(0).replace(year=year))


def test_it_is_made_switched_off_and_does_nothing_until_switched_on(gym: Studio) -> None:
    automation_id = made(gym, shape(BIRTHDAY))
    birthday_child(gym)
    assert looked(gym, automation_id) == 0
    with gym.act() as session:
        assert queries.due(session, gym.now) == []
        assert not queries.automation(session, gym.org_id, automation_id).enabled
        with pytest.raises(AlreadyOff):
            service.disable(session, gym.owner, automation_id)


def test_switching_on_never_reaches_back(gym: Studio) -> None:
    birthday_child(gym)
    automation_id = switched_on(gym, shape(BIRTHDAY))
    assert looked(gym, automation_id) == 0
    assert written(gym) == []
    birthday_child(gym, "Noa Bar")
    assert looked(gym, automation_id) == 1
    assert looked(gym, automation_id) == 0
    assert written(gym) == ["Hi Noa"]
    with gym.act() as session, pytest.raises(AlreadyOn):
        service.enable(session, gym.owner, automation_id, now=gym.now)
    gym.wait(days=366)
    with gym.act() as session:
        rows = session.scalars(select(AutomationRun)).all()
    assert {row.status for row in rows} == {RunStatus.SEEN, RunStatus.DONE}


def test_a_gym_of_thousands_is_seen_in_one_go_and_each_occasion_once(gym: Studio) -> None:
    automation_id = made(gym, shape({"kind": "lead_created"}, TASK))
    many = [Match(new_id(), "created", is_lead=True) for _ in range(5_000)]
    with gym.act() as session:
        row = session.get_one(Automation, automation_id)
        for some, expected in ((many, 5_000), (many[:9], 0)):
            seen = keep(session, row, some, RunStatus.SEEN, now=gym.now, at=gym.now)
            assert len(set(seen)) == expected
        addresses = [str(number) for number in range(70_000)]
        assert known.opted_out(session, Channel.SMS, addresses) == frozenset()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(["person", "look", "off", "on", "hour"]), max_size=9))
def test_whatever_the_order_nobody_is_reached_twice_nor_for_what_was_before(
    database_url: str, steps: list[str]
) -> None:
    gym = open_studio(database_url, tier=Tier.ELITE)
    automation_id = made(gym, shape(BIRTHDAY))
    on, waiting, expected = False, 0, 0
    for number, step in enumerate(steps):
        match step:
            case "person":
                birthday_child(gym, f"Child{number} Katz")
                waiting += 1
            case "look":
                looked(gym, automation_id)
                expected, waiting = expected + (waiting if on else 0), 0 if on else waiting
            case "on" if not on:
                with gym.act() as session:
                    service.enable(session, gym.owner, automation_id, now=gym.now)
                on, waiting = True, 0
            case "off" if on:
                with gym.act() as session:
                    service.disable(session, gym.owner, automation_id)
                on = False
            case _:
                gym.wait(minutes=5)
    assert len(written(gym)) == expected
    assert len(set(written(gym))) == expected
    gym.db.close()


def test_what_is_delayed_waits_and_is_left_alone_once_it_is_no_longer_so(gym: Studio) -> None:
    conditions = [{"kind": "without_tags", "any": ["vip"]}]
    automation_id = switched_on(gym, shape(BIRTHDAY, conditions=conditions, delay_min=60))
    birthday_child(gym)
    noa = birthday_child(gym, "Noa Bar")
    looked(gym, automation_id)
    assert written(gym) == []
    with gym.act() as session:
        changes = people.MemberChanges(tags_add=("vip",))
        people.update_member(session, gym.owner, noa, changes, today=gym.day(0))
    gym.wait(hours=1)
    looked(gym, automation_id)
    assert written(gym) == ["Hi Dana"]
    assert sorted(runs(gym)) == [
        (RunStatus.DONE, None),
        (RunStatus.SKIPPED, "no_longer_so"),
    ]


def came(gym: Studio, member_id: UUID) -> None:
    """Tomorrow, to a class, on a new card."""
    gym.sell(member_id, gym.plan(5), until=300)
    booking_id = gym.booking(member_id, gym.session())
    gym.wait(days=2)
    with gym.act() as session:
        session.get_one(Booking, booking_id).status = BookingStatus.ATTENDED


def test_who_came_back_renewed_or_signed_meanwhile_is_left_alone(gym: Studio) -> None:
    ids = [
        switched_on(gym, shape(one, TASK, delay_min=2 * 1440), one["kind"])
        for one in (ABSENT, ENDS, UNSIGNED)
    ]
    back, away = (told_alone(gym, name, joined_on=gym.day(-60)) for name in ("Dana", "Noa"))
    plan = gym.plan()
    for member_id in (back, away):
        gym.sell(member_id, plan, until=1)
    for automation_id in ids:
        with gym.act() as session:
            assert service.look(session, automation_id, now=gym.now) == 2
    came(gym, back)
    with gym.act() as session:
        session.get_one(Member, back).health_form_until = gym.day(300)
        memberships.roll_over(session, gym.org_id, now=gym.now)
    looked(gym, ids[0])
    with gym.act() as session:
        done = select(AutomationRun.status, AutomationRun.reason, AutomationRun.member_id)
        found = session.execute(done.where(AutomationRun.finished_at.is_not(None))).all()
    assert sorted(found) == sorted(
        [(RunStatus.SKIPPED, "no_longer_so", back), (RunStatus.DONE, None, away)] * 3
    )


def test_a_message_that_waits_for_the_morning_stays_with_who_came_back(gym: Studio) -> None:
    automation_id = switched_on(gym, shape(UNSIGNED, SMS))
    dana = reachable(gym)
    reachable(gym, "Noa Bar")
    gym.wait(hours=12)  # it is ten at night
    looked(gym, automation_id)
    with gym.act() as session:
        session.get_one(Member, dana).health_form_until = gym.day(300)
    gym.wait(hours=10)
    with gym.act() as session:
        for row in session.scalars(select(Message)).all():
            sending.outgoing(session, row.id, stands=service.stands, now=gym.now)
        reasons = {row.member_id == dana: row.reason for row in session.scalars(select(Message))}
    assert reasons == {True: "no_longer_so", False: None}


def test_what_waits_is_dropped_when_it_is_switched_off_or_deleted(gym: Studio) -> None:
    automation_id = switched_on(gym, shape(BIRTHDAY, delay_min=60))
    birthday_child(gym)
    looked(gym, automation_id)
    with gym.act() as session:
        service.delete(session, gym.owner, automation_id)
    gym.wait(hours=1)
    looked(gym, automation_id)
    assert runs(gym) == [(RunStatus.SKIPPED, "switched_off")]
    with gym.act() as session:
        found = queries.runs(session, automation_id, cut=Cut())
    assert [one.person for one in found.rows] == ["Dana Levi"]


def test_who_may_not_be_written_to_is_skipped_and_the_rest_is_done(gym: Studio) -> None:
    automation_id = switched_on(gym, shape(BIRTHDAY, SMS, TASK))
    told_alone(gym, birth_date=gym.day(0).replace(year=1990))
    looked(gym, automation_id)
    assert runs(gym) == [(RunStatus.DONE, "no_consent")]
    with gym.act() as session:
        (task,) = session.scalars(select(Task)).all()
    assert (task.title, task.source.value) == ("Call Dana", "automation")
    only_sms = switched_on(gym, shape(ABSENT), "two")
    joined = gym.day(-10)
    told_alone(gym, "Max Klein", joined_on=joined)
    looked(gym, only_sms)
    assert runs(gym)[-1] == (RunStatus.SKIPPED, "no_consent")


def test_its_own_cap_and_its_own_quiet_hours_hold(gym: Studio) -> None:
    trigger = {"kind": "schedule", "weekdays": [0, 1, 2, 3, 4, 5, 6], "at": "10:00"}
    limits = {"cap_days": 3, "quiet_from": "10:00", "quiet_to": "12:00"}
    automation_id = made(gym, shape(trigger, TAG, **limits))
    reachable(gym)
    gym.clock.hands[0] -= timedelta(hours=1)
    with gym.act() as session:
        service.enable(session, gym.owner, automation_id, now=gym.now)
    gym.wait(hours=1)
    assert looked(gym, automation_id) == 1
    assert runs(gym) == [(RunStatus.QUEUED, None)]
    gym.wait(hours=2)
    looked(gym, automation_id)
    assert runs(gym) == [(RunStatus.DONE, None)]
    gym.wait(days=1)
    looked(gym, automation_id)
    assert runs(gym)[-1] == (RunStatus.CAPPED, "automation_cap")


def test_a_tier_bounds_what_can_be_made_and_a_lower_one_switches_off(gym: Studio) -> None:
    tagging = switched_on(gym, shape(BIRTHDAY, TAG), "tag")
    for number in range(11):
        switched_on(gym, shape(BIRTHDAY), f"text {number}")
    with gym.act() as session:
        studio_service.set_tier(session, gym.org_id, Tier.PRO)
        assert service.tier_changed(session, gym.org_id) == 2
        found = queries.automations(session, gym.org_id)
        assert len(found) == 12
        assert sum(one.enabled for one in found) == 10
        off = next(one for one in found if one.id == tagging)
        assert (off.enabled, off.in_tier, off.off_reason) == (False, False, "tier")
        with pytest.raises(NotInTier):
            service.enable(session, gym.owner, tagging, now=gym.now)
        with pytest.raises(NotInTier):
            service.create(session, gym.owner, "more", shape(BIRTHDAY, TAG))
        with pytest.raises(TooManyAutomations):
            service.create(session, gym.owner, "more", shape(BIRTHDAY))
        studio_service.set_tier(session, gym.org_id, Tier.LITE)
        assert service.tier_changed(session, gym.org_id) == 10
        with pytest.raises(NotInTier):
            service.create(session, gym.owner, "more", shape(BIRTHDAY))


def test_it_is_run_at_once_for_just_those_who_were_previewed(gym: Studio) -> None:
    dana = birthday_child(gym)
    told_alone(gym, "Max Klein", birth_date=gym.day(0).replace(year=1980))
    automation_id = switched_on(gym, shape(BIRTHDAY))
    with gym.act() as session:
        found = queries.reach(session, gym.org_id, automation_id, gym.now)
        assert [person.id for person, _ in found.people] == [dana]
        assert [one.reason.code for one in found.refused] == ["no_consent"]
        mark = found.audience_hash
    birthday_child(gym, "Noa Bar")
    with gym.act() as session, pytest.raises(AudienceChanged):
        service.plan_now(session, gym.owner, automation_id, mark, now=gym.now)
    with gym.act() as session:
        found = queries.reach(session, gym.org_id, automation_id, gym.now)
        for _ in range(2):
            for _, match in found.people:
                service.run_for(session, gym.owner, automation_id, match, now=gym.now)
        assert queries.reach(session, gym.org_id, automation_id, gym.now).people == ()
    looked(gym, automation_id)
    assert written(gym) == ["Hi Dana", "Hi Noa"]


def test_a_form_is_sent_and_whoever_has_it_already_is_skipped(gym: Studio) -> None:
    with gym.act() as session:
        field = Field(label="A heart condition?", type=FieldType.YES_NO)
        health = NewForm("Health", FormKind.HEALTH_DECLARATION, (field,))
        form = forms.create(session, gym.owner, health, now=gym.now).id
    sends = {"kind": "assign_form", "form_template_id": form, "channel": "sms"}
    automation_id = switched_on(gym, shape(BIRTHDAY, sends))
    dana, noa = birthday_child(gym), birthday_child(gym, "Noa Bar")
    with gym.act() as session:
        forms.send(session, gym.owner, FormRequest(form, Channel.SMS), noa, now=gym.now)
    looked(gym, automation_id)
    assert sorted(runs(gym)) == [
        (RunStatus.DONE, None),
        (RunStatus.SKIPPED, "form_waiting"),
    ]
    with gym.act() as session:
        sent = set(session.scalars(select(FormInstance.member_id)))
    assert sent == {dana, noa}


@pytest.mark.parametrize(
    ("one", "error"),
    [
        (shape(BIRTHDAY, {**SMS, "body": {"en": "{class}"}}), MissingValues),
        (shape(BIRTHDAY, {"kind": "set_stage", "stage": "offer"}), OnlyLeads),
        (shape({"kind": "lead_created"}, TAG), OnlyLeads),
        (shape(BIRTHDAY, conditions=[{"kind": "lead_sources", "any": ["google"]}]), OnlyLeads),
        (shape(BIRTHDAY, conditions=[{"kind": "plans", "any": [str(UUID(int=7))]}]), NotFound),
    ],
)
def test_what_does_not_fit_together_is_refused(
    gym: Studio, one: Shape, error: type[Exception]
) -> None:
    with gym.act() as session, pytest.raises(error):
        service.create(session, gym.owner, "bad", one)


def test_a_name_is_used_once_and_a_change_of_trigger_reaches_nobody_back(gym: Studio) -> None:
    automation_id = switched_on(gym, shape(ABSENT))
    birthday_child(gym)
    with gym.act() as session:
        with pytest.raises(AutomationTaken):
            service.create(session, gym.owner, "one", shape(ABSENT))
        service.update(session, gym.owner, automation_id, shape(BIRTHDAY), now=gym.now)
    assert looked(gym, automation_id) == 0
    assert written(gym) == []
