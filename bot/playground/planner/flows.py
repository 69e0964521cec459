"""How each wish is carried out, written as if every answer were there already (see desk)."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import assert_never

from bot.playground.planner import finding, speech
from bot.playground.planner import wishes as w
from bot.playground.planner.desk import Desk, Over
from bot.playground.planner.names import best
from bot.playground.planner.results import Row
from bot.playground.planner.speech import say
from bot.playground.planner.times import Part

_AHEAD = timedelta(days=60)
_BOUGHT = ("membership", "plan", "credits", "credits_left", "until", "frozen")
_NAMED = 4
"""Names in one sentence."""
_LISTS: dict[w.Kind, str] = {
    "class_types": "class_types__list",
    "staff": "read__list_staff",
    "unpaid": "analytics__list_unpaid_members",
    "expiring": "memberships__list_expiring",
    "at_risk": "analytics__list_at_risk_members",
    "tasks": "tasks__list",
    "leads": "leads__list",
    "new_leads": "leads__list",
}
_ONLY: dict[w.Kind, dict[str, object]] = {"tasks": {"mine": True}, "new_leads": {"stage": ["new"]}}
"""What a list is asked for with."""
_SAID: dict[w.Kind, tuple[str, str]] = {
    "unpaid": ("unpaid", "unpaid_none"),
    "at_risk": ("at_risk", "at_risk_none"),
    "tasks": ("tasks", "tasks_none"),
    "leads": ("leads", "leads_none"),
    "new_leads": ("new_leads", "new_leads_none"),
}
"""The phrases for some of them, and for none."""


def carry_out(desk: Desk, wish: w.One) -> str:
    """What to say once it is done. Raises Needs for the next calls, Over where it ends early."""
    match wish:
        case w.Talk(topic):
            return say(desk.language, "who_i_am" if topic == "help" else topic)
        case w.ListAll(kind):
            return _list(desk, kind)
        case w.ShowDay() | w.Figures() | w.Programmed():
            return _of_day(desk, wish)
        case w.WhoIsIn(spot):
            return _who_is_in(desk, spot)
        case w.FindMember(who):
            return _find(desk, who)
        case w.Credits():
            return _credits(desk, wish)
        case w.UndoLast():
            return _undo(desk)
        case _:
            return _change(desk, wish)


def _change(desk: Desk, wish: w.Change) -> str:
    match wish:
        case w.Create(spot):
            return _create(desk, spot)
        case w.CancelClass(spot, every):
            return _cancel_every(desk, spot) if every else _cancel(desk, spot)
        case w.Move():
            return _move(desk, wish)
        case w.ChangeCapacity(spot, places):
            return _change_capacity(desk, spot, places)
        case w.ChangeCoach(spot, name):
            return _change_coach(desk, spot, name)
        case w.Book():
            return _book(desk, wish)
        case w.CancelBooking():
            return _unbook(desk, wish)
        case _:
            assert_never(wish)


def _list(desk: Desk, kind: w.Kind) -> str:
    """How many there are: the list itself is shown beside these words."""
    result = desk.read(_LISTS[kind], **_ONLY.get(kind, {}))
    some, none = _SAID.get(kind, ("list", "list_empty"))
    return say(desk.language, some if result.rows else none, count=result.total)


def _of_day(desk: Desk, wish: w.OfDay) -> str:
    match wish:
        case w.ShowDay(spot):
            return _show_day(desk, spot)
        case w.Figures(day):
            desk.read("analytics__get_overview", date=day and str(day))
            return say(desk.language, "figures", day=speech.day(desk.language, day or desk.today))
        case w.Programmed(day):
            return _programmed(desk, day or desk.today)
        case _:
            assert_never(wish)


def _programmed(desk: Desk, at: date) -> str:
    """The card beside these words shows it; the only one of a day comes whole, not as a row."""
    result = desk.read("daily_programming__get_day", date=str(at))
    named = [row.get("workout") for row in result.rows] or [result.one.get("title")]
    names = ", ".join(str(name) for name in named if name)
    key = "programmed" if names else "programmed_none"
    return say(desk.language, key, day=speech.day(desk.language, at), names=names)


def _show_day(desk: Desk, spot: w.Spot) -> str:
    at = spot.day or desk.today
    result = finding.sessions_of(desk, at)
    rows = [row for row in result.rows if spot.part is None or _in_part(row, spot.part)]
    named = best(spot.name, [(row, row.class_name) for row in rows]) if spot.name else rows
    told = speech.day(desk.language, at)
    if not result.rows:
        return say(desk.language, "day_empty", day=told)
    if not named:
        raise Over("no_such_class", day=told, asked=finding.asked_for(spot))
    if len(named) == len(result.rows):
        return say(desk.language, "day", day=told, count=result.total)
    lines = speech.listed(desk.language, map(speech.session_line, named))
    return say(desk.language, "some_of_day", day=told, lines=lines)


def _in_part(row: Row, part: Part) -> bool:
    return row.moment is not None and part.holds(row.moment.start)


def _who_is_in(desk: Desk, spot: w.Spot) -> str:
    row = finding.session(desk, spot)
    result = desk.read("class_sessions__get_roster", class_session_id=row.id)
    title = speech.title(desk.language, row)
    booked = [each for each in result.rows if not each.is_over and not each.waits]
    waiting = [each for each in result.rows if each.waits]
    key = "roster" if booked else "roster_empty"
    told = say(desk.language, key, title=title, count=len(booked))
    queue = [say(desk.language, "waiting", count=len(waiting))] if waiting else []
    return " ".join([told, *queue])


def _find(desk: Desk, who: str) -> str:
    for asked in finding.spellings(who):
        result = desk.read(finding.FIND, q=asked)
        if result.rows:
            names = [row.person for row in result.rows][:_NAMED]
            more = result.total - len(names)
            tail = [say(desk.language, "more", count=more)] if more > 0 else []
            return say(desk.language, "found", names=", ".join([*names, *tail]))
    raise Over("no_such_member", who=who.title())


def _credits(desk: Desk, wish: w.Credits) -> str:
    row = finding.member(desk, wish.who)
    if wish.ledger:
        name = "bookings__list_credit_ledger"
    else:
        name = "memberships__list" if desk.offers("memberships__list") else "read__get_member"
    result = desk.read(name, member_id=row.id)
    told = [speech.facts(desk.language, each, hidden=("member",)) for each in result.rows]
    lines = told or [speech.facts(desk.language, _only(result.one, _BOUGHT))]
    if not any(lines):
        return say(desk.language, "no_facts", name=row.person)
    facts = speech.listed(desk.language, lines, result.total)
    return say(desk.language, "about", name=row.person, facts=facts)


def _only(row: Row, keys: Sequence[str]) -> Row:
    return Row(row.id, {key: row.fields[key] for key in keys if key in row.fields})


def _create(desk: Desk, spot: w.Spot) -> str:
    if spot.name and spot.at is None:
        raise Over("which_hour")
    types = desk.read("class_types__list").rows
    found = best(spot.name, [(row, row.class_name) for row in types]) if spot.name else []
    if not found:
        names = ", ".join(row.class_name for row in types)
        raise Over("no_such_type", asked=spot.name or "?", names=names)
    kind = found[0]
    if spot.at is None:
        raise Over("which_hour")
    at = spot.day or desk.today
    made = desk.write(
        "class_sessions__create",
        class_type_id=kind.id,
        date=str(at),
        start_time=f"{spot.at.likely:%H:%M}",
        **_length(spot, kind),
    )
    start = datetime.combine(at, spot.at.likely)
    asked = Row("", {"class": kind.class_name, "when": f"{start:%Y-%m-%d %H:%M}"})
    return say(desk.language, "created", title=speech.title(desk.language, made.one, asked))


def _length(spot: w.Spot, kind: Row) -> dict[str, object]:
    """The end as it was said, else the length of the class type."""
    if spot.at is not None and spot.at.likely_end is not None:
        return {"end_time": f"{spot.at.likely_end:%H:%M}"}
    minutes = kind.get("duration_min", "duration", "minutes", "length")
    return {"duration_min": minutes if isinstance(minutes, int) else None}


def _cancel(desk: Desk, spot: w.Spot) -> str:
    row = finding.session(desk, spot)
    done = desk.write("class_sessions__cancel", class_session_id=row.id)
    return say(desk.language, "cancelled", title=speech.title(desk.language, done.one, row))


def _cancel_every(desk: Desk, spot: w.Spot) -> str:
    at = spot.day or desk.today
    every = finding.sessions_of(desk, at).rows
    rows = finding.fitting(desk, every, spot)
    if not rows:
        key = "no_such_class" if every else "day_empty"
        raise Over(key, day=speech.day(desk.language, at), asked=finding.asked_for(spot))
    asked = [{"class_session_id": row.id} for row in rows]
    results = desk.writes("class_sessions__cancel", asked)
    lines = [
        speech.trouble(desk.language, result)
        if result.failed
        else say(desk.language, "cancelled", title=speech.title(desk.language, result.one, row))
        for row, result in zip(rows, results, strict=True)
    ]
    return "\n".join(dict.fromkeys(lines))


def _change_capacity(desk: Desk, spot: w.Spot, places: int) -> str:
    row = finding.session(desk, spot)
    done = desk.write("class_sessions__update", class_session_id=row.id, capacity=places)
    told = say(desk.language, "places", count=done.one.get("capacity") or places)
    return _changed(desk, done.one, row, told)


def _change_coach(desk: Desk, spot: w.Spot, name: str) -> str:
    desk.reads(finding.sessions_asked(spot.day or desk.today), ("read__list_staff", {}))
    coach = finding.coach(desk, name)
    row = finding.session(desk, spot)
    done = desk.write("class_sessions__update", class_session_id=row.id, coach_id=coach.id)
    return _changed(desk, done.one, row, say(desk.language, "coach", name=coach.person))


def _changed(desk: Desk, done: Row, row: Row, what: str) -> str:
    title = speech.title(desk.language, done, row)
    return say(desk.language, "changed", title=title, what=what)


def _book(desk: Desk, wish: w.Book) -> str:
    who = next(finding.spellings(wish.who))
    at = wish.spot.day or desk.today
    desk.reads((finding.FIND, {"q": who}), finding.sessions_asked(at))
    member = finding.member(desk, wish.who)
    row = finding.session(desk, wish.spot)
    done = desk.write("bookings__book_member", class_session_id=row.id, member_id=member.id)
    key = "waitlisted" if done.one.waits else "booked"
    return _about_booking(desk, key, member, done.one, row)


def _unbook(desk: Desk, wish: w.CancelBooking) -> str:
    member = finding.member(desk, wish.who)
    booking = _booking(desk, member, wish.spot)
    done = desk.write("bookings__cancel_for_member", booking_id=booking.id)
    return _about_booking(desk, "unbooked", member, done.one, booking)


def _booking(desk: Desk, member: Row, spot: w.Spot) -> Row:
    """A member's booking from today on; without a day the next weeks are looked through."""
    first = spot.day or desk.today
    last = spot.day or desk.today + _AHEAD
    found = desk.read("bookings__list", member_id=member.id, **finding.between(first, last))
    booking = finding.of_bookings(desk, found.rows, spot)
    if booking is None:
        raise Over("no_booking", member=member.person)
    return booking


def _move(desk: Desk, wish: w.Move) -> str:
    """'Move open gym from ...' and 'move Dana from ...' look alike: the day's list tells."""
    if wish.who and not _is_class(desk, wish):
        return _rebook(desk, wish)
    spot = w.Spot(wish.what.name or wish.who, wish.what.day, wish.what.at, wish.what.part)
    row = finding.session(desk, spot)
    if wish.to.at is None or row.moment is None:
        raise Over("which_hour")
    done = desk.write(
        "class_sessions__reschedule",
        class_session_id=row.id,
        date=str(wish.to.day or row.moment.date),
        start_time=f"{_new_start(row, wish):%H:%M}",
    )
    told = Row("", {"class": row.class_name, "when": done.one.get("new", "when")})
    return say(desk.language, "moved", title=speech.title(desk.language, told, done.one))


def _new_start(row: Row, wish: w.Move) -> datetime:
    """A bare hour is the one in the half of the day where the class is now."""
    at = wish.to.at
    if at is None or row.moment is None:
        raise Over("which_hour")
    late = at.vague and at.start.hour < 12 <= row.moment.start.hour  # noqa: PLR2004 - noon
    return datetime.combine(row.moment.date, at.start) + timedelta(hours=12 * late)


def _is_class(desk: Desk, wish: w.Move) -> bool:
    rows = finding.sessions_of(desk, wish.what.day or desk.today).rows
    return not wish.what.name and bool(best(wish.who, [(row, row.class_name) for row in rows]))


def _rebook(desk: Desk, wish: w.Move) -> str:
    member = finding.member(desk, wish.who)
    booking = _booking(desk, member, wish.what)
    at = booking.moment.date if booking.moment else wish.what.day
    to = w.Spot(wish.to.name, wish.to.day or at, wish.to.at, wish.to.part)
    row = finding.session(desk, to)
    done = desk.write("bookings__move", booking_id=booking.id, to_class_session_id=row.id)
    return _about_booking(desk, "rebooked", member, row, done.one)


def _about_booking(desk: Desk, key: str, member: Row, *told: Row) -> str:
    title = speech.title(desk.language, *told)
    return say(desk.language, key, member=member.person, title=title)


def _undo(desk: Desk) -> str:
    """The word itself is the software's; a sentence that means it gets to hear the word."""
    args = {"undoable_only": True, "limit": 1}
    rows = desk.read("read__list_recent_agent_actions", **args).rows
    if not rows:
        return say(desk.language, "undo_none")
    number = rows[0].get("number", "receipt", "no")
    word = " ".join(filter(None, [say(desk.language, "undo_word"), str(number or "")]))
    named = [str(cell) for cell in (rows[0].get("member"), rows[0].get("class")) if cell]
    what = ", ".join(named) or str(rows[0].get("action") or "")
    return say(desk.language, "undo_how", word=word, what=what)
