"""What may go wrong with members, notes and invitations: one code each."""

from app.core.errors import StudioError


class MemberExists(StudioError):
    """That phone or e-mail is a member's already: `member`, `status`, `member_id`, `address`."""

    code, status = "member_exists", 409


class ContactShared(StudioError):
    """`members` have this phone or e-mail together, so it doesn't say which of them is meant."""

    code, status = "contact_shared", 409


class MemberErased(StudioError):
    """There is nobody to do it to: their data were erased."""

    code, status, forgets = "member_erased", 409, True


class MemberArchived(StudioError):
    """`member` must be restored first."""

    code, status = "member_archived", 409


class AlreadySuspended(StudioError):
    code, status = "already_suspended", 409


class NotSuspended(StudioError):
    code, status = "not_suspended", 409


class NotArchived(StudioError):
    code, status = "not_archived", 409


class LastOwner(StudioError):
    """`member` is the gym's last owner as well (rule 3)."""

    code, status = "last_owner", 409


class TooManyTags(StudioError):
    """A member has at most `most`."""

    code, status = "too_many_tags", 409


class InvitationWaiting(StudioError):
    """`name` was invited already and has not answered: `invitation_id` can be sent again."""

    code, status = "invitation_waiting", 409


class InvitationClosed(StudioError):
    """It was `accepted` or `revoked`, as `state` says."""

    code, status = "invitation_closed", 409


class WrongChannel(StudioError):
    """What the invitation was made for, `address`, can't be reached by that channel."""

    code, status = "wrong_channel", 422
