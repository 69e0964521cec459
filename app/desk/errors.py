"""What may go wrong at the front desk: one code each."""

from app.core.errors import StudioError


class OpenBalance(StudioError):
    """`member` owes the gym money, so their data are still needed (rule 45)."""

    code, status = "open_balance", 409
