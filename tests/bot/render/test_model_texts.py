"""The model texts of the spec, word for word and with their lengths in UTF-16 units."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.render.card import render
from bot.render.reader import Look
from bot.render.speech import Speech
from bot.render.text.graphemes import utf16_units
from bot.turn.events import DayLimit
from i18n import Language
from i18n.marks import shown
from tests.bot.render import samples
from tools.kit.cards import AnyCard

TABLE = Path(__file__).parents[2] / "golden" / "cards" / "model_texts.txt"
ROW = re.compile(
    r"(?P<kind>\w+) (?P<language>en|he|ru) (?P<channel>\w+) +"
    r"(?:\[(?P<units>\d+)/\d+\] +)?(?P<text>.+)"
)
# Sample values that only one language has.
DATE = {"en": "Tue 1 Dec", "he": "יום ג׳ 1.12", "ru": "вт, 1 дек."}
WORDS = {
    "decision": {"en": "declined", "he": "לא אושר", "ru": "отклонено"},
    "where": {"en": "on the dashboard", "he": "בדשבורד", "ru": "на панели"},
    "reason": {
        "en": "the schedule is not answering",
        "he": "הלוח לא עונה",
        "ru": "расписание не отвечает",
    },
    "action": {"en": "cancel a class", "he": "לבטל שיעור", "ru": "отменить занятие"},
    "n#actions": {"en": "3 actions", "he": "3 פעולות", "ru": "3 действия"},
    "places#spots": {"en": "12 spots", "he": "12 מקומות", "ru": "12 мест"},
    "wait#minutes": {"en": "5 minutes", "he": "5 דקות", "ru": "5 минут"},
    "wait#minutes_acc": {"ru": "5 минут"},
    "ttl#minutes": {"en": "10 minutes", "he": "10 דקות", "ru": "10 минут"},
    "ttl#minutes_acc": {"ru": "10 минут"},
}
FIXED = {
    "time": "13:00",
    "until": "13:45",
    "undo_by": "12:55",
    "at": "12:45",
    "reset": "02:00",
    "no": "12",
    "booked": "7",
    "capacity": "12",
    "credits": "5",
    "waiting": "2",
    "tries": "4",
    "tier": "Pro",
    "link": samples.LINK,
    "code": "482913",
    "number": "+972559876543",
    "sub1": "HIIT 18:00",
    "sub2": "054-123",
}
EDITOR = {"en": "Mike", "he": "מיכאל", "ru": "Миша"}


@dataclass(frozen=True)
class ModelText:
    kind: str
    language: Language
    channel: str
    units: int | None
    text: str


def model_texts() -> Iterator[ModelText]:
    for line in TABLE.read_text(encoding="utf8").splitlines():
        match = ROW.fullmatch(line)
        assert match, line
        units = int(match["units"]) if match["units"] else None
        looks = ("chat", "sms") if match["channel"] == "all" else (match["channel"],)
        for look in looks:
            language = Language(match["language"])
            yield ModelText(match["kind"], language, look, units, match["text"])


def filled(model: ModelText) -> str:
    """The model's own text with the samples in its places, as a reader would put them there."""
    language = model.language
    named = {
        "class": samples.CLASS[language],
        "member": samples.DANA[language],
        "coach": samples.COACH[language],
        "editor": EDITOR[language],
        "admin": samples.COACH[language],
        "gym": "Iron Box",
        "date": DATE[language],
        "name": samples.DANA[language].partition(" ")[0],
        "name1": samples.DANA[language],
        "name2": {"en": "Dana Cohen", "he": "דנה כהן", "ru": "Дана Коэн"}[language],
    }
    spoken = {place: words.get(language, "") for place, words in WORDS.items()}
    text = model.text.replace("⏎", "\n").split(" ‖ ")[0]
    if model.channel == "web":  # the page itself is set from right to left
        text = text.removeprefix("⟨RLM⟩")
    full = {"booked": "12"} if model.kind == "full" else {}
    for place, value in {**FIXED, **named, **spoken, **full}.items():
        text = text.replace(f"{{{place}}}", value)
    if model.channel == "sms":
        text = text.replace("*", "")
        text = text.replace(" · ", ", ") if language is Language.EN else text
    return text


def spoken(model: ModelText) -> str:
    look = {"web": None}.get(model.channel, Look.CHAT if model.channel == "chat" else Look.SMS)
    speech = Speech(samples.reader(model.language), look)
    language, until = model.language, samples.UNTIL.at
    ron, now = samples.COACH[language], samples.NOW
    midnight = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)
    texts: dict[str, Callable[[], str]] = {
        "unclear": speech.unclear,
        "superseded": speech.superseded,
        "expired": lambda: speech.expired(samples.cancel_class(language), until),
        "answered": lambda: speech.answered("declined", now, "web"),
        "no_undo": lambda: speech.no_undo(12, now, EDITOR[language]),
        "error": lambda: speech.error("reason.schedule", 5),
        "budget": lambda: speech.budget(DayLimit(tier="pro", reset=midnight, link=samples.LINK)),
        "no_right": lambda: speech.no_right("Cancel a class", ron),
        "bad_code": lambda: speech.bad_code(4),
        "unknown": speech.unknown_number,
        "help": lambda: speech.help("Iron Box"),
        "link": lambda: speech.link_phone("482913", "+972559876543", 10),
    }
    return texts[model.kind]()


def carded(model: ModelText) -> str | None:
    language = model.language
    cards: dict[str, AnyCard] = {
        "confirm": samples.cancel_class(language),
        "fallback": samples.cancel_class(language),
        "pick": samples.which_dana(language),
        "batch": samples.batch(language),
        "done": samples.added(language),
        "undone": samples.cards(language)["undone"],
        "full": samples.full_class(language),
    }
    card = cards.get(model.kind)
    if card is None:
        return None
    look = Look.FALLBACK if model.kind == "fallback" else Look(model.channel)
    rendered = render(card, look, samples.reader(language), until=samples.UNTIL, link=samples.LINK)
    return rendered.texts[0]


def _isolated(text: str, language: Language) -> str:
    """The models write a batch's lines and a pick's sublabels as one value, marks and all."""
    if language is not Language.HE:
        return text
    for sublabel in ("HIIT 18:00", "054-123"):
        text = text.replace(f"· {sublabel}", f"· ⟨FSI⟩{sublabel}⟨PDI⟩")
    return text


def _with_items(text: str, rendered: str) -> str:
    """Their lines are the tools' own: the text around them is what the model says."""
    lines = [line.lstrip("\u200f") for line in rendered.split("\n")]
    for n in (1, 2, 3):
        own = next(shown(line)[2:] for line in lines if line.startswith(f"{n} "))
        text = text.replace(f"{{line{n}}}", own).replace(f"{{s{n}}}", own)
    return text


@pytest.mark.parametrize(
    "model", list(model_texts()), ids=lambda model: f"{model.kind}-{model.language}-{model.channel}"
)
def test_the_words_are_those_of_the_model(model: ModelText) -> None:
    rendered = carded(model)
    rendered = spoken(model) if rendered is None else rendered
    expected = _isolated(filled(model), model.language)
    if model.kind == "batch":
        expected = _with_items(expected, rendered)

    assert shown(rendered) == expected
    if model.channel == "sms":
        assert utf16_units(rendered) <= 134


MEASURED = {"confirm", "fallback", "done", "undone", "no_undo", "expired", "error", "unclear"}
MEASURED |= {"superseded", "answered", "bad_code", "unknown", "budget", "full", "help"}


@pytest.mark.parametrize(
    "model",
    [one for one in model_texts() if one.units and one.channel == "sms" and one.kind in MEASURED],
    ids=lambda model: f"{model.kind}-{model.language}",
)
def test_an_sms_is_as_long_as_the_model_says(model: ModelText) -> None:
    rendered = carded(model) or spoken(model)

    assert utf16_units(rendered) == model.units


def test_a_question_open_past_midnight_shows_its_time_alone() -> None:
    late = samples.UNTIL.model_copy(update={"at": samples.NOW + timedelta(hours=12)})
    language = Language.EN
    text = render(samples.batch(language), Look.SMS, samples.reader(language), until=late).texts[0]

    assert text.endswith("by 00:45")
