"""Seven days of classes as the page shows them, put into words for one reader."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import queries
from app.bookings.views import SessionFilter, SessionView
from app.schedule.terms import SessionStatus
from app.studio.paging import Cut
from bot.render.reader import Reader
from bot.render.voice import Voice
from tools.kit.values import Day, Hours, Moment, Name

DAYS: Final = 7
EARLIEST: Final = date.min + timedelta(days=DAYS)
LATEST: Final = date.max - timedelta(days=DAYS)
"""Beyond these there is no week before, or none after."""
_MOST = 500
"""Classes shown at once; a gym has a tenth of that in a week."""


@dataclass(frozen=True, slots=True)
class ClassLine:
    id: UUID
    title: str
    hours: str
    coach: str
    booked: str
    waiting: str
    share: int
    """How full it is, in percent."""
    full: bool
    off: bool
    about: str
    """What it is called when the person asks about it."""


@dataclass(frozen=True, slots=True)
class DayLine:
    date: date
    label: str
    today: bool
    classes: tuple[ClassLine, ...]


@dataclass(frozen=True, slots=True)
class Week:
    first: date
    last: date
    days: tuple[DayLine, ...]

    @property
    def before(self) -> date:
        return self.first - timedelta(days=DAYS)

    @property
    def after(self) -> date:
        return self.first + timedelta(days=DAYS)


def week(session: Session, reader: Reader, first: date | None) -> Week:
    """Seven days from `first`, or from today."""
    first = first or reader.today
    last = first + timedelta(days=DAYS - 1)
    wanted = SessionFilter(since=first, until=last)
    found = queries.sessions(session, wanted, reader.language.value, cut=Cut(limit=_MOST))
    voice = Voice(reader, "web")
    return Week(first, last, tuple(_days(found.rows, first, voice)))


def _days(found: Iterable[SessionView], first: date, voice: Voice) -> Iterable[DayLine]:
    by_day = {day: tuple(rows) for day, rows in groupby(found, key=lambda one: one.slot.date)}
    for offset in range(DAYS):
        day = first + timedelta(days=offset)
        classes = tuple(_line(one, voice) for one in by_day.get(day, ()))
        today = day == voice.reader.today
        label = voice.show(Day(date=day)).text
        label = f"{voice.say('ui.today')} · {label}" if today else label
        yield DayLine(day, label, today, classes)


def _line(one: SessionView, voice: Voice) -> ClassLine:
    booked = {"booked": one.booked, "capacity": one.capacity}
    slot = one.slot
    when = Moment(date=slot.date, start=slot.start, end=None)
    title = Name(text=one.title)
    return ClassLine(
        id=one.id,
        title=voice.show(title).text,
        hours=voice.show(Hours(start=slot.start, end=slot.end)).text,
        coach=voice.say("ui.coach", {"coach": Name(text=one.coach)}) if one.coach else "",
        booked=voice.say("ui.booked_of", booked),
        waiting=voice.say("ui.waitlist_count", {"waiting": one.waiting}) if one.waiting else "",
        share=min(100, round(100 * one.booked / max(one.capacity, 1))),
        full=one.booked >= one.capacity,
        off=one.status is SessionStatus.CANCELLED,
        about=f"{voice.show(title).text}, {voice.show(when).text}",
    )
