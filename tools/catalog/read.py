"""Looking things up, and asking the person which of them is meant."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from pydantic import Field

from app.core.actor import Role
from app.core.embedding import meanings_of
from app.messages import queries as messages
from app.people import queries as people
from app.people.terms import MemberStatus
from app.schedule import queries as schedule
from i18n import N_
from tools import finding, meaning
from tools.catalog import _finding, _people, _reading, _workout_results
from tools.catalog._args import Listed, MemberId
from tools.catalog._finding import AuditLog, History, Search
from tools.catalog._when import zone_of
from tools.catalog._workout_args import MemberResults, SearchExercises
from tools.kit import receipts
from tools.kit.cards import Facts, FoundTool, Option, Pick, Picked, Table, ToolsFound
from tools.kit.declare import ADMIN, Args, Context, Effect, Tool, tool
from tools.kit.registry import discover
from tools.kit.values import Line, Name

LATELY: Final = timedelta(days=14)
"""What was done since then is a little likelier to be done again."""


class Wanted(Args):
    q: str = Field(
        min_length=1,
        max_length=finding.LONGEST,
        description="What is to be done, in the person's words or in yours.",
    )
    page: str = Field(default="", max_length=300, description="The page they look at, if any.")

    @property
    def meant(self) -> str:
        return self.q


class Nothing(Args):
    """No arguments."""


class FindMembers(Listed):
    q: str = Field(
        min_length=1,
        max_length=100,
        description="Part of a name in any script, a nickname, phone digits or e-mail.",
    )
    status: tuple[MemberStatus, ...] = Field(
        default=(), max_length=6, description="Only these; empty: all but archived."
    )


class OneMember(Args):
    member_id: MemberId


class Staff(Args):
    role: Role | None = Field(default=None, description="Only this role.")
    active: bool | None = Field(default=True, description="null: also who left.")


class Candidate(Args):
    id: str = Field(min_length=1, max_length=64, description="Its id, given back as chosen.")
    label: str = Field(min_length=1, max_length=80, description="A name, as it is written.")
    sublabel: str | None = Field(
        default=None, max_length=80, description="What tells it from the others: time, plan, phone."
    )


class Picking(Args):
    question: str = Field(
        min_length=1, max_length=200, description="One short question in the person's language."
    )
    options: tuple[Candidate, ...] = Field(min_length=2, max_length=9)
    entity_type: str | None = Field(
        default=None, max_length=40, description="What they are: member, class_session, ..."
    )
    allow_none: bool = Field(default=True, description="Whether none of them may be the answer.")


class Segments(Args):
    include_counts: bool = Field(default=True, description="Also count who is in each.")


class Recent(Args):
    limit: int = Field(default=20, ge=1, le=100, description="Rows wanted.")
    conversation_id: UUID | None = Field(default=None, description="Only of this conversation.")
    undoable_only: bool = Field(default=False, description="Only what can still be undone.")


def ask_pick(_: Context, args: Picking) -> Pick:
    return Pick(
        ask=Line(key="pick.question", values={"question": Name(text=args.question)}),
        options=tuple(map(_option, args.options)),
        allow_none=args.allow_none,
    )


def _option(one: Candidate) -> Option:
    sublabel = Name(text=one.sublabel) if one.sublabel else None
    return Option(id=one.id, label=Name(text=one.label), sublabel=sublabel)


@tool(Effect.READ, "GET /context", label=N_("Show who and where I am"), offered=False)
def get_current_context(context: Context, args: Nothing) -> Facts:  # noqa: ARG001 - a tool has both
    """Return org, caller, role, timezone, today and units."""
    return _reading.context_card(context)


@tool(Effect.READ, "GET /tools/search", label=N_("Find the right tool"), core=True)
def find_tools(context: Context, args: Wanted) -> ToolsFound:
    """Find tools that you don't see, by what is to be done; from then on you can call them."""
    offered = discover(__package__).for_role(context.actor.role)
    deferred = [one for one in offered if not one.core]
    found = finding.find(deferred, args.q, _beside(context, args, deferred))
    return ToolsFound(tools=tuple(FoundTool(name=o.wire_name, label=o.label) for o in found))


def _beside(context: Context, args: Wanted, tools: Sequence[Tool[Any]]) -> finding.Beside:
    """A vector that isn't there by now is done without."""
    meanings = meanings_of(context.session)
    vector, model = meanings.of(args.q), meanings.model
    names = [one.name for one in tools]
    near = meaning.of(model).nearest(args.q, vector, names) if vector and model else ()
    used = receipts.used_since(context.session, context.actor, context.now - LATELY)
    return finding.Beside(near, args.page, used)


@tool(
    Effect.READ,
    "POST /agent/picks",
    label=N_("Ask which one is meant"),
    confirm=ask_pick,
    core=True,
)
def ask_user_to_pick(context: Context, args: Picking) -> Picked:
    """Ask the person which of 2 to 9 candidates they mean, when more than one is plausible."""
    options = {one.id: _option(one) for one in args.options}
    return Picked(option=options.get(context.choice or ""))


@tool(Effect.READ, "GET /members/search", label=N_("Find members"), quick=True, core=True)
def find_members(context: Context, args: FindMembers) -> Table:
    """Find members by part of a name, nickname, phone or email, across Hebrew, Latin, Cyrillic."""
    found = people.find_members(context.session, args.q, statuses=args.status, cut=args.cut)
    return Table(
        title=Line(key="read.find_members.title", values={"q": Name(text=args.q)}),
        columns=_people.MEMBER_COLUMNS,
        rows=_people.member_rows(context, found.rows),
        total=found.total,
        cursor=found.cursor,
    )


@tool(Effect.READ, "GET /members/{member_id}", label=N_("Show a member"), quick=True, core=True)
def get_member(context: Context, args: OneMember) -> Facts:
    """Show one member: contact, membership, credits, next booking, last visit, flags, notes."""
    return _people.profile(context, people.profile(context.session, args.member_id))


@tool(
    Effect.READ,
    "GET /members/{member_id}/timeline",
    label=N_("Show a member's history"),
)
def get_member_timeline(context: Context, args: History) -> Table:
    """Show a member's dated history: classes, memberships, freezes, notes, messages, forms."""
    member = people.member(context.session, args.member_id)
    return _finding.history(context, member, args)


@tool(Effect.READ, "GET /search", label=N_("Search everything"), quick=True)
def search(context: Context, args: Search) -> Table:
    """Search members, leads, classes, workouts, programs and exercises at once by free text."""
    return _finding.found(context, args)


@tool(Effect.READ, "GET /staff", label=N_("List the team"), quick=True, core=True)
def list_staff(context: Context, args: Staff) -> Table:
    """List coaches, admins and owners with their role and the class types they coach."""
    actor = context.actor
    found = people.list_staff(context.session, role=args.role, active=args.active)
    types = schedule.list_class_types(context.session, actor.org_id, actor.language, active=None)
    names = {one.id: one.name for one in types}
    rows = tuple(_people.staff_row(one, names) for one in found)
    title = Line(key="read.list_staff.title")
    return Table(title=title, columns=_people.STAFF_COLUMNS, rows=rows, total=len(rows))


@tool(Effect.READ, "GET /segments", label=N_("List saved groups"))
def list_segments(context: Context, args: Segments) -> Table:
    """List saved groups of members to write to, with how many are in each now."""
    actor = context.actor
    found = messages.segments(
        context.session,
        actor.org_id,
        counts=args.include_counts,
        unpaid=actor.role.at_least(Role.ADMIN),
        now=context.now,
    )
    return _reading.segments_card(found)


@tool(Effect.READ, "GET /audit-log", label=N_("Show the audit log"), role=ADMIN)
def get_audit_log(context: Context, args: AuditLog) -> Table:
    """Show who changed what and when, by people, through the assistant or by programs."""
    return _finding.audit_log(context, args)


@tool(Effect.READ, "GET /agent/actions", label=N_("List what the assistant did"), core=True)
def list_recent_agent_actions(context: Context, args: Recent) -> Table:
    """List the caller's recent assistant writes, and until when each can still be undone."""
    found = receipts.recent(
        context.session,
        context.actor,
        limit=args.limit,
        conversation_id=args.conversation_id,
        undoable_only=args.undoable_only,
    )
    zone = zone_of(context)
    return _reading.actions_card(found, zone)


@tool(Effect.READ, "GET /exercises/search", label=N_("Find exercises"), quick=True)
def search_exercises(context: Context, args: SearchExercises) -> Table:
    """Resolve a movement's name, abbreviation or alias, in any language, to exercises."""
    return _workout_results.exercises(context, args)


@tool(
    Effect.READ, "GET /members/{member_id}/results", label=N_("Show a member's results"), quick=True
)
def get_member_results(context: Context, args: MemberResults) -> Facts:
    """Show a member's logged scores, and the heaviest they lifted."""
    return _workout_results.member_results(context, args)
