"""What the stand-in is told at its start: one account, its numbers and its manners."""

from dataclasses import dataclass, field

from app.core.clock import Clock


@dataclass(frozen=True, slots=True)
class TwilioConfig:
    account_sid: str
    auth_token: str = field(repr=False)
    webhook_url: str = ""
    """Where inbound messages go; connection overrides in its fragment count ('#rc=3&rp=ct,5xx')."""
    fallback_url: str = ""
    whatsapp_numbers: tuple[str, ...] = ("+14155238886",)
    sms_numbers: tuple[str, ...] = ("+972552764100",)
    shared_key: tuple[str, str] | None = field(default=None, repr=False)
    """Key id and secret: webhooks are then signed with HMAC-SHA256 instead of the token."""
    step_seconds: float = 0.05
    """How long a message stays in each state on its way to the phone."""
    read_receipts: bool = False
    enforce_window: bool = True
    """WhatsApp's rule: free-form words only within 24 hours of the phone's last message."""
    advanced_opt_out: bool = False
    """Report STOP, START and HELP to the webhook as OptOutType, as a Messaging Service does."""
    page_origin: str = ""
    """The one web origin whose pages may drive the phones from a browser."""
    clock: Clock = field(default_factory=Clock)
