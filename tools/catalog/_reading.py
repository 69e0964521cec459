"""Cards of the caller's own context and of what the assistant did for them."""

from app.messages.views import SegmentView
from app.people import queries as people
from app.studio import queries as studio
from tools.catalog._cards import facts_of
from tools.kit.calls import Outcome
from tools.kit.cards import Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.receipts import Action
from tools.kit.values import Code, Day, Deed, Instant, Line, Name, Term, Value

ACTION_COLUMNS = (
    "label.action",
    "label.member",
    "label.class",
    "label.at",
    "label.number",
    "label.undo_until",
)


def context_card(context: Context) -> Facts:
    org = studio.org(context.session, context.actor.org_id)
    told: dict[str, Value] = {
        "label.name": Name(text=context.actor.name),
        "label.role": Term(key=f"role.{context.actor.role}"),
        "label.timezone": Code(text=org.timezone),
        "label.date": Day(date=studio.today(context.session, org.id, context.now)),
        "label.currency": Code(text=org.currency),
        "label.weight_unit": Code(text=org.weight_unit),
    }
    return Facts(
        title=Line(key="read.get_current_context.title", values={"gym": Name(text=org.name)}),
        facts=facts_of(told),
        ref=_own_place(context),
    )


def segments_card(found: list[SegmentView]) -> Table:
    """The gym's own groups by their names, those of every gym in the reader's words."""
    rows = tuple(
        TableRow(
            id=str(one.id),
            cells=(
                Name(text=one.name) if one.name else Term(key=f"segment.{one.slug}"),
                one.members,
            ),
        )
        for one in found
    )
    columns = ("label.segment", "label.members")
    title = Line(key="read.list_segments.title")
    return Table(title=title, columns=columns, rows=rows, total=len(rows))


def _own_place(context: Context) -> Ref | None:
    """The caller as one of the team, as coach_id wants them."""
    own = people.staff_of_user(context.session, context.actor.user_id)
    return Ref(entity="staff", id=own.id) if own else None


def actions_card(found: list[Action], zone: str) -> Table:
    return Table(
        title=Line(key="read.list_recent_agent_actions.title"),
        columns=ACTION_COLUMNS,
        rows=tuple(_action_row(one, zone) for one in found),
        total=len(found),
    )


def _action_row(action: Action, zone: str) -> TableRow:
    call = action.call
    values = _values(call.outcome)
    cells = (
        Deed(tool=call.tool),
        values.get("member"),
        values.get("class"),
        Instant(at=call.created_at, zone=zone),
        call.receipt,
        Instant(at=action.undo_until, zone=zone) if action.undo_until else None,
    )
    return TableRow(id=str(call.id), cells=cells)


def _values(outcome: object) -> dict[str, Value]:
    """What a write said it did."""
    card = Outcome.model_validate(outcome).card if outcome else None
    return card.values if isinstance(card, Done) else {}
