"""Arguments and cards of the tools for invitations. The link itself is never among them."""

from collections.abc import Callable, Iterator
from typing import Self
from uuid import UUID

from pydantic import Field, model_validator

from app.desk import queries as desk
from app.people import service
from app.people.service import Invited, NewInvitation
from app.people.terms import Channel, InvitationKind, InvitationStatus
from app.people.views import InvitationView
from app.studio import queries as studio
from i18n import Language as Tongue
from i18n import Shown, phrase
from tools.catalog._args import Listed, OneLine
from tools.catalog._when import zone_of
from tools.catalog.memberships._member_args import Email, Language, Named, Phone
from tools.kit.cards import Confirm, Done, Ref, TableRow
from tools.kit.declare import Args, Context
from tools.kit.values import Code, Instant, Line, Name, Quote, Term, Value

COLUMNS = (
    "label.name",
    "label.kind",
    "label.contact",
    "label.channel",
    "label.status",
    "label.sent_at",
    "label.until",
    "label.invited_by",
)
NO_LINK = "..."
"""Stands for the link, which is made as the message leaves and known to its reader alone."""


class Invitations(Listed):
    status: InvitationStatus | None = None
    kind: InvitationKind | None = None


class InviteMember(Args):
    first_name: Named
    last_name: OneLine = Field(default="", max_length=60)
    phone: Phone | None = Field(default=None, description="For SMS and WhatsApp, as written.")
    email: Email | None = None
    channel: Channel
    plan_id: UUID | None = Field(default=None, description="What they mean to buy; sells nothing.")
    language: Language | None = Field(default=None, description="Of the message; else the gym's.")

    @model_validator(mode="after")
    def _has_an_address(self) -> Self:
        wanted = "email" if self.channel is Channel.EMAIL else "phone"
        if getattr(self, wanted) is None:
            raise ValueError(f"this channel needs {wanted}")
        return self

    @property
    def new(self) -> NewInvitation:
        return NewInvitation(
            first_name=self.first_name,
            last_name=self.last_name,
            phone=self.phone,
            email=self.email,
            channel=self.channel,
            plan_id=self.plan_id,
            language=self.language,
        )


class OneInvitation(Args):
    invitation_id: UUID = Field(description="The invitation, by id from list_invitations.")


class Resend(OneInvitation):
    channel: Channel | None = Field(default=None, description="Else as before.")


def row_in(context: Context) -> Callable[[InvitationView], TableRow]:
    zone = zone_of(context)

    def row(one: InvitationView) -> TableRow:
        pending = one.status is InvitationStatus.PENDING
        cells = (
            Name(text=one.name),
            Term(key=f"invitation_kind.{one.kind}"),
            Code(text=one.address),
            Term(key=f"channel.{one.channel}"),
            Term(key=f"invitation.{one.status}"),
            Instant(at=one.sent_at, zone=zone) if one.sent_at else None,
            Instant(at=one.expires_at, zone=zone) if pending else None,
            Name(text=one.invited_by) if one.invited_by else None,
        )
        return TableRow(id=str(one.id), cells=cells)

    return row


def ask_invite(context: Context, args: InviteMember) -> Confirm:
    meant = tuple(_plan(context, args.plan_id))
    told = service.preview_invite(context.session, context.actor, args.new, now=context.now)
    # It is about nothing yet: what it makes has no id before it is made.
    return _asked(context, "memberships.invite_member", told, meant).model_copy(
        update={"ref": None}
    )


def invited(context: Context, args: InviteMember) -> Done:
    meant = tuple(_plan(context, args.plan_id))
    told = service.invite(context.session, context.actor, args.new, now=context.now)
    return _done(context, "memberships.invite_member", told, meant)


def ask_resend(context: Context, args: Resend) -> Confirm:
    told = service.preview_resend(
        context.session, args.invitation_id, channel=args.channel, now=context.now
    )
    return _asked(context, "memberships.resend_invitation", told)


def resent(context: Context, args: Resend) -> Done:
    told = service.resend(
        context.session, args.invitation_id, channel=args.channel, now=context.now
    )
    return _done(context, "memberships.resend_invitation", told)


def ask_revoke(context: Context, args: OneInvitation) -> Confirm:
    found = service.preview_revoke(context.session, args.invitation_id, now=context.now)
    of = "memberships.revoke_invitation"
    effects = (Line(key=f"{of}.effect"),)
    return Confirm(of=of, values=_values(found), effects=effects, ref=_ref(found))


def revoked(context: Context, args: OneInvitation) -> Done:
    found = service.revoke(context.session, args.invitation_id, now=context.now)
    return Done(of="memberships.revoke_invitation", values=_values(found), ref=_ref(found))


def _plan(context: Context, plan_id: UUID | None) -> Iterator[Line]:
    """What they mean to buy. Raises NotFound where there is no such plan."""
    if plan_id is not None:
        plan = Name(text=desk.plan_name(context.session, plan_id))
        yield Line(key="memberships.invite_member.effect_plan", values={"plan": plan})


def _asked(context: Context, of: str, told: Invited, meant: tuple[Line, ...] = ()) -> Confirm:
    found = told.invitation
    effects = (_text(context, found), *meant, *_held(context, told))
    return Confirm(of=of, values=_values(found), effects=effects, ref=_ref(found))


def _done(context: Context, of: str, told: Invited, meant: tuple[Line, ...] = ()) -> Done:
    found = told.invitation
    notes = (*meant, *_held(context, told))
    return Done(of=of, values=_values(found), notes=notes, ref=_ref(found))


def _values(found: InvitationView) -> dict[str, Value]:
    return {
        "name": Name(text=found.name),
        "contact": Code(text=found.address),
        "channel": Term(key=f"channel.{found.channel}"),
    }


def _ref(found: InvitationView) -> Ref:
    return Ref(entity="invitation", id=found.id, version=found.version)


def _text(context: Context, found: InvitationView) -> Line:
    """All that they will read, in their language, but the link."""
    gym = studio.org(context.session, context.actor.org_id).name
    values = {"gym": Shown(gym, "typed"), "link": Shown(NO_LINK, "ltr")}
    text = phrase("notice.invitation", Tongue.of(found.language), values)
    return Line(key="memberships.invite_member.effect_text", values={"text": Quote(text=text)})


def _held(context: Context, told: Invited) -> Iterator[Line]:
    """When it goes out, where that isn't now."""
    if told.goes_at is not None:
        zone = zone_of(context)
        at = Instant(at=told.goes_at, zone=zone)
        yield Line(key="memberships.invite_member.effect_held", values={"at": at})
