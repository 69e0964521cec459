"""Closed sets of the Arbox import."""

from enum import StrEnum


class Kind(StrEnum):
    """What a record of theirs is, in the order in which they depend on each other."""

    CLASS_TYPE = "class_type"
    PLAN = "plan"
    MEMBER = "member"
    MEMBERSHIP = "membership"
    FREEZE = "freeze"
    PAYMENT = "payment"
    LEAD = "lead"


class MappingKind(StrEnum):
    """What of theirs stands for something of ours."""

    LOCATION = "location"
    CLASS_TYPE = "class_type"
    PLAN = "plan"
    STAFF = "staff"
    STATUS = "status"


class MappingState(StrEnum):
    MAPPED = "mapped"
    IGNORED = "ignored"
    UNMAPPED = "unmapped"


class Entity(StrEnum):
    """What people ask to be imported."""

    CLASS_TYPES = "class_types"
    PLANS = "plans"
    MEMBERS = "members"
    MEMBERSHIPS = "memberships"
    PAYMENTS = "payments"
    LEADS = "leads"


KINDS: dict[Entity, tuple[Kind, ...]] = {
    Entity.CLASS_TYPES: (Kind.CLASS_TYPE,),
    Entity.PLANS: (Kind.PLAN,),
    Entity.MEMBERS: (Kind.MEMBER,),
    Entity.MEMBERSHIPS: (Kind.MEMBERSHIP, Kind.FREEZE),
    Entity.PAYMENTS: (Kind.PAYMENT,),
    Entity.LEADS: (Kind.LEAD,),
}


class ConnectionState(StrEnum):
    WAITING = "waiting"
    """The owner has the link to the form."""
    CONNECTED = "connected"
    REFUSED = "refused"
    """Arbox doesn't take the key any more."""


class BatchKind(StrEnum):
    IMPORT = "import"
    SYNC = "sync"


class Act(StrEnum):
    """What an import would do with a record."""

    CREATE = "create"
    UPDATE = "update"
    CONFLICT = "conflict"
    SKIP = "skip"
    SAME = "same"


class Policy(StrEnum):
    """What becomes of conflicts."""

    SKIP = "skip"
    KEEP_OURS = "keep_ours"
    TAKE_THEIRS = "take_theirs"
