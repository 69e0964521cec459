"""What may go wrong with automations: one code each."""

from app.core.errors import StudioError


class NotInTier(StudioError):
    """The gym's plan has no automations like this; `tier` has."""

    code, status = "not_in_tier", 403


class TooManyAutomations(StudioError):
    """The gym's plan has `most`."""

    code, status = "too_many_automations", 403


class AutomationTaken(StudioError):
    """One of that name is there already: `name`."""

    code, status = "automation_taken", 409


class AlreadyOn(StudioError):
    code, status = "automation_on", 409


class AlreadyOff(StudioError):
    code, status = "automation_off", 409


class OnlyLeads(StudioError):
    """Stages and sources are of leads; this trigger is about members, or the other way round."""

    code, status = "only_leads", 422
