"""Cards of leads: what is shown, asked and told."""

from collections.abc import Callable
from uuid import UUID

from app.bookings import queries as bookings
from app.leads import queries, service
from app.leads.service import Added
from app.leads.terms import ActivityKind
from app.leads.views import ActivityView, LeadFilter, LeadView, StageView
from app.memberships import queries as memberships
from app.people import queries as people
from app.people.views import MemberView
from app.studio import queries as studio
from app.studio.paging import Cut
from app.tasks import queries as tasks
from i18n import Language, Shown, phrase
from tools.catalog import _lead_args as args_of
from tools.catalog._cards import facts_of, moment
from tools.catalog._when import day_of, instant_of, shown_at, today_of, zone_of
from tools.kit.cards import Confirm, Done, Fact, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Instant, Line, Name, Quote, Term, Value

LEAD_COLUMNS = (
    "label.lead",
    "label.phone",
    "label.stage",
    "label.source",
    "label.next_follow_up",
    "label.owner",
)
_ACTIVITY = ("label.at", "label.activity", "label.stage", "label.outcome", "label.by", "label.note")
_TASK = ("label.task", "label.due", "label.assignee")
_OLDEST = ("label.lead", "label.since", "label.next_follow_up", "label.owner")
_RECENT = Cut(limit=10)


def wanted(context: Context, args: args_of.Leads) -> LeadFilter:
    org = studio.org(context.session, context.actor.org_id)
    since, _ = studio.instants(org, args.created_after, None)
    before = args.follow_up_before
    return LeadFilter(
        q=args.q,
        stages=args.stage,
        sources=args.source,
        owner_id=args.owner_id,
        created_since=since,
        follow_up_before=instant_of(context, before) if before else None,
    )


def of(context: Context, args: args_of.Pipeline) -> LeadFilter:
    """Raises NotFound for somebody who isn't on the team: zeros would say they have no leads."""
    if args.owner_id is not None:
        people.staff(context.session, args.owner_id)
    return LeadFilter(owner_id=args.owner_id, sources=args.source)


def row_in(context: Context) -> Callable[[LeadView], TableRow]:
    zone = zone_of(context)
    return lambda view: TableRow(
        id=str(view.id),
        cells=(
            Name(text=view.name),
            Code(text=view.phone),
            Term(key=f"lead_stage.{view.stage}"),
            Term(key=f"lead_source.{view.source}"),
            shown_at(view.next_follow_up_at, zone),
            Name(text=view.owner) if view.owner else None,
        ),
    )


def facts(context: Context, view: LeadView) -> Facts:
    told = {**_person(view), **_progress(context, view)}
    return Facts(
        title=Line(key="leads.get.title", values={"lead": Name(text=view.name)}),
        facts=facts_of(told),
        ref=_ref(view),
        tables=(_tasks(context, view), _activities(context, view)),
    )


def pipeline(context: Context, stages: tuple[StageView, ...]) -> Facts:
    zone = zone_of(context)
    total = sum(one.count for one in stages)
    return Facts(
        title=Line(key="leads.get_pipeline.title", values={"leads": total}),
        facts=tuple(Fact(label=f"lead_stage.{one.stage}", value=one.count) for one in stages),
        tables=tuple(_oldest(one, zone) for one in stages if one.count),
    )


def created(context: Context, made: Added | MemberView) -> Done:
    """The new lead, or who has this phone already."""
    if isinstance(made, MemberView):
        return _is_member(made)
    view = queries.lead(context.session, made.lead_id)
    told = done(context, "leads.create", view)
    return (
        told if made.is_new else told.model_copy(update={"values": {**told.values, "known": True}})
    )


def done(context: Context, of: str, view: LeadView) -> Done:
    return Done(of=of, values=values(context, view), ref=_ref(view))


def values(context: Context, view: LeadView) -> dict[str, Value]:
    """The names that every card about a lead uses."""
    told: dict[str, Value | None] = {
        "lead": Name(text=view.name),
        "phone": Code(text=view.phone),
        "stage": Term(key=f"lead_stage.{view.stage}"),
        "owner": Name(text=view.owner) if view.owner else None,
        "follow_up": shown_at(view.next_follow_up_at, zone_of(context)),
        "reason": Term(key=f"lost_reason.{view.lost_reason}") if view.lost_reason else None,
    }
    return {key: one for key, one in told.items() if one is not None}


def logged(context: Context, args: args_of.Logging) -> Done:
    view = queries.lead(context.session, args.lead_id)
    told = done(context, "leads.log_activity", view)
    more: dict[str, Value] = {"activity": Term(key=f"lead_activity.{args.kind}")}
    if args.outcome is not None:
        more["outcome"] = Term(key=f"lead_outcome.{args.outcome}")
    return told.model_copy(update={"values": {**told.values, **more}})


def activity(context: Context, args: args_of.Logging) -> service.NewActivity:
    at = instant_of(context, args.occurred_at) if args.occurred_at else None
    return service.NewActivity(ActivityKind(args.kind), args.body, args.outcome, at)


def follow_up(context: Context, args: args_of.FollowingUp) -> service.FollowUp:
    """Its task is called in the language of whoever asks for it."""
    view = queries.lead(context.session, args.lead_id)
    language = Language.of(context.actor.language)
    title = phrase("leads.follow_up_task", language, {"lead": Shown(view.name)})
    at = instant_of(context, args.due_at)
    return service.FollowUp(at, title, args.note, args.assignee_id)


def converted(context: Context, lead_id: UUID, made: service.Converted) -> Done:
    """`plan` where one was sold; a member who was there already is said to be."""
    view = queries.lead(context.session, lead_id)
    told: dict[str, Value] = {"lead": Name(text=view.name)}
    if made.membership_id is not None:
        today = today_of(context)
        plans = memberships.covers(context.session, made.member_id, today)
        sold = next(one.plan for one in plans if one.membership_id == made.membership_id)
        told["plan"] = Name(text=sold)
    notes = () if made.is_new else (Line(key="leads.convert.was_member", values=told),)
    ref = Ref(entity="member", id=made.member_id)
    return Done(of="leads.convert", values=told, notes=notes, ref=ref)


def ask_delete(context: Context, args: args_of.OneLead) -> Confirm:
    view = queries.lead(context.session, args.lead_id)
    history = queries.activities(context.session, view.id, cut=Cut(limit=1)).total
    open_tasks = len(tasks.open_about_lead(context.session, view.id))
    effect = Line(key="leads.delete.effect", values={"activities": history, "tasks": open_tasks})
    effects = (effect,) if history or open_tasks else ()
    return Confirm(of="leads.delete", values=values(context, view), effects=effects, ref=_ref(view))


def _is_member(member: MemberView) -> Done:
    told: dict[str, Value] = {"lead": Name(text=member.name), "member": True}
    ref = Ref(entity="member", id=member.id, version=member.version)
    return Done(of="leads.create", values=told, ref=ref)


def _person(view: LeadView) -> dict[str, Value | None]:
    return {
        "label.phone": Code(text=view.phone),
        "label.email": Code(text=view.email) if view.email else None,
        "label.language": Term(key=f"language.{view.language}"),
        "label.source": Term(key=f"lead_source.{view.source}"),
        "label.campaign": Name(text=view.campaign) if view.campaign else None,
        "label.interest": Quote(text=view.interest) if view.interest else None,
        "label.notes": Quote(text=view.notes) if view.notes else None,
    }


def _progress(context: Context, view: LeadView) -> dict[str, Value | None]:
    zone = zone_of(context)
    return {
        "label.stage": Term(key=f"lead_stage.{view.stage}"),
        "label.since": day_of(view.stage_since, zone),
        "label.reason": Term(key=f"lost_reason.{view.lost_reason}") if view.lost_reason else None,
        "label.owner": Name(text=view.owner) if view.owner else None,
        "label.next_follow_up": shown_at(view.next_follow_up_at, zone),
        "label.trial": _trial(context, view),
        "label.became_member": _member(context, view),
        "label.came_in": day_of(view.created_at, zone),
    }


def _trial(context: Context, view: LeadView) -> Value | None:
    if view.trial_booking_id is None:
        return None
    language = context.actor.language
    return moment(bookings.booking_view(context.session, view.trial_booking_id, language).slot)


def _member(context: Context, view: LeadView) -> Name | None:
    if view.converted_member_id is None:
        return None
    return Name(text=people.member(context.session, view.converted_member_id).name)


def _tasks(context: Context, view: LeadView) -> Table:
    zone = zone_of(context)
    rows = tuple(
        TableRow(
            id=str(one.id),
            cells=(
                Name(text=one.title),
                shown_at(one.due_at, zone),
                Name(text=one.assignee) if one.assignee else None,
            ),
        )
        for one in tasks.open_about_lead(context.session, view.id)
    )
    return Table(title=Line(key="leads.get.tasks"), columns=_TASK, rows=rows, total=len(rows))


def _activities(context: Context, view: LeadView) -> Table:
    zone = zone_of(context)
    found = queries.activities(context.session, view.id, cut=_RECENT)
    return Table(
        title=Line(key="leads.get.activities"),
        columns=_ACTIVITY,
        rows=tuple(_activity_row(one, zone) for one in found.rows),
        total=found.total,
    )


def _activity_row(one: ActivityView, zone: str) -> TableRow:
    cells = (
        Instant(at=one.at, zone=zone),
        Term(key=f"lead_activity.{one.kind}"),
        Term(key=f"lead_stage.{one.stage}") if one.stage else None,
        Term(key=f"lead_outcome.{one.outcome}") if one.outcome else None,
        Name(text=one.by) if one.by else None,
        Quote(text=one.body) if one.body else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def _oldest(stage: StageView, zone: str) -> Table:
    rows = tuple(
        TableRow(
            id=str(one.id),
            cells=(
                Name(text=one.name),
                day_of(one.stage_since, zone),
                shown_at(one.next_follow_up_at, zone),
                Name(text=one.owner) if one.owner else None,
            ),
        )
        for one in stage.oldest
    )
    title = Line(
        key="leads.get_pipeline.stage", values={"stage": Term(key=f"lead_stage.{stage.stage}")}
    )
    return Table(title=title, columns=_OLDEST, rows=rows, total=stage.count)


def _ref(view: LeadView) -> Ref:
    return Ref(entity="lead", id=view.id, version=view.version)
