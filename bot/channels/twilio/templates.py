"""Message templates at the vendor: handed in for WhatsApp's approval, then asked about."""

import json
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

import structlog
from requests.exceptions import RequestException
from twilio.base.exceptions import TwilioException
from twilio.rest import Client

from app.core.db import Database, now_of
from app.messages import queries, service
from app.messages.terms import ProviderStatus
from app.messages.texts import PLACE
from app.messages.views import TemplateView

AFTER: Final = timedelta(minutes=1)
"""A template that was just made may be taken back."""
_CONTENT: Final = "https://content.twilio.com/v1/Content"
_SETTLED: Final = {"approved": ProviderStatus.APPROVED, "rejected": ProviderStatus.REJECTED}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Approvals:
    db: Database
    client: Client

    def see_to(self, org_id: UUID) -> None:
        """Hand in what is new, ask about what waits; one that fails is tried again later."""
        with self.db.transaction(org_id) as session:
            waiting = queries.unapproved(session, before=now_of(session) - AFTER)
        for one in waiting:
            try:
                self._see_to(org_id, one)
            except (TwilioException, RequestException) as error:
                _log.warning("template_not_handed_in", error=type(error).__name__)

    def _see_to(self, org_id: UUID, one: TemplateView) -> None:
        """Each step is kept before the next: killed anywhere, it goes on from there."""
        ref = one.provider_ref
        if ref is None:
            made = self._asked("POST", _CONTENT, _content(one))
            if made is None:
                self._keep(org_id, one, ProviderStatus.REJECTED, None)
                return
            ref = str(made["sid"])
            self._keep(org_id, one, ProviderStatus.DRAFT, ref)
        if one.provider_status is ProviderStatus.DRAFT:
            url = f"{_CONTENT}/{ref}/ApprovalRequests/whatsapp"
            answer = self._asked("POST", url, _request(one)) or {"status": "rejected"}
        else:
            found = self._asked("GET", f"{_CONTENT}/{ref}/ApprovalRequests") or {}
            answer = found.get("whatsapp") or {}
        status = _SETTLED.get(str(answer.get("status")), ProviderStatus.PENDING)
        if status is not one.provider_status:
            self._keep(org_id, one, status, ref)

    def _keep(
        self, org_id: UUID, one: TemplateView, status: ProviderStatus, ref: str | None
    ) -> None:
        with self.db.transaction(org_id) as session:
            service.set_provider_status(session, one.id, status, ref)

    def _asked(
        self, method: str, url: str, document: dict[str, Any] | None = None
    ) -> dict[str, Any] | None:
        """The vendor's answer; None where it says no for good. Raises where it can't say now."""
        headers = {"Content-Type": "application/json"} if document else {}
        response = self.client.request(method, url, data=document, headers=headers)
        status = response.status_code
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            answer: dict[str, Any] = json.loads(response.text)
            return answer
        if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in {
            HTTPStatus.TOO_MANY_REQUESTS,
            HTTPStatus.UNAUTHORIZED,
        }:
            return None
        raise TwilioException(status)


def _content(one: TemplateView) -> dict[str, Any]:
    """Its places are numbered at the vendor, each with a sample."""
    numbers = {name: str(number) for number, name in enumerate(one.variables, 1)}
    body = PLACE.sub(lambda found: "{{" + numbers[found[1]] + "}}", one.body)
    return {
        "friendly_name": _name(one),
        "language": one.language,
        "variables": {number: name for name, number in numbers.items()},
        "types": {"twilio/text": {"body": body}},
    }


def _request(one: TemplateView) -> dict[str, Any]:
    return {"name": _name(one), "category": one.category.upper()}


def _name(one: TemplateView) -> str:
    """WhatsApp wants lower case, digits and underscores, and takes a name only once."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in one.name)
    return f"{plain.lower()[:60]}_{one.language}_{one.id.hex[-12:]}"
