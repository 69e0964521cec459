"""Tools for members and invitations."""

from app.desk import erasing as desk_erasing
from app.desk import leaving
from app.desk import queries as desk
from app.people import queries, service
from app.studio import queries as studio
from i18n import N_
from tools.catalog._cards import listing
from tools.catalog._when import today_of
from tools.catalog.memberships import _invitations, _member_cards
from tools.catalog.memberships._invitations import (
    Invitations,
    InviteMember,
    OneInvitation,
    Resend,
)
from tools.catalog.memberships._member_args import (
    AddNote,
    Archive,
    CreateMember,
    Erase,
    OneMember,
    Roster,
    Suspend,
    UpdateMember,
)
from tools.kit import erasing
from tools.kit.cards import Done, Table
from tools.kit.declare import ADMIN, OWNER, SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /members", label=N_("List members"), quick=True)
def list_members(context: Context, args: Roster) -> Table:
    """List members with status, plan, last visit and tags; by status, plan, tag or last visit."""
    found = desk.roster(
        context.session, context.actor.org_id, args.wanted, now=context.now, cut=args.cut
    )
    title = Line(key="memberships.list_members.title")
    return listing(title, _member_cards.ROSTER_COLUMNS, found, _member_cards.roster_row_in(context))


@tool(
    Effect.WRITE,
    "POST /members",
    label=N_("Add a member"),
    role=ADMIN,
    undo="archive_member",
)
def create_member(context: Context, args: CreateMember) -> Done:
    """Add a member without inviting them; a known phone or e-mail points to who has it."""
    org = studio.org(context.session, context.actor.org_id)
    made = service.create_member(
        context.session,
        context.actor,
        args.new(org.language),
        today=studio.today(context.session, org.id, context.now),
        shared=args.shares_contact,
    )
    return _member_cards.created(made)


@tool(
    Effect.WRITE,
    "PATCH /members/{member_id}",
    label=N_("Change a member's details"),
    undo=SNAPSHOT,
)
def update_member(context: Context, args: UpdateMember) -> Done:
    """Change a member's name, contact, language, tags, weight unit, coach, emergency contact."""
    done = service.update_member(
        context.session,
        context.actor,
        args.member_id,
        args.changes,
        today=today_of(context),
        expected_version=args.expected_version,
        shared=args.shares_contact,
    )
    return _member_cards.updated(done)


@tool(
    Effect.WRITE,
    "POST /members/{member_id}/notes",
    label=N_("Add a note about a member"),
    undo=SNAPSHOT,
)
def add_note(context: Context, args: AddNote) -> Done:
    """Add a note about a member for the team to see, as an injury; the member never sees it."""
    note = service.add_note(context.session, context.actor, args.member_id, args.new)
    return _member_cards.noted(queries.member(context.session, args.member_id), note)


@tool(
    Effect.DESTRUCTIVE,
    "POST /members/{member_id}/suspend",
    label=N_("Suspend a member"),
    role=ADMIN,
    confirm=_member_cards.ask_suspend,
    undo="unsuspend_member",
)
def suspend_member(context: Context, args: Suspend) -> Done:
    """Block a member from booking until lifted; the bookings they have stay unless told."""
    left = leaving.suspend(
        context.session,
        context.actor,
        args.member_id,
        now=context.now,
        reason=args.reason,
        cancel_bookings=args.cancel_future_bookings,
    )
    return _member_cards.suspended(left)


@tool(
    Effect.WRITE,
    "POST /members/{member_id}/unsuspend",
    label=N_("Lift a member's suspension"),
    role=ADMIN,
    undo="suspend_member",
)
def unsuspend_member(context: Context, args: OneMember) -> Done:
    """Lift a member's suspension; bookings that were cancelled with it don't come back."""
    member = leaving.unsuspend(context.session, context.actor, args.member_id, now=context.now)
    return _member_cards.back("memberships.unsuspend_member", member)


@tool(
    Effect.DESTRUCTIVE,
    "POST /members/{member_id}/archive",
    label=N_("Archive a member"),
    role=ADMIN,
    confirm=_member_cards.ask_archive,
    undo="restore_member",
)
def archive_member(context: Context, args: Archive) -> Done:
    """Archive a member who left: future bookings and assigned programs go, credits come back."""
    left = leaving.archive(
        context.session, context.actor, args.member_id, now=context.now, reason=args.reason
    )
    return _member_cards.archived(left)


@tool(
    Effect.WRITE,
    "POST /members/{member_id}/restore",
    label=N_("Restore a member from the archive"),
    role=ADMIN,
    undo="archive_member",
)
def restore_member(context: Context, args: OneMember) -> Done:
    """Bring a member back from the archive; they book anew."""
    member = leaving.restore(context.session, context.actor, args.member_id, now=context.now)
    return _member_cards.back("memberships.restore_member", member)


@tool(
    Effect.DESTRUCTIVE,
    "POST /members/{member_id}/erase",
    label=N_("Erase a member's data for good"),
    role=OWNER,
    confirm=_member_cards.ask_erase,
    always=True,
)
def erase_member_data(context: Context, args: Erase) -> Done:
    """Erase a member's personal data for good; ledgers stay without a name. The owner types yes."""
    done = desk_erasing.erase(
        context.session,
        context.actor,
        args.member_id,
        args.legal_basis,
        now=context.now,
        though_owing=args.though_owing,
    )
    erasing.erase(context.session, done.rows, words=done.words)
    return _member_cards.erased(done)


@tool(Effect.READ, "GET /invitations", label=N_("List invitations"), quick=True)
def list_invitations(context: Context, args: Invitations) -> Table:
    """List invitations to members and to the team, with their state and until when they hold."""
    found = queries.invitations(
        context.session, now=context.now, status=args.status, kind=args.kind, cut=args.cut
    )
    title = Line(key="memberships.list_invitations.title")
    return listing(title, _invitations.COLUMNS, found, _invitations.row_in(context))


@tool(
    Effect.WRITE,
    "POST /invitations",
    label=N_("Invite somebody to join"),
    role=ADMIN,
    confirm=_invitations.ask_invite,
    always=True,
    undo="revoke_invitation",
)
def invite_member(context: Context, args: InviteMember) -> Done:
    """Send somebody a link to join as a member, by SMS, WhatsApp or e-mail; good for 7 days."""
    return _invitations.invited(context, args)


@tool(
    Effect.WRITE,
    "POST /invitations/{invitation_id}/resend",
    label=N_("Send an invitation again"),
    role=ADMIN,
    confirm=_invitations.ask_resend,
    always=True,
)
def resend_invitation(context: Context, args: Resend) -> Done:
    """Send an invitation again with a new link, which holds for another 7 days."""
    return _invitations.resent(context, args)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /invitations/{invitation_id}",
    label=N_("Revoke an invitation"),
    role=ADMIN,
    confirm=_invitations.ask_revoke,
    undo=SNAPSHOT,
)
def revoke_invitation(context: Context, args: OneInvitation) -> Done:
    """Revoke an invitation that waits for an answer, so that its link opens nothing."""
    return _invitations.revoked(context, args)
