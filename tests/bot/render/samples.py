"""Rich sample cards: one or more of every kind, with the values that real tools put into them."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from uuid import UUID

from bot.render.reader import Reader
from i18n import Language
from tests.bot.render.workout_samples import workout
from tools.kit.cards import (
    AnyCard,
    Confirm,
    ConfirmBatch,
    Done,
    Fact,
    Facts,
    Failed,
    LinkCard,
    Notice,
    NotRun,
    Option,
    Pick,
    Picked,
    Progress,
    Ref,
    Table,
    TableRow,
    Typed,
    Undone,
    UndoOffer,
)
from tools.kit.values import (
    Amount,
    Code,
    Count,
    Day,
    Deed,
    Hours,
    Instant,
    Line,
    Moment,
    Month,
    Name,
    Names,
    Number,
    Percent,
    Quote,
    Span,
    Term,
    Value,
    Weight,
)

ZONE: Final = "Asia/Jerusalem"
NOW: Final = datetime(2026, 11, 30, 10, 45, tzinfo=UTC)
UNTIL: Final = Instant(at=NOW + timedelta(minutes=60), zone=ZONE)
LINK: Final = "https://spotter.example/q/7"
ID: Final = UUID(int=7)
WHEN: Final = Moment(date=date(2026, 12, 1), start=time(13), end=time(14))
CLASS: Final = {Language.EN: "Open gym", Language.HE: "אופן ג׳ים", Language.RU: "Open gym"}
DANA: Final = {Language.EN: "Dana Levi", Language.HE: "דנה לוי", Language.RU: "Дана Леви"}
COACH: Final = {Language.EN: "Ron Amir", Language.HE: "רון אמיר", Language.RU: "Рон Амир"}


def reader(language: Language) -> Reader:
    return Reader(language, ZONE, NOW)


def session_values(language: Language) -> dict[str, Value]:
    return {
        "class": Name(text=CLASS[language]),
        "when": WHEN,
        "coach": Name(text=COACH[language]),
        "booked": 7,
        "capacity": 12,
        "credits": 5,
        "waiting": 2,
    }


def cancel_class(language: Language) -> Confirm:
    values = session_values(language)
    effect = Line(key="class_sessions.cancel.effect", values=values)
    return Confirm(
        of="class_sessions.cancel",
        values=values,
        effects=(effect,),
        ref=Ref(entity="class_session", id=ID),
    )


def full_class(language: Language) -> Pick:
    values = {**session_values(language), "booked": 12, "member": Name(text=DANA[language])}
    return Pick(
        ask=Line(key="bookings.book_member.full", values=values),
        options=(
            Option(id="waitlist", label=Line(key="bookings.book_member.waitlist", values=values)),
            Option(id="over", label=Line(key="bookings.book_member.over_capacity")),
        ),
    )


def which_dana(language: Language) -> Pick:
    first = DANA[language].partition(" ")[0]
    second = {
        Language.EN: "Dana Cohen",
        Language.HE: "דנה כהן",
        Language.RU: "Дана Коэн",
    }[language]
    return Pick(
        ask=Line(key="pick.member", values={"name": Name(text=first)}),
        options=(
            Option(id="1", label=Name(text=DANA[language]), sublabel=Name(text="HIIT 18:00")),
            Option(id="2", label=Name(text=second), sublabel=Name(text="054-123")),
        ),
    )


def batch(language: Language, n: int = 3) -> ConfirmBatch:
    return ConfirmBatch(items=(cancel_class(language),) * n)


def added(language: Language) -> Done:
    offer = UndoOffer(
        number=12,
        call_id=ID,
        toast_until=NOW + timedelta(seconds=15),
        word_until=Instant(at=NOW + timedelta(minutes=10), zone=ZONE),
    )
    return Done(of="class_sessions.create", values=session_values(language), undo=offer)


def schedule(language: Language, n: int = 13) -> Table:
    rows = [
        TableRow(
            id=str(i),
            cells=(
                Moment(date=date(2026, 12, 1 + i), start=time(18), end=time(19)),
                Name(text=CLASS[language]),
                Name(text=COACH[language]) if i % 3 else None,
                i,
                12,
                Term(key="session.scheduled"),
            ),
        )
        for i in range(n)
    ]
    return Table(
        title=Line(key="class_sessions.list.title"),
        columns=(
            "label.when",
            "label.class",
            "label.coach",
            "label.booked",
            "label.capacity",
            "label.status",
        ),
        rows=tuple(rows),
        total=n,
    )


def person(language: Language) -> Facts:
    return Facts(
        title=Line(key="read.get_member.title", values={"member": Name(text=DANA[language])}),
        facts=(
            Fact(label="label.phone", value=Code(text="+972541234567")),
            Fact(label="label.membership", value=Name(text="Unlimited")),
            Fact(label="label.credits_left", value=Count(n=2, of="credits")),
            Fact(label="label.amount_due", value=Amount(minor=38000)),
            Fact(label="label.price", value=Amount(minor=123450)),
            Fact(label="label.since", value=Day(date=date(2024, 5, 9))),
            Fact(label="label.hours", value=Hours(start=time(6), end=time(22))),
            Fact(label="label.next_booking", value=WHEN),
            Fact(label="label.last_visit", value=Instant(at=NOW - timedelta(days=2), zone=ZONE)),
            Fact(
                label="label.class_types",
                value=Names(all=("HIIT", CLASS[language], "Yoga", "TRX", "Spin", "Box")),
            ),
            Fact(label="label.can_coach", value=False),
        ),
    )


def with_lists(language: Language) -> Facts:
    """Figures, words in several lines, and two lists of one thing."""
    told: dict[str, Value] = {
        "label.change": Percent(value=41.66),
        "label.reason": Percent(value=None),
        "label.number": Number(value=3.44),
        "label.weight_unit": Weight(grams=62_500, unit="kg"),
        "label.capacity": Weight(grams=61_235, unit="lb"),
        "label.until": Span(start=date(2026, 12, 1), end=date(2026, 12, 10)),
        "label.date": Month(year=2026, month=11),
        "label.action": Deed(tool="bookings.move"),
        "label.name": Quote(text=f"{DANA[language]}!\n*5* rounds @ 60%"),
    }
    facts = tuple(Fact(label=key, value=value) for key, value in told.items())
    lists = (schedule(language), schedule(language, 0))
    return person(language).model_copy(update={"facts": facts, "tables": lists})


def cards(language: Language) -> dict[str, AnyCard]:
    """Every kind of card by a title for the golden files."""
    values = session_values(language)
    return {
        "confirm": cancel_class(language),
        "confirm, by its generic words": Confirm(of="new_tool.act", values=values),
        "confirm, always": cancel_class(language).model_copy(update={"always": True}),
        "confirm_batch of three": batch(language),
        "confirm_batch of two": batch(language, 2),
        "pick": which_dana(language),
        "pick, a full class": full_class(language),
        "typed": Typed(
            of="new_tool.erase", values={"member": Name(text=DANA[language])}, words="ERASE"
        ),
        "done": added(language),
        "done, by its generic words": Done(of="new_tool.act", values=values),
        "undone": Undone(of="class_sessions.create", values=values),
        "facts": person(language),
        "facts with lists": with_lists(language),
        "workout": workout(),
        "table": schedule(language),
        "table, empty": schedule(language, 0),
        "failed": Failed(code="coach_busy", values=values),
        "failed, unknown code": Failed(code="not_a_code"),
        "not_run": NotRun(reason="declined"),
        "picked": Picked(option=which_dana(language).options[0]),
        "picked, none": Picked(option=None),
        "link": LinkCard(line=Line(key="unclear"), url=Code(text=LINK)),
        "progress": Progress(of="new_tool.act", done=3, total=40),
        "progress, no end known": Progress(of="new_tool.act", done=3),
        "notice": Notice(lines=(Line(key="undo.nothing"), Line(key="no_more"))),
    }
