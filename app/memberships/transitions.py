"""Which status may follow which (rule 27). Pure."""

from collections.abc import Mapping
from typing import Final

from app.memberships.errors import NotPossibleNow
from app.memberships.terms import OVER, MembershipStatus

_S = MembershipStatus
FOLLOWS: Final[Mapping[MembershipStatus, frozenset[MembershipStatus]]] = {
    _S.PENDING: frozenset({_S.ACTIVE, _S.CANCEL_SCHEDULED, _S.CANCELLED, _S.EXPIRED}),
    _S.ACTIVE: frozenset({_S.FROZEN, _S.PAST_DUE, _S.CANCEL_SCHEDULED, _S.CANCELLED, _S.EXPIRED}),
    _S.FROZEN: frozenset({_S.ACTIVE, _S.CANCEL_SCHEDULED, _S.CANCELLED, _S.EXPIRED}),
    _S.PAST_DUE: frozenset({_S.ACTIVE, _S.CANCEL_SCHEDULED, _S.CANCELLED, _S.EXPIRED}),
    _S.CANCEL_SCHEDULED: frozenset({_S.CANCELLED, _S.EXPIRED}),
    _S.CANCELLED: frozenset(),
    _S.EXPIRED: frozenset(),
}
REINSTATED: Final = frozenset({_S.CANCELLED, _S.CANCEL_SCHEDULED})
"""From these a reinstatement leads back, and nothing else does."""


def check_move(now: MembershipStatus, to: MembershipStatus, *, reinstating: bool = False) -> None:
    """Raises NotPossibleNow with the state that it is in."""
    back = reinstating and now in REINSTATED and to not in OVER
    if now is not to and to not in FOLLOWS[now] and not back:
        raise NotPossibleNow(state=now.value)
