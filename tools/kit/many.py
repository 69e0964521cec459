"""Doing many things in one call, each by itself, with one card over all of them.

For authors of tools. A tool that does the same to many things decides WHICH in its own function,
in the call's transaction, and says HOW in a step:

    def extend_one(context: Context, args: BulkExtend, item: Item) -> None:
        memberships.extend(context.session, context.actor, UUID(item.id), days=args.days)

    @tool(Effect.WRITE, "POST /memberships/bulk-extend", label="Extend memberships",
          confirm=before_bulk_extend, always=True, undo=SNAPSHOT, step=extend_one)
    def bulk_extend(context: Context, args: BulkExtend) -> Started:
        '''Extend many memberships by the same number of days.'''
        found = memberships.to_extend(context.session, args.filter)
        items = tuple(Item(id=str(one.id), name=one.member) for one in found)
        return Started(items=items, counted="memberships", values={"days": args.days})

Up to `AT_ONCE` items are done in the call itself: the card is its `Done`, as of any write. More
become a background task: the card is a `Progress`, a worker does a chunk after the other, and the
person is told the `Done` at the end, where they asked and on their pages. Each chunk commits its
effects, the touched rows and the progress together, so a killed worker's task goes on where it
was, no item twice. The undo of the call takes all chunks back; while it runs it is stopped first.

What holds for a step:
- It does one item, through the session, and commits nothing. It may not count on the earlier items
  of the call being in the same transaction, nor on the order of their rows.
- A StudioError leaves this item out, rolled back alone, named on the card with the reason; the
  others go on. Nothing else needs to be caught.
- It may return what to add to `Started.values` under the same name: the credits given back, say.
- It reads and writes the database only. What leaves the building goes through `app.core.outbox`.
- What is to be done once for several items, in their transaction, does `after=`, a function of
  `(context, args, items)`: it is called at the end of each chunk, and of a call that does all.
- What it needs from another service gets `fetch=`, a function of `(outside, args, item)` that a
  worker calls before the step, outside of any transaction; the step finds what it returned in
  `item.fetched`. Such a tool is always a task, one item a chunk; a StudioError there leaves the
  item out like one of the step's.

Words: `<tool>.done` with `{done}` (a count phrase) and the values; `<tool>.undone` too; while it
runs `<tool>.progress` with `{done}` and `{total}`, else the words for any task.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from tools.kit import failures, rows
from tools.kit.cards import Done, Failed, LeftOut
from tools.kit.declare import Args, Context, Item, Started, Sums, Tool
from tools.kit.values import Amount, Count, Line, Names, Value

REASONS: Final = 3
"""So many reasons are told of one call, the most frequent first."""

_log = structlog.get_logger(__name__)


class NotMany(TypeError):
    """A tool that returned `Started` and has no step: a fault of ours."""


@dataclass(frozen=True, slots=True)
class Missed:
    """An item that didn't go through."""

    name: str
    why: Failed


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of so many items."""

    done: int = 0
    failed: int = 0
    values: Mapping[str, Value] = field(default_factory=dict)
    """Those of the words, with what the steps added."""
    missed: tuple[Missed, ...] = ()


def do_items(
    context: Context, tool: Tool[Any], args: Args, items: Sequence[Item], tally: Tally
) -> Tally:
    """Do these in this transaction, each in a savepoint; the tally with what came of them.

    Raises what another try of the whole may mend: a lost connection, a deadlock.
    """
    for item in items:
        match _do(context, tool, args, item):
            case Failed() as why:
                tally = missed(tally, item, why)
            case sums:
                values = added(tally.values, sums)
                tally = Tally(tally.done + 1, tally.failed, values, tally.missed)
    if tool.after is not None:
        tool.after(context, args, items)
    return tally


def missed(tally: Tally, item: Item, why: Failed) -> Tally:
    """One more that didn't go through."""
    all_missed = (*tally.missed, Missed(item.name, why))
    return Tally(tally.done, tally.failed + 1, tally.values, all_missed)


def do_at_once(context: Context, tool: Tool[Any], args: Args, started: Started) -> Done:
    """All of them within the call; what a single one raises is the call's failure."""
    if len(started.items) == 1:
        return do_or_fail(context, tool, args, started)
    tally = do_items(context, tool, args, started.items, Tally(values=started.values))
    return told(tool.name, started, tally)


def do_or_fail(context: Context, tool: Tool[Any], args: Args, started: Started) -> Done:
    """All of them within the call, or none: raises what the first one raises that fails."""
    values: Mapping[str, Value] = started.values
    for item in started.items:
        values = added(values, _step(context, tool, args, item))
    if tool.after is not None:
        tool.after(context, args, started.items)
    return told(tool.name, started, Tally(done=len(started.items), values=values))


def told(name: str, started: Started, tally: Tally, *notes: Line) -> Done:
    """The card over all of them."""
    return Done(
        of=name,
        values={"done": Count(n=tally.done, of=started.counted), **tally.values},
        notes=(*started.notes, *notes),
        left_out=_left_out(tally.missed),
        ref=started.ref,
    )


def added(values: Mapping[str, Value], sums: Sums) -> dict[str, Value]:
    """The values with what a step adds to them. Raises TypeError for two that can't be added."""
    return {**values, **{name: _sum(values.get(name), more) for name, more in sums.items()}}


def _do(context: Context, tool: Tool[Any], args: Args, item: Item) -> Sums | Failed:
    """By itself: what it did before it failed is rolled back, and so what the database finds."""
    session = context.session
    try:
        with session.begin_nested():
            sums = _step(context, tool, args, item)
            rows.check_now(session)
        rows.check_later(session)
    except Exception as error:
        ordinary = failures.ordinary(error)
        if ordinary is not None:
            return failures.failed(ordinary)
        if failures.may_pass(error) or isinstance(error, NotMany):
            raise
        _log.error("step_broke", tool=tool.name, item=item.id, exc_info=error)
        return Failed(code="internal")
    return sums


def _step(context: Context, tool: Tool[Any], args: Args, item: Item) -> Sums:
    if tool.step is None:
        raise NotMany(tool.name)
    return tool.step(context, args, item) or {}


def _sum(have: Value | None, more: Count | Amount | int) -> Value:
    match have, more:
        case None, _:
            return more
        case Count(n=n, of=of), Count(n=m, of=same) if of == same:
            return Count(n=n + m, of=of)
        case Amount(minor=n, currency=currency), Amount(minor=m, currency=same) if currency == same:
            return Amount(minor=n + m, currency=currency)
        case int(), int():
            return have + more
        case _:
            raise TypeError(f"{have!r} and {more!r} don't add up")


def _left_out(missed: Sequence[Missed]) -> tuple[LeftOut, ...]:
    """By reason; the first one of each speaks for all."""
    often = Counter(one.why.code for one in missed)
    return tuple(
        LeftOut(
            names=Names(all=tuple(one.name for one in missed if one.why.code == code)),
            why=next(one.why for one in missed if one.why.code == code),
        )
        for code, _ in often.most_common(REASONS)
    )
