"""What may go wrong with Arbox, and with what comes from there."""

from app.core.errors import StudioError


class NotConnected(StudioError):
    """The gym has no Arbox key here."""

    code, status = "arbox_not_connected", 409


class AlreadyConnected(StudioError):
    """With the key that ends in `last4`; it is taken out first."""

    code, status = "arbox_already_connected", 409


class FormClosed(StudioError):
    """A link to the key form that was used, is too old, or was never made."""

    code, status = "arbox_form_closed", 410


class KeyRefused(StudioError):
    """Arbox doesn't know this key."""

    code, status = "arbox_key_refused", 422


class ArboxAway(StudioError):
    """It doesn't answer, or not as it should, however often it was asked."""

    code, status = "arbox_away", 502


class ArboxRefused(StudioError):
    """It won't give this list: `what`."""

    code, status = "arbox_refused", 502


class SyncRunning(StudioError):
    code, status = "arbox_sync_running", 409


class NothingRead(StudioError):
    """Nothing was read from Arbox yet, so there is nothing to preview."""

    code, status = "arbox_nothing_read", 409


class NothingToImport(StudioError):
    code, status = "arbox_nothing_to_import", 409


class BatchRunning(StudioError):
    """It is still being imported."""

    code, status = "arbox_batch_running", 409


class RollbackRunning(StudioError):
    """An import is being taken back: what comes in meanwhile might be taken for part of it."""

    code, status = "arbox_rollback_running", 409


class AlreadyRolledBack(StudioError):
    code, status = "arbox_already_rolled_back", 409


class TouchedSince(StudioError):
    """`name` was changed, or used, after the import, so it stays."""

    code, status = "arbox_touched_since", 409


class LeadIsMember(StudioError):
    """Whoever has the phone of a lead of theirs is a member here."""

    code, status = "arbox_lead_is_member", 409


class WrongTarget(StudioError):
    """What a mapping may point to depends on its kind."""

    code, status = "arbox_wrong_target", 422


class Incomplete(StudioError):
    """Not every list could be read, so what was read before still counts."""

    code, status = "arbox_incomplete_reading", 502
