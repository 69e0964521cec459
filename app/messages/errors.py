"""What may go wrong with messages: one code each."""

from app.core.errors import StudioError
from app.people.consent import Refusal


class PersonGone(Refusal):
    """`name` is archived or erased."""

    code = "person_gone"


class NoAddress(Refusal):
    """`name` can't be reached on this channel: no phone, or no e-mail address."""

    code = "no_address"


class WindowClosed(Refusal):
    """`name` hasn't written on WhatsApp for a day: only an approved template may go."""

    code = "window_closed"


class AudienceChanged(StudioError):
    """It isn't who was previewed: `before` people then, `now` now, under `audience_hash`."""

    code, status = "audience_changed", 409


class AudienceEmpty(StudioError):
    """Nobody is left to write to; `left_out` are."""

    code, status = "audience_empty", 409


class NoText(StudioError):
    """Neither a text nor a template, or both."""

    code, status = "no_text", 422


class MissingValues(StudioError):
    """The text has places for `names`, and nothing says what to put there."""

    code, status = "missing_values", 422


class OtherChannel(StudioError):
    """The template `template` is for another channel."""

    code, status = "other_channel", 422


class TemplateTaken(StudioError):
    """There is one of this name, channel and language already: `template`."""

    code, status = "template_taken", 409


class TemplateInUse(StudioError):
    """`automations` send it."""

    code, status = "template_in_use", 409


class TooSoon(StudioError):
    """That time, `at`, is over already."""

    code, status = "too_soon", 422


class BroadcastJustSent(StudioError):
    """The same to the same people was approved `at` that time, minutes ago."""

    code, status = "broadcast_just_sent", 409


class BroadcastClosed(StudioError):
    """It is `state` already, so it can't be cancelled."""

    code, status = "broadcast_closed", 409


class AnnouncementState(StudioError):
    """It is `state`, and that isn't a state in which this can be done."""

    code, status = "announcement_state", 409
