"""The REST API that the official library speaks to: paths, credentials and answers as Twilio's."""

import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from bot.playground.twilio_api import content
from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.listing import page_of_messages
from bot.playground.twilio_api.service import Service
from bot.playground.twilio_api.store import Content, Medium

_MEDIA_CDN = "https://mms.twiliocdn.com"
_PIECE = 65_536


def rest(service: Service) -> Blueprint:
    api = Blueprint("twilio_rest", __name__)

    @api.before_request
    def authenticate() -> None:
        given = request.authorization
        name, password = (given.username, given.password) if given else (None, None)
        right = hmac.compare_digest((password or "").encode(), service.config.auth_token.encode())
        if name != service.config.account_sid or not right:
            raise ApiError(20003)

    _messages(api, service)
    _typing(api, service)
    _contents(api, service)
    _approvals(api, service)
    return api


def _messages(api: Blueprint, service: Service) -> None:
    account = service.config.account_sid
    messages = f"/2010-04-01/Accounts/{account}/Messages"

    @api.post(f"{messages}.json")
    def send_message() -> AnyResponse:
        message = service.send(request.form)
        return as_json(service.store.message(message.sid).resource(account), 201)

    @api.get(f"{messages}.json")
    def list_messages() -> AnyResponse:
        return as_json(page_of_messages(request.args, service.store, account))

    @api.get(f"{messages}/<sid>.json")
    def fetch_message(sid: str) -> AnyResponse:
        return as_json(service.store.message(sid).resource(account))

    @api.get(f"{messages}/<sid>/Media/<media_sid>")
    def fetch_media(sid: str, media_sid: str) -> AnyResponse:
        if media_sid not in service.store.message(sid).media:
            raise ApiError(20404)
        leads_to = service.store.media[media_sid].leads_to
        return redirect(leads_to or f"{_MEDIA_CDN}/{account}/{media_sid}", 302)


def _typing(api: Blueprint, service: Service) -> None:
    @api.post("/v2/Indicators/Typing.json")
    def typing() -> AnyResponse:
        if request.form.get("channel") != "whatsapp":
            raise ApiError(20001)
        message = service.store.message(request.form.get("messageId", ""))
        if message.direction != "inbound" or message.channel != "whatsapp":
            raise ApiError(20404)
        service.store.typing(message.sid)
        return as_json({"success": True})


def _contents(api: Blueprint, service: Service) -> None:
    account = service.config.account_sid

    def existing(sid: str) -> Content:
        found = service.store.content(sid)
        if found is None:
            raise ApiError(20404)
        return found

    @api.post("/v1/Content")
    def create_content() -> AnyResponse:
        made = content.create(request.get_json(silent=True), service.config.clock.now())
        service.store.keep_content(made)
        return as_json(content.resource(made, account), 201)

    @api.get("/v1/Content")
    def list_contents() -> AnyResponse:
        made = [content.resource(one, account) for one in service.store.contents.values()]
        return as_json({"contents": made, "meta": {"key": "contents", "next_page_url": None}})

    @api.get("/v1/Content/<sid>")
    def fetch_content(sid: str) -> AnyResponse:
        return as_json(content.resource(existing(sid), account))

    @api.delete("/v1/Content/<sid>")
    def delete_content(sid: str) -> AnyResponse:
        service.store.drop_content(existing(sid).sid)
        return Response(status=204)


def _approvals(api: Blueprint, service: Service) -> None:
    account = service.config.account_sid

    def existing(sid: str) -> Content:
        found = service.store.content(sid)
        if found is None:
            raise ApiError(20404)
        return found

    @api.post("/v1/Content/<sid>/ApprovalRequests/whatsapp")
    def approve_content(sid: str) -> AnyResponse:
        service.store.keep_content(replace(existing(sid), approved=True))
        asked = request.get_json(silent=True) or {}
        return as_json({**asked, "status": "approved", "rejection_reason": ""}, 201)

    @api.get("/v1/Content/<sid>/ApprovalRequests")
    def fetch_approval(sid: str) -> AnyResponse:
        status = "approved" if existing(sid).approved else "unsubmitted"
        return as_json({"sid": sid, "account_sid": account, "whatsapp": {"status": status}})


def media_host(service: Service) -> Blueprint:
    """The second host of a media download: it hands out bytes, and wants no credentials."""
    host = Blueprint("twilio_media", __name__)

    @host.get("/<account>/<media_sid>")
    def download(account: str, media_sid: str) -> AnyResponse:
        kept = service.store.media.get(media_sid)
        if account != service.config.account_sid or kept is None or kept.missing:
            raise ApiError(20404)
        if request.authorization is not None:
            raise ApiError(20001)
        whole = not (kept.size or kept.drip)
        return Response(kept.body if whole else _slowly(kept), content_type=kept.content_type)

    return host


def _slowly(medium: Medium) -> Iterator[bytes]:
    """A file that is too large, or one that takes too long: until whoever asked hangs up."""
    for _ in range(medium.size // _PIECE):
        yield b"\0" * _PIECE
    for byte in medium.body if medium.drip else b"":
        time.sleep(medium.drip)
        yield bytes([byte])


def as_json(payload: Any, status: int = 200) -> AnyResponse:  # noqa: ANN401  # any JSON
    body = json.dumps(payload, ensure_ascii=False)
    return Response(body, status, content_type="application/json")
