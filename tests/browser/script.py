"""A model and a runner that play their part: the turn around them is the real one."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from app.core.ids import new_id
from bot.turn.events import Delta, Ended, Event, Heard, Restart, Said
from tools.kit.calls import Call, Decision, Outcome, Question
from tools.kit.cards import (
    AnyCard,
    Confirm,
    Done,
    Fact,
    Facts,
    Option,
    Pick,
    Picked,
    Progress,
    QuestionCard,
    Ref,
    Table,
    TableRow,
    Typed,
    UndoOffer,
)
from tools.kit.values import Count, Day, Hours, Instant, Line, Moment, Name, Names, Value

ZONE = "Asia/Jerusalem"
TASK = UUID("01a22e7c-0000-7000-8000-000000000001")
EVIL = (
    "**Bold** and _soft_, `3×10` sets.\n\n- [site](javascript:window.broken=1)\n"
    "- [far](https://elsewhere.example/?who=dana)\n- [here](/schedule)\n\n"
    '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\n\n'
    "![pixel](https://elsewhere.example/pixel.png?who=dana)\n\n"
    "| Class | Booked |\n|---|---|\n| Open gym | 7 |\n"
)


@dataclass
class ScriptedModel:
    """Answers by what the person wrote: the first word that is known decides."""

    pause_s: float = 0.02

    def reply(self, history: Sequence[Event]) -> Iterator[Delta | Restart | Said | Ended]:
        asked = next(event.text for event in history if isinstance(event, Heard)).lower()
        spoken = sum(isinstance(event, Said) and not event.ours for event in history)
        if "budget" in asked:
            yield Ended(reason="over_budget")
        elif "fail" in asked:
            yield Delta(text="I'll have a ")
            yield Ended(reason="model_failed")
        elif spoken == 0 and (calls := _calls(asked)):
            yield Said(text=_lead(asked), calls=calls)
        else:
            yield from self._speak(_text(asked, history))

    def _speak(self, text: str) -> Iterator[Delta | Said]:
        for place, word in enumerate(text.split(" ")):
            yield Delta(text=f" {word}" if place else word)
            time.sleep(self.pause_s)
        yield Said(text=text)


def _calls(asked: str) -> tuple[Call, ...]:
    names = {
        "batch": ["class_sessions__cancel"] * 3,
        "cancel": ["class_sessions__list", "class_sessions__cancel"],
        "לבטל": ["class_sessions__list", "class_sessions__cancel"],
        "отмени": ["class_sessions__list", "class_sessions__cancel"],
        "dana": ["members__find"],
        "דנה": ["members__find"],
        "дану": ["members__find"],
        "erase": ["members__erase"],
        "open gym": ["class_sessions__create"],
        "who": ["class_sessions__get"],
        "extend all": ["memberships__extend"],
    }
    found = next((names[key] for key in names if key in asked), [])
    return tuple(
        Call(id=f"toolu_{uuid4().hex}", name=name, input={"n": n}) for n, name in enumerate(found)
    )


def _lead(asked: str) -> str:
    return "I'll look at tomorrow first." if asked.startswith("cancel") else ""


def _text(asked: str, history: Sequence[Event]) -> str:
    if "slow" in asked:
        return " ".join(f"word{n}" for n in range(400))
    if "markdown" in asked:
        return EVIL
    if any(isinstance(event, Said) and not event.ours for event in history):
        return "That's **done**. Anything else for tomorrow?"
    return "Good morning. Write what you need."


@dataclass
class ScriptedRunner:
    """Cards of a small gym; `cancelled` is told which class goes."""

    now: datetime
    cancelled: Callable[[], None]

    def reads(self, call: Call) -> bool:
        return call.name in {"class_sessions__list", "class_sessions__get"}

    def question(self, call: Call) -> Question | None:
        card = self._asks(call)
        return None if card is None else Question(card=card, target="same")

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        if call.name == "class_sessions__cancel":
            self.cancelled()
        return Outcome(card=self._card(call, decision))

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [self.run(call) for call in calls]

    def _asks(self, call: Call) -> QuestionCard | None:
        match call.name:
            case "class_sessions__cancel":
                n = int(call.input["n"])
                return Confirm(
                    of="class_sessions.cancel",
                    values=self._class(13 + n),
                    effects=(Line(key="class_sessions.cancel.effect", values=self._class(13)),),
                )
            case "members__find":
                return Pick(
                    ask=Line(key="pick.member", values={"name": Name(text="דנה")}), options=_DANAS
                )
            case "members__erase":
                return Typed(
                    of="members.erase",
                    values={"member": Name(text="Dana Levi")},
                    words="erase Dana Levi",
                )
            case _:
                return None

    def _card(self, call: Call, decision: Decision | None) -> AnyCard:
        match call.name:
            case "class_sessions__list":
                return Table(
                    title=Line(
                        key="class_sessions.list.title",
                        values={"first": self._day, "last": self._day},
                    ),
                    columns=("label.hours", "label.class", "label.coach", "label.booked"),
                    rows=tuple(
                        self._row(hour, title)
                        for hour, title in (
                            (7, "Weightlifting"),
                            (13, "Open gym"),
                            (18, "אופן ג׳ים"),
                        )
                    ),
                    total=12,
                )
            case "class_sessions__get":
                members = Names(all=("Dana Levi", "דנה כהן", "Марина Юрьева"))
                return Facts(
                    title=Line(key="just", values={"value": Name(text="Open gym")}),
                    facts=(
                        Fact(label="label.when", value=self._when(13)),
                        Fact(label="label.coach", value=Name(text="נועה לוי")),
                        Fact(label="label.booked", value=3),
                        Fact(label="label.member", value=members),
                    ),
                )
            case "memberships__extend":
                ref = Ref(entity="background_task", id=TASK)
                return Progress(of="memberships.extend", done=0, total=45, ref=ref)
            case "members__find":
                chosen = next(
                    (one for one in _DANAS if decision and one.id == decision.option), None
                )
                return Picked(option=chosen)
            case _:
                return Done(
                    of=call.name.replace("__", "."), values=self._class(13), undo=self._undo()
                )

    @property
    def _day(self) -> Day:
        return Day(date=self._tomorrow)

    @property
    def _tomorrow(self) -> date:
        return (self.now.astimezone(ZoneInfo(ZONE)) + timedelta(days=1)).date()

    def _when(self, hour: int) -> Moment:
        return Moment(date=self._tomorrow, start=clock(hour), end=clock(hour + 1))

    def _row(self, hour: int, title: str) -> TableRow:
        hours = Hours(start=clock(hour), end=clock(hour + 1))
        coach = Name(text="נועה לוי")
        return TableRow(
            id=title, cells=(hours, Name(text=title), coach, Count(n=hour - 6, of="members"))
        )

    def _class(self, hour: int) -> dict[str, Value]:
        return {
            "class": Name(text="Open gym"),
            "when": self._when(hour),
            "coach": Name(text="נועה לוי"),
            "booked": 7,
            "capacity": 12,
            "credits": 7,
            "waiting": 1,
        }

    def _undo(self) -> UndoOffer:
        later = Instant(at=self.now + timedelta(minutes=10), zone=ZONE)
        toast = datetime.now(UTC) + timedelta(seconds=15)
        return UndoOffer(number=12, call_id=new_id(), toast_until=toast, word_until=later)


_DANAS = tuple(
    Option(id=str(n), label=Name(text=name), sublabel=Name(text=sub))
    for n, (name, sub) in enumerate(
        (
            ("דנה לוי", "+972 54-123-4567"),
            ("Dana Cohen", "18:00 · CrossFit"),
            ("Дана Лев", "HIIT 21-15-9"),
        ),
        1,
    )
)
