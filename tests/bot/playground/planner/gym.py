"""A small gym in memory behind the runner's port: the tools that the planner plans with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from bot.playground.planner.names import grade
from tools.kit.calls import Call, Decision, Outcome, Question, digest
from tools.kit.cards import (
    AnyCard,
    Confirm,
    Done,
    Failed,
    Option,
    Pick,
    Picked,
    Table,
    TableRow,
)
from tools.kit.values import Line, Moment, Name, Value

TODAY = date(2026, 11, 30)
TOMORROW = TODAY + timedelta(days=1)


def uid(number: int) -> UUID:
    return UUID(int=number)


@dataclass
class Session:
    id: UUID
    name: str
    day: date
    start: time
    coach: str
    capacity: int = 12
    members: list[UUID] = field(default_factory=list)
    cancelled: bool = False

    @property
    def moment(self) -> Moment:
        end = (datetime.combine(self.day, self.start) + timedelta(hours=1)).time()
        return Moment(date=self.day, start=self.start, end=end)


@dataclass
class Gym:
    types: tuple[str, ...]
    staff: tuple[str, ...]
    members: tuple[str, ...]
    sessions: list[Session]
    calls: list[Call] = field(default_factory=list)
    waitlist: bool = False
    """Whether a full class puts people on its list."""

    def question(self, call: Call) -> Question | None:
        match call.name:
            case "read__ask_user_to_pick":
                options = tuple(
                    Option(id=each["id"], label=Name(text=each["label"]))
                    for each in call.input["options"]
                )
                card: Pick | Confirm = Pick(ask=Line(key="pick"), options=options)
            case "class_sessions__cancel" | "class_sessions__reschedule":
                card = Confirm(of=call.name.replace("__", "."))
            case "bookings__cancel_for_member":
                card = Confirm(of="bookings.cancel_for_member")
            case _:
                return None
        return Question(card=card, target=digest(call.input))

    def reads(self, call: Call) -> bool:
        return call.name in _READS

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        self.calls.append(call)
        if call.name == "read__ask_user_to_pick":
            return self._picked(call, decision)
        card = _ACTS[call.name](self, call.input)
        return Outcome(card=card, ok=not isinstance(card, Failed))

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [self.run(call) for call in calls]

    def session(self, number: int) -> Session:
        return self.sessions[number - 1]

    def find(self, id_: str) -> Session:
        return next(each for each in self.sessions if str(each.id) == id_)

    @staticmethod
    def _picked(call: Call, decision: Decision | None) -> Outcome:
        chosen = decision.option if decision else None
        option = next((each for each in call.input["options"] if each["id"] == chosen), None)
        told = option and Option(id=option["id"], label=Name(text=option["label"]))
        return Outcome(card=Picked(option=told or None))


def table(columns: Sequence[str], rows: Sequence[tuple[UUID, Sequence[Value]]]) -> Table:
    return Table(
        title=Line(key="table"),
        columns=tuple(f"label.{each}" for each in columns),
        rows=tuple(TableRow(id=str(id_), cells=tuple(cells)) for id_, cells in rows),
        total=len(rows),
    )


def _sessions(gym: Gym, args: dict[str, Any]) -> AnyCard:
    fits = [s for s in gym.sessions if args["from"] <= str(s.day) <= args["to"]]
    rows = [
        (
            s.id,
            (
                Name(text=s.name),
                s.moment,
                Name(text=s.coach),
                len(s.members),
                s.capacity,
                _status(s),
            ),
        )
        for s in fits
    ]
    return table(("class", "when", "coach", "booked", "capacity", "status"), rows)


def _status(session: Session) -> Value:
    return Name(text="cancelled" if session.cancelled else "scheduled")


def _roster(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session = gym.find(args["class_session_id"])
    return table(("member",), [(id_, (_member(gym, id_),)) for id_ in session.members])


def _member(gym: Gym, id_: UUID) -> Name:
    return Name(text=gym.members[id_.int - 100])


def _find(gym: Gym, args: dict[str, Any]) -> AnyCard:
    """As the real search: what only begins alike is found too, and marked."""
    asked = args["q"].lower()
    rows: list[tuple[UUID, Sequence[Value]]] = []
    for n, name in enumerate(gym.members):
        fits = bool(grade(asked, name))
        if fits or name.lower()[:3] == asked[:3]:
            match = Name(text="exact" if fits else "close")
            rows.append((uid(100 + n), (Name(text=name), match)))
    return table(("member", "match"), rows)


def _bookings(gym: Gym, args: dict[str, Any]) -> AnyCard:
    mine = [
        s
        for s in gym.sessions
        if UUID(args["member_id"]) in s.members and args["from"] <= str(s.day) <= args["to"]
    ]
    rows = [
        (uid(s.id.int * 1000 + UUID(args["member_id"]).int), (Name(text=s.name), s.moment))
        for s in mine
    ]
    return table(("class", "when"), rows)


def _booked(gym: Gym, booking_id: str) -> tuple[Session, UUID]:
    number = UUID(booking_id).int
    return gym.find(str(uid(number // 1000))), uid(number % 1000)


def _create(gym: Gym, args: dict[str, Any]) -> AnyCard:
    name = gym.types[UUID(args["class_type_id"]).int - 200]
    start = time.fromisoformat(args["start_time"])
    made = Session(
        uid(len(gym.sessions) + 1), name, date.fromisoformat(args["date"]), start, gym.staff[0]
    )
    gym.sessions.append(made)
    return _done("class_sessions.create", made)


def _cancel(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session = gym.find(args["class_session_id"])
    session.cancelled = True
    return _done("class_sessions.cancel", session)


def _reschedule(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session = gym.find(args["class_session_id"])
    session.day = date.fromisoformat(args["date"])
    session.start = time.fromisoformat(args["start_time"])
    return _done("class_sessions.reschedule", session)


def _update(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session = gym.find(args["class_session_id"])
    session.capacity = args.get("capacity", session.capacity)
    if "coach_id" in args:
        session.coach = gym.staff[UUID(args["coach_id"]).int - 300]
    return _done("class_sessions.update", session)


def _book(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session, member = gym.find(args["class_session_id"]), UUID(args["member_id"])
    if member in session.members:
        return Failed(code="already_booked")
    if len(session.members) >= session.capacity:
        if not gym.waitlist:
            return Failed(code="class_full")
        status = Name(text="waitlisted")
        return _done("bookings.book_member", session, member=_member(gym, member), status=status)
    session.members.append(member)
    return _done("bookings.book_member", session, member=_member(gym, member))


def _unbook(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session, member = _booked(gym, args["booking_id"])
    session.members.remove(member)
    return _done("bookings.cancel_for_member", session, member=_member(gym, member))


def _rebook(gym: Gym, args: dict[str, Any]) -> AnyCard:
    session, member = _booked(gym, args["booking_id"])
    session.members.remove(member)
    to = gym.find(args["to_class_session_id"])
    to.members.append(member)
    return _done("bookings.move", to, member=_member(gym, member))


def _done(of: str, session: Session, **values: Value) -> Done:
    return Done(of=of, values={"class": Name(text=session.name), "when": session.moment, **values})


def _types(gym: Gym, _: dict[str, Any]) -> AnyCard:
    return table(
        ("name",), [(uid(200 + n), (Name(text=each),)) for n, each in enumerate(gym.types)]
    )


def _staff(gym: Gym, _: dict[str, Any]) -> AnyCard:
    return table(
        ("name",), [(uid(300 + n), (Name(text=each),)) for n, each in enumerate(gym.staff)]
    )


def _memberships(gym: Gym, args: dict[str, Any]) -> AnyCard:
    del gym
    rows = [(UUID(args["member_id"]), (Name(text="10 visits"), 4))]
    return table(("plan", "credits"), rows)


def _actions(gym: Gym, _: dict[str, Any]) -> AnyCard:
    done = [call for call in gym.calls if call.name not in _READS]
    rows = [(uid(9), (Name(text=call.name), 12)) for call in done[-1:]]
    return table(("action", "number"), rows)


Act = Callable[[Gym, dict[str, Any]], AnyCard]
_READS: dict[str, Act] = {
    "class_sessions__list": _sessions,
    "class_sessions__get_roster": _roster,
    "read__find_members": _find,
    "bookings__list": _bookings,
    "class_types__list": _types,
    "read__list_staff": _staff,
    "memberships__list": _memberships,
    "bookings__list_credit_ledger": _memberships,
    "read__list_recent_agent_actions": _actions,
}
_ACTS: dict[str, Act] = {
    **_READS,
    "class_sessions__create": _create,
    "class_sessions__cancel": _cancel,
    "class_sessions__reschedule": _reschedule,
    "class_sessions__update": _update,
    "bookings__book_member": _book,
    "bookings__cancel_for_member": _unbook,
    "bookings__move": _rebook,
}
_ARGS: dict[str, str] = {
    "class_sessions__list": "from to",
    "class_sessions__get_roster": "class_session_id",
    "read__find_members": "q limit",
    "bookings__list": "member_id from to",
    "class_types__list": "active",
    "read__list_staff": "role",
    "memberships__list": "member_id",
    "bookings__list_credit_ledger": "member_id from to",
    "read__list_recent_agent_actions": "limit undoable_only",
    "class_sessions__create": "class_type_id date start_time end_time duration_min",
    "class_sessions__cancel": "class_session_id reason",
    "class_sessions__reschedule": "class_session_id date start_time",
    "class_sessions__update": "class_session_id capacity coach_id",
    "bookings__book_member": "class_session_id member_id",
    "bookings__cancel_for_member": "booking_id reason",
    "bookings__move": "booking_id to_class_session_id",
    "read__ask_user_to_pick": "question entity_type options allow_none",
}


def definitions(without: str = "-") -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "description": name,
            "input_schema": {"type": "object", "properties": {arg: {} for arg in args.split()}},
        }
        for name, args in _ARGS.items()
        if without not in name
    ]


def iron_fig() -> Gym:
    """English names; tomorrow WOD at 7 and 18, Open gym at 13; today's 6 is over, its 18 not."""
    people = ("Dana Levi", "Dana Cohen", "Tom Levi", "Dmitry Orlov", "Avi Mizrahi")
    return Gym(
        types=("Open gym", "WOD", "Strength"),
        staff=("Omer Katz", "Lior Ben-Ami"),
        members=people,
        sessions=[
            Session(uid(1), "WOD", TOMORROW, time(7), "Omer Katz"),
            Session(uid(2), "Open gym", TOMORROW, time(13), "Omer Katz", members=[uid(102)]),
            Session(uid(3), "WOD", TOMORROW, time(18), "Omer Katz", members=[uid(104)]),
            Session(uid(4), "Strength", TODAY, time(6), "Omer Katz"),
            Session(uid(5), "Strength", TODAY, time(18), "Omer Katz", members=[uid(102)]),
        ],
    )


def te_enah() -> Gym:
    """Hebrew and Russian names, other hours."""
    return Gym(
        types=("אופן ג׳ים", "כוח", "Кроссфит"),
        staff=("ליאור כהן", "Омер Кац"),
        members=("דנה לוי", "Антон Белов", "תום לוי", "Анна Белова"),
        sessions=[
            Session(uid(1), "אופן ג׳ים", TOMORROW, time(14), "ליאור כהן", members=[uid(102)]),
            Session(uid(2), "Кроссфит", TOMORROW, time(19, 30), "Омер Кац", members=[uid(103)]),
            Session(uid(3), "כוח", TODAY, time(20), "ליאור כהן", capacity=1, members=[uid(102)]),
        ],
    )
