"""What only a stand-in has: phones to drive, their threads and events, and faults on demand."""

import json
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, request
from pydantic import BaseModel, ConfigDict
from werkzeug.wrappers import Response as AnyResponse

from bot.playground.twilio_api.phone import PhoneSend
from bot.playground.twilio_api.records import Channel
from bot.playground.twilio_api.rest import as_json
from bot.playground.twilio_api.rules import Rule
from bot.playground.twilio_api.service import Service
from bot.playground.twilio_api.store import Event

_LONGEST_POLL, _HEARTBEAT = 25.0, 15.0


class _Webhook(BaseModel):
    model_config = ConfigDict(extra="forbid")
    url: str
    fallback_url: str = ""


class _Window(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: str
    ours: str = ""


def control(service: Service) -> Blueprint:
    pages = Blueprint("twilio_control", __name__, url_prefix="/_control")

    @pages.post("")
    def add_rule() -> AnyResponse:
        rule = Rule.model_validate(request.get_json())
        service.rules.add(rule)
        return as_json(rule.model_dump(), 201)

    @pages.delete("")
    def clear_rules() -> AnyResponse:
        service.rules.clear()
        return Response(status=204)

    @pages.post("/webhook")
    def point_at() -> AnyResponse:
        asked = _Webhook.model_validate(request.get_json())
        service.point_at(asked.url, asked.fallback_url)
        return Response(status=204)

    @pages.post("/close_window")
    def close_window() -> AnyResponse:
        asked = _Window.model_validate(request.get_json())
        ours = asked.ours or service.config.whatsapp_numbers[0]
        service.close_window(f"whatsapp:{ours}", f"whatsapp:{asked.number}")
        return Response(status=204)

    return pages


def phones(service: Service) -> Blueprint:
    pages = Blueprint("twilio_phones", __name__, url_prefix="/_phone")

    @pages.after_request
    def allow_the_phone_page(response: Response) -> Response:
        if service.config.page_origin:
            response.headers["Access-Control-Allow-Origin"] = service.config.page_origin
            response.headers["Access-Control-Allow-Headers"] = "Content-Type, Last-Event-ID"
        return response

    @pages.post("/send")
    def send() -> AnyResponse:
        return as_json(service.phone_sends(PhoneSend.model_validate(request.get_json())))

    @pages.get("/thread")
    def thread() -> AnyResponse:
        number, channel = request.args.get("number"), request.args.get("channel")
        found = service.store.matching(
            lambda one: number in {None, one.phone} and channel in {None, one.channel}
        )
        return as_json({"messages": [message.on_phone() for message in found]})

    @pages.get("/events")
    def events() -> AnyResponse:
        number = request.args.get("number")
        after = request.headers.get("Last-Event-ID", request.args.get("after", 0, int), int)
        if "text/event-stream" in request.headers.get("Accept", ""):
            return Response(_stream(service, after, number), content_type="text/event-stream")
        timeout = min(request.args.get("timeout", _LONGEST_POLL, float), _LONGEST_POLL)
        found = service.store.events_after(after, timeout)
        last = found[-1].seq if found else after
        shown = [_on_wire(event) for event in found if number in {None, event.number}]
        return as_json({"events": shown, "last": last})

    return pages


def _stream(service: Service, after: int, number: str | None) -> Iterator[str]:
    # An immediate line, so that a browser knows the stream is open.
    yield ": open\n\n"
    while True:
        found = service.store.events_after(after, _HEARTBEAT)
        if not found:
            yield ": alive\n\n"
        for event in found:
            after = event.seq
            if number in {None, event.number}:
                body = json.dumps(_on_wire(event), ensure_ascii=False)
                yield f"id: {event.seq}\nevent: {event.kind}\ndata: {body}\n\n"


def _on_wire(event: Event) -> dict[str, Any]:
    channel: Channel = event.channel
    return {
        "seq": event.seq,
        "kind": event.kind,
        "number": event.number,
        "channel": channel,
        **event.details,
    }
