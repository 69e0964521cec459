"""Reading people: members, their notes, invitations, and who is at work."""

from app.people.queries.invitations import (
    invitation,
    invitation_view,
    invitations,
    last_link,
    waiting_invitation,
)
from app.people.queries.members import (
    HIDDEN,
    find_members,
    gyms_with,
    leaves_at,
    member,
    member_names,
    member_of_login,
    member_view,
    members_at,
    opted_out,
    present,
    profile,
)
from app.people.queries.notes import note_view, notes, seen_by
from app.people.queries.team import (
    actor,
    list_staff,
    names_of_users,
    staff,
    staff_of_user,
    staff_view,
)

__all__ = [
    "HIDDEN",
    "actor",
    "find_members",
    "gyms_with",
    "invitation",
    "invitation_view",
    "invitations",
    "last_link",
    "leaves_at",
    "list_staff",
    "member",
    "member_names",
    "member_of_login",
    "member_view",
    "members_at",
    "names_of_users",
    "note_view",
    "notes",
    "opted_out",
    "present",
    "profile",
    "seen_by",
    "staff",
    "staff_of_user",
    "staff_view",
    "waiting_invitation",
]
