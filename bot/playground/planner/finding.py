"""Finding what a sentence names: a member, a class, a coach; asking where several fit."""

from collections.abc import Iterator, Sequence
from datetime import date

from bot.playground.planner.desk import Desk, Over
from bot.playground.planner.names import best
from bot.playground.planner.results import Result, Row
from bot.playground.planner.speech import day, moment, say
from bot.playground.planner.wishes import Spot

FIND = "read__find_members"
SESSIONS = "class_sessions__list"
_MOST_OPTIONS = 9
_ENDINGS: tuple[tuple[str, str], ...] = (
    ("ю", "я"), ("у", "а"), ("ы", "а"), ("ой", "а"), ("ом", ""), ("ем", "й"), ("и", "я"),
    ("а", ""), ("я", "й"), ("е", "а"), ("'s", ""), ("s", ""),
)  # fmt: skip
"""How an inflected name may have begun: Russian cases, English possessives."""

_NEVER_BASIC = ("у", "ю", "ы")
"""No Russian first name ends so by itself."""


def member(desk: Desk, who: str) -> Row:
    """The one member who is meant. Raises Needs or Over."""
    for asked in spellings(who):
        rows = desk.read(FIND, q=asked).rows
        if rows:
            return _the_one(desk, _likely(asked, rows), "member", asked.title())
    raise Over("no_such_member", who=who.title())


def _likely(asked: str, rows: Sequence[Row]) -> Sequence[Row]:
    """Who may be meant; one that the search only found close to it isn't taken for certain."""
    likely = best(asked, [(row, row.person) for row in rows])
    if not likely and len(rows) == 1 and rows[0].get("match") == "close":
        raise Over("closest", who=asked.title(), name=rows[0].person)
    return likely or rows


def spellings(who: str) -> Iterator[str]:
    """The name as it may stand in the list, the likeliest first; at last only the first name."""
    first, _, rest = who.partition(" ")
    others = _uninflected(first)
    starts = [*others, first] if first.endswith(_NEVER_BASIC) else [first, *others]
    seen: set[str] = set()
    for name in [f"{start} {rest}".strip() for start in starts] + (starts if rest else []):
        if name not in seen:
            seen.add(name)
            yield name


def _uninflected(word: str) -> list[str]:
    return [
        word[: -len(ending)] + instead
        for ending, instead in _ENDINGS
        if word.endswith(ending) and len(word) > len(ending) + 1
    ][:2]


def sessions_of(desk: Desk, at: date) -> Result:
    return desk.read(SESSIONS, **_on(at))


def _on(at: date) -> dict[str, object]:
    return {**between(at, at), "limit": 100}


def between(first: date, last: date) -> dict[str, object]:
    """A span of days, by whichever names the tool has for its ends."""
    return {
        "from|from_date|date_from|since|date": str(first),
        "to|to_date|date_to|until": str(last),
    }


def sessions_asked(at: date) -> tuple[str, dict[str, object]]:
    """The lookup of a day, to be sent with others."""
    return SESSIONS, _on(at)


def fitting(desk: Desk, rows: Sequence[Row], spot: Spot) -> list[Row]:
    """The classes that may be meant; of today's, those to come where there are any."""
    open_rows = [row for row in rows if not row.is_over]
    found = [row for row in open_rows if _at(row, spot)]
    if spot.name:
        found = best(spot.name, [(row, row.class_name) for row in found])
    ahead = [row for row in found if row.moment and row.moment.starts >= desk.now]
    return ahead or found


def _at(row: Row, spot: Spot) -> bool:
    at = row.moment
    if at is None:
        return spot.at is None and spot.part is None
    return (spot.at is None or spot.at.fits(at.start)) and (
        spot.part is None or spot.part.holds(at.start)
    )


def session(desk: Desk, spot: Spot) -> Row:
    """The one class that is meant. Raises Needs or Over."""
    at = spot.day or desk.today
    found = fitting(desk, sessions_of(desk, at).rows, spot)
    if not found:
        raise Over("no_such_class", day=day(desk.language, at), asked=asked_for(spot))
    return _the_one(desk, found, "class_session")


def asked_for(spot: Spot) -> str:
    """The class as it was asked for."""
    at = f"{spot.at.start:%H:%M}" if spot.at else ""
    part = spot.part.name if spot.part else ""
    return " ".join(word for word in (at, spot.name or part) if word) or "?"


def coach(desk: Desk, name: str) -> Row:
    rows = desk.read("read__list_staff").rows
    for asked in spellings(name):
        found = best(asked, [(row, row.person) for row in rows])
        if found:
            return _the_one(desk, found, "staff", asked.title())
    raise Over("no_such_coach", who=name.title())


def _the_one(desk: Desk, rows: Sequence[Row], entity: str, name: str = "") -> Row:
    if len(rows) == 1:
        return rows[0]
    if len(rows) > _MOST_OPTIONS:
        raise Over("too_many", count=len(rows))
    is_class = entity == "class_session"
    question = say(desk.language, "which_class" if is_class else "which_member", who=name)
    picked = desk.pick(question, entity, [_option(desk, row, is_class=is_class) for row in rows])
    for row in rows:
        if row.id == picked:
            return row
    raise Over("none_picked")


def _option(desk: Desk, row: Row, *, is_class: bool) -> dict[str, str]:
    if not is_class:
        return _told(row.id, row.person, row.details)
    return _told(row.id, row.class_name, moment(desk.language, row.moment))


def _told(id_: str, label: str, sublabel: str) -> dict[str, str]:
    return {"id": id_, "label": label, **({"sublabel": sublabel} if sublabel else {})}


def of_bookings(desk: Desk, rows: Sequence[Row], spot: Spot) -> Row | None:
    """The booking that is meant, or None where none fits. Raises Needs."""
    on_day = [row for row in rows if spot.day is None or _on_day(row, spot.day)]
    found = fitting(desk, on_day, spot)
    return _the_one(desk, found, "class_session") if found else None


def _on_day(row: Row, at: date) -> bool:
    return row.moment is None or row.moment.date == at
