"""Cards, questions and steps of the tools for Arbox."""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from app.arbox import queries
from app.arbox import service as arbox
from app.arbox.errors import BatchRunning, NotConnected, RollbackRunning, SyncRunning
from app.arbox.port import ArboxApi
from app.arbox.records import Wanted
from app.arbox.terms import Act, Entity
from app.arbox.views import MappingView, Planned, Preview
from app.core.errors import StudioError
from tools.catalog._arbox_args import Chosen, Disconnect, OneBatch, RunImport
from tools.catalog._cards import facts_of
from tools.catalog._when import shown_at, zone_of
from tools.kit import background
from tools.kit.cards import Confirm, Done, Fact, Facts, LinkCard, Ref, Table, TableRow
from tools.kit.declare import Context, Item, Outside, Started, Sums
from tools.kit.values import Code, Count, Line, Name, Term, Value

MAPPING_COLUMNS: Final = ("label.kind", "label.at_arbox", "label.here", "label.status")
PREVIEW_COLUMNS: Final = (
    "label.entity",
    "label.new",
    "label.changed",
    "label.conflicts",
    "label.skipped",
    "label.unchanged",
)
SHOWN: Final = 15
"""Conflicts that are named; all are counted."""
_TOLD: Final = (Act.CREATE, Act.UPDATE, Act.CONFLICT, Act.SKIP, Act.SAME)


class NotImported(StudioError):
    """A record that was left out after all; `why` is a word of the studio."""

    code, status = "arbox_not_imported", 409


def why(code: str | None) -> Term:
    return Term(key=f"arbox_why.{(code or 'arbox_gone').removeprefix('arbox_')}")


def form_link(context: Context) -> LinkCard:
    """The page where the owner enters the key; it opens once, for a quarter of an hour."""
    word = arbox.begin(context.session, context.actor, now=context.now)
    minutes = Count(n=int(arbox.FORM_LIFE.total_seconds() // 60), of="minutes")
    line = Line(key="arbox.connect.link", values={"minutes": minutes})
    return LinkCard(line=line, url=Code(text=f"/connect/arbox/{word}"))


def status(context: Context) -> Facts:
    seen = queries.status(context.session)
    zone = zone_of(context)
    state = "none" if seen.state is None else seen.state.value
    facts: dict[str, Value | None] = {
        "label.status": Term(key=f"arbox_state.{state}"),
        "label.key_ends": None if seen.last4 is None else Code(text=seen.last4),
        "label.connected_at": shown_at(seen.connected_at, zone),
        "label.last_read": shown_at(seen.last_read_at, zone),
        "label.last_error": seen.last_error and Term(key=f"arbox_trouble.{seen.last_error}"),  # type: ignore[dict-item] # None or a term
        "label.unmapped": seen.unmapped or None,
    }
    if seen.last_batch is not None:
        facts["label.last_import"] = shown_at(seen.last_batch.at, zone)
        facts["label.imported"] = seen.last_batch.made + seen.last_batch.changed
    rows = tuple(
        TableRow(id=kind.value, cells=(Term(key=f"arbox_kind.{kind.value}"), count))
        for kind, count in sorted(seen.records.items())
    )
    table = Table(
        title=Line(key="arbox.get_status.records"),
        columns=("label.kind", "label.records"),
        rows=rows,
        total=len(rows),
    )
    return Facts(
        title=Line(key="arbox.get_status.title"),
        facts=facts_of(facts),
        tables=(table,) if rows else (),
        ref=None if seen.last_batch is None else Ref(entity="batch", id=seen.last_batch.id),
    )


def mapping_row(one: MappingView) -> TableRow:
    here: Value | None = Name(text=one.local_name) if one.local_name else None
    if one.stage is not None:
        here = Term(key=f"lead_stage.{one.stage}")
    kind = Term(key=f"arbox_kind.{one.kind.value}")
    state = Term(key=f"arbox_mapping.{one.state.value}")
    return TableRow(id=str(one.id), cells=(kind, Name(text=one.arbox_name), here, state))


def mapped(context: Context, mapping_id: UUID) -> Done:
    seen = queries.mapping(context.session, mapping_id, context.actor.language)
    status = Term(key=f"arbox_mapping.{seen.state.value}")
    values: dict[str, Value] = {"theirs": Name(text=seen.arbox_name), "status": status}
    here = mapping_row(seen).cells[2]
    if here is not None:
        values["ours"] = here
    ref = Ref(entity="mapping", id=seen.id, version=seen.version)
    return Done(of="arbox.update_mapping", values=values, ref=ref)


def preview_card(context: Context, found: Preview) -> Facts:
    read_at = shown_at(found.read_at, zone_of(context))
    conflicts = found.of(Act.CONFLICT)
    return Facts(
        title=Line(key="arbox.preview_import.title"),
        facts=() if read_at is None else (Fact(label="label.last_read", value=read_at),),
        tables=(_counts(found), *_conflicts(conflicts), *_skipped(found.of(Act.SKIP))),
        ref=Ref(entity="preview", id=found.id),
    )


def _counts(found: Preview) -> Table:
    rows = tuple(
        TableRow(
            id=entity.value,
            cells=(
                Term(key=f"arbox_entity.{entity.value}"),
                *(found.count(entity, act) or None for act in _TOLD),
            ),
        )
        for entity in Entity
        if entity in found.entities
    )
    title = Line(key="arbox.preview_import.counts")
    return Table(title=title, columns=PREVIEW_COLUMNS, rows=rows, total=len(rows))


def _conflicts(found: list[Planned]) -> tuple[Table, ...]:
    rows = tuple(
        TableRow(id=str(one.record_id), cells=(Name(text=one.name), why(one.why)))
        for one in found[:SHOWN]
    )
    title = Line(key="arbox.preview_import.conflicts")
    table = Table(title=title, columns=("label.name", "label.reason"), rows=rows, total=len(found))
    return (table,) if rows else ()


def _skipped(found: list[Planned]) -> tuple[Table, ...]:
    counts = Counter((one.kind, one.why) for one in found)
    rows = tuple(
        TableRow(id=f"{kind}:{code}", cells=(Term(key=f"arbox_kind.{kind}"), why(code), count))
        for (kind, code), count in counts.most_common()
    )
    title = Line(key="arbox.preview_import.skipped")
    columns = ("label.kind", "label.reason", "label.records")
    return (Table(title=title, columns=columns, rows=rows, total=len(rows)),) if rows else ()


def recalled(context: Context, args: RunImport) -> Preview:
    """Raises NotFound for a preview that isn't, or no longer stands."""
    return arbox.recalled(context.session, context.actor.org_id, args.preview_id, now=context.now)


def ask_import(context: Context, args: RunImport) -> Confirm:
    found = recalled(context, args)
    counts = Counter(one.act for one in found.planned)
    conflicts = counts[Act.CONFLICT]
    effects = [Line(key="arbox.run_import.effect")]
    if conflicts:
        key = f"arbox.run_import.{args.conflict_policy.value}"
        effects.insert(0, Line(key=key, values={"conflicts": conflicts}))
    values: dict[str, Value] = {
        "created": counts[Act.CREATE],
        "updated": counts[Act.UPDATE],
    }
    return Confirm(of="arbox.run_import", values=values, effects=tuple(effects))


def begin_import(context: Context, args: RunImport) -> Started:
    _check_idle(context)
    found = recalled(context, args)
    batch_id, wanted = arbox.begin_import(
        context.session, context.actor, found, args.conflict_policy
    )
    items = tuple(
        Item(id=str(one.record_id), name=one.name or one.kind.value, more={"batch": str(batch_id)})
        for one in wanted
    )
    return Started(
        items=items,
        counted="records",
        values={"created": 0, "updated": 0},
        ref=Ref(entity="batch", id=batch_id),
    )


def import_one(context: Context, args: RunImport, item: Item) -> Sums:
    batch_id, record_id = UUID(item.more["batch"]), UUID(item.id)
    done = arbox.import_one(context.session, context.actor, batch_id, record_id, now=context.now)
    if done.act is Act.SAME:
        return {}
    if not arbox.applies(done, args.conflict_policy):
        raise NotImported(name=item.name, why=why(done.why))
    return {"created" if done.act is Act.CREATE else "updated": 1}


def leave_alone(context: Context, args: RunImport, items: Sequence[Item]) -> None:  # noqa: ARG001 - as every after
    """Nobody is greeted, reminded or missed for having been imported."""
    arbox.leave_alone(context.session, [UUID(item.id) for item in items], now=context.now)


def ask_rollback(context: Context, args: OneBatch) -> Confirm:
    seen = queries.batch(context.session, args.batch_id)
    _check_idle(context)
    values: dict[str, Value] = {
        "made": seen.made,
        "changed": seen.changed,
    }
    return Confirm(
        of="arbox.rollback_import",
        values=values,
        effects=(Line(key="arbox.rollback_import.effect"),),
        ref=Ref(entity="batch", id=seen.id),
    )


def begin_rollback(context: Context, args: OneBatch) -> Started:
    _check_idle(context)
    found = arbox.rows_of(context.session, args.batch_id, now=context.now)
    return Started(
        items=tuple(Item(id=str(row_id), name=name or "—") for row_id, name in found),
        counted="records",
        values={"removed": 0, "restored": 0},
        ref=Ref(entity="batch", id=args.batch_id),
    )


def take_back(context: Context, args: OneBatch, item: Item) -> Sums:  # noqa: ARG001 - a step's signature
    removed = arbox.take_back(context.session, context.actor, UUID(item.id), now=context.now)
    return {"removed" if removed else "restored": 1}


def _check_idle(context: Context) -> None:
    """One import at a time; and what is still coming in can't be taken back meanwhile.

    What is being taken back comes in anew only afterwards.
    """
    if context.actor.undoing:
        return
    arbox.alone(context.session)
    if background.runs(context.session, "arbox.run_import"):
        raise BatchRunning
    _check_not_taken_back(context)


def _check_not_taken_back(context: Context) -> None:
    if background.runs(context.session, "arbox.rollback_import"):
        raise RollbackRunning


def begin_sync(context: Context, args: Chosen) -> Started:
    """The lists to read, then what follows them; the last item closes the reading."""
    arbox.alone(context.session)
    if background.runs(context.session, "arbox.sync_now"):
        raise SyncRunning
    _check_not_taken_back(context)
    lists, follow = arbox.begin_sync(
        context.session, context.actor, args.wanted, now=context.now, since=args.since
    )
    items = [Item(id=f"{place}", name=one.name, more=_list(one)) for place, one in enumerate(lists)]
    items += [Item(id=one.value, name=one.value, more={"entity": one.value}) for one in follow]
    items.append(Item(id="last", name="arbox", more={"lists": len(lists)}))
    values: dict[str, Value] = {"read": 0, "created": 0, "updated": 0}
    return Started(items=tuple(items), counted="steps", values=values)


def _list(one: Wanted) -> dict[str, object]:
    return {"source": one.source, "path": one.path, "query": one.query}


def fetch_list(outside: Outside, args: Chosen, item: Item) -> list[dict[str, object]]:  # noqa: ARG001 - a fetch's signature
    """The whole list, from Arbox; nothing for what only follows."""
    if "path" not in item.more:
        return []
    api: ArboxApi = outside("arbox")
    return list(api.rows(item.more["path"], item.more["query"]))


def sync_step(context: Context, args: Chosen, item: Item) -> Sums:  # noqa: ARG001 - a step's signature
    session, actor = context.session, context.actor
    if "path" in item.more:
        kept = arbox.read(session, actor, item.more["source"], item.fetched)
        return {"read": kept.read}
    if "entity" in item.more:
        done = arbox.follow(session, actor, Entity(item.more["entity"]), now=context.now)
        return {"created": done.made, "updated": done.changed}
    arbox.finish(session, item.more["lists"], now=context.now)
    return {}


def ask_disconnect(context: Context, args: Disconnect) -> Confirm:
    seen = queries.status(context.session)
    if seen.state is None:
        raise NotConnected
    effects = [Line(key="arbox.disconnect.effect")]
    if not args.keep_mappings:
        effects.append(Line(key="arbox.disconnect.mappings"))
    values: dict[str, Value] = {"key": Code(text=seen.last4)} if seen.last4 else {}
    return Confirm(of="arbox.disconnect", values=values, effects=tuple(effects))
