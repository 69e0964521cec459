"""Cards of the studio's things: the same values under the same names, whichever tool shows them."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from app.bookings.errors import NotBookable
from app.bookings.service import Booked
from app.bookings.views import BookingView, SessionView
from app.schedule.times import Slot
from app.studio.paging import Page
from tools.kit.cards import Fact, Ref, Table, TableRow
from tools.kit.values import Line, Moment, Name, Term, Value

T = TypeVar("T")

SESSION_COLUMNS = (
    "label.class",
    "label.when",
    "label.coach",
    "label.booked",
    "label.capacity",
    "label.waiting",
    "label.status",
)
BOOKING_COLUMNS = (
    "label.member",
    "label.class",
    "label.when",
    "label.status",
    "label.number",
    "label.credits",
)


def facts_of(told: Mapping[str, Value | None]) -> tuple[Fact, ...]:
    """Values by the keys of their labels; what is None isn't told."""
    return tuple(Fact(label=key, value=value) for key, value in told.items() if value is not None)


def moment(slot: Slot) -> Moment:
    return Moment(date=slot.date, start=slot.start, end=slot.end)


def coach_of(view: SessionView | BookingView) -> Name | Term:
    return Name(text=view.coach) if view.coach else Term(key="session.no_coach")


def session_values(view: SessionView) -> dict[str, Value]:
    """The names that every card about a class uses."""
    return {
        "class": Name(text=view.title),
        "when": moment(view.slot),
        "coach": coach_of(view),
        "booked": view.booked,
        "capacity": view.capacity,
        "waiting": view.waiting,
    }


def booking_values(view: BookingView) -> dict[str, Value]:
    """The names that every card about a booking uses."""
    return {
        "member": Name(text=view.member),
        "class": Name(text=view.title),
        "when": moment(view.slot),
        "coach": coach_of(view),
        "status": Term(key=f"booking.{view.status}"),
        "credits": view.credits,
    }


def session_ref(view: SessionView) -> Ref:
    return Ref(entity="class_session", id=view.id, version=view.version)


def booking_ref(view: BookingView) -> Ref:
    return Ref(entity="booking", id=view.id, version=view.version)


def session_row(view: SessionView) -> TableRow:
    values = session_values(view)
    status = Term(key=f"session.{view.status}")
    names = ("class", "when", "coach", "booked", "capacity", "waiting")
    return TableRow(id=str(view.id), cells=(*(values[name] for name in names), status))


def booking_row(view: BookingView) -> TableRow:
    values = booking_values(view)
    cells = (
        values["member"],
        values["class"],
        values["when"],
        values["status"],
        view.position,
        values["credits"],
    )
    return TableRow(id=str(view.id), cells=cells)


def listing(
    title: Line, columns: tuple[str, ...], found: Page[T], row: Callable[[T], TableRow]
) -> Table:
    return Table(
        title=title,
        columns=columns,
        rows=tuple(map(row, found.rows)),
        total=found.total,
        cursor=found.cursor,
    )


def time_notes(slot: Slot) -> tuple[Line, ...]:
    """What is to be said of a time that this night's clocks show twice (rule 47)."""
    if not slot.doubled:
        return ()
    return (Line(key="note.time_occurs_twice", values={"when": moment(slot)}),)


def booked_notes(made: Booked) -> tuple[Line, ...]:
    """A place in the queue, and the rules that were set aside."""
    position = made.booking.position
    queue = () if position is None else (Line(key="note.waitlisted", values={"number": position}),)
    return (*queue, *map(_overruled, made.overruled))


def reason_of(rule: NotBookable) -> Term:
    """Why somebody can't book, as a word of the studio."""
    return Term(key=f"rule.{rule.code}")


def _overruled(rule: NotBookable) -> Line:
    return Line(key="note.overruled", values={"rule": reason_of(rule)})
