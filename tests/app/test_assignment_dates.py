"""Whatever is done to an assignment's dates: order, weekdays and what is over stay as they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from app.core.errors import StudioError
from app.programs.calendar import Spot, weekday
from app.programs.queries import assignments as queries
from app.programs.service import ending, moving
from app.programs.service.ending import DayMark
from app.programs.service.moving import AssignmentChanges
from app.programs.terms import DayStatus, Mark
from app.programs.views import AssignedDay
from tests.programming import assignment, program
from tests.studio import NOW, Studio, open_studio

OVER = {DayStatus.DONE, DayStatus.PARTIAL, DayStatus.SKIPPED, DayStatus.EXCUSED, DayStatus.MISSED}


@dataclass(frozen=True)
class Act:
    """One thing that a coach does, with days counted from the day that it is then."""

    what: str
    days: int


acts = st.lists(
    st.builds(
        Act,
        st.sampled_from(["wait", "mark", "pause", "pause until", "resume", "shift", "weekdays"]),
        st.integers(0, 12),
    ),
    min_size=2,
    max_size=8,
)
chosen_days = st.frozensets(st.integers(0, 6), max_size=4).map(sorted).map(tuple)


@pytest.fixture(scope="module")
def studio(database_url: str) -> Iterator[Studio]:
    opened = open_studio(database_url)
    yield opened
    opened.db.close()


@pytest.fixture(scope="module")
def chosen(studio: Studio) -> UUID:
    return program(studio, weeks=3)


@dataclass
class Case:
    studio: Studio
    assigned: UUID

    @property
    def today(self) -> date:
        return self.studio.day(0)

    def days(self) -> tuple[AssignedDay, ...]:
        with self.studio.act() as session:
            return queries.days(session, self.assigned, today=self.today)

    def weekdays(self) -> tuple[int, ...]:
        with self.studio.act() as session:
            view = queries.assignment_view(session, self.assigned, today=self.today)
        return view.days_of_week

    def do(self, act: Act) -> None:
        """As far as it can be done now; what is refused changes nothing."""
        if act.what == "wait":
            self.studio.wait(days=act.days)
            return
        before = [(one.id, one.due, one.status) for one in self.days()]
        try:
            with self.studio.act() as session:
                self._carry_out(session, act)
        except StudioError:
            assert [(one.id, one.due, one.status) for one in self.days()] == before

    def _carry_out(self, session: Session, act: Act) -> None:
        coach, later = self.studio.coach, self.today + timedelta(days=act.days)
        match act.what:
            case "mark":
                day = self.days()[act.days % 9]
                ending.mark(
                    session,
                    self.assigned,
                    day.id,
                    DayMark(Mark.DONE),
                    now=self.studio.now,
                    today=self.today,
                )
            case "pause":
                moving.pause(session, coach, self.assigned, today=self.today)
            case "pause until":
                moving.pause(session, coach, self.assigned, today=self.today, until=later)
            case "resume":
                moving.resume(session, coach, self.assigned, today=self.today, on=later)
            case "shift":
                self._update(session, AssignmentChanges(shift_days=act.days - 4))
            case _:
                self._update(session, AssignmentChanges(weekdays=(act.days % 7, 3)))

    def _update(self, session: Session, changes: AssignmentChanges) -> None:
        moving.update(session, self.assigned, changes, today=self.today)


@settings(max_examples=10, deadline=None)
@given(acts, chosen_days)
def test_no_act_loses_a_day_turns_the_order_or_moves_what_is_over(
    studio: Studio, chosen: UUID, story: list[Act], weekdays: tuple[int, ...]
) -> None:
    studio.clock.hands[0] = NOW
    start = studio.day(1)
    case = Case(
        studio,
        assignment(studio, studio.person(), chosen, start=start, weekdays=weekdays),
    )
    count = len(case.days())
    for act in story:
        before = {one.id: one for one in case.days()}
        case.do(act)
        after = case.days()

        assert len(after) == count
        for one in after:
            was = before[one.id]
            if act.what != "wait" and was.status in OVER and not was.paused:
                assert one.due == was.due, "what is over stays where it was"
        left = [one for one in after if one.status is DayStatus.UPCOMING and not one.paused]
        in_order = sorted(left, key=lambda one: Spot(one.week_no, one.day_no))
        assert all(one.due < other.due for one, other in pairwise(in_order))
        if allowed := case.weekdays():
            assert all(weekday(one.due) in allowed for one in left)


@settings(max_examples=8, deadline=None)
@given(
    chosen_days,
    st.integers(0, 30),
    st.lists(st.integers(0, 25), min_size=1, max_size=3),
)
def test_a_pause_made_longer_or_shorter_is_as_if_it_had_been_so_from_the_first(
    studio: Studio, chosen: UUID, weekdays: tuple[int, ...], back: int, planned: list[int]
) -> None:
    """Only when one goes on counts: not what was planned meanwhile."""
    studio.clock.hands[0] = NOW
    today, on = studio.day(0), studio.day(back)
    dates = []
    for plans in (planned, []):
        case = Case(
            studio,
            assignment(studio, studio.person(), chosen, start=studio.day(1), weekdays=weekdays),
        )
        with studio.act() as session:
            until = today + timedelta(days=plans[0]) if plans else None
            moving.pause(session, studio.coach, case.assigned, today=today, until=until)
            for days in plans[1:]:
                moving.resume(
                    session,
                    studio.coach,
                    case.assigned,
                    today=today,
                    on=today + timedelta(days=days + 1),
                )
            moving.resume(session, studio.coach, case.assigned, today=today, on=on)
        dates.append([one.due for one in case.days()])
    assert dates[0] == dates[1]
    if back <= 1:
        assert dates[0][0] >= studio.day(1)
