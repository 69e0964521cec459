"""The playground page and its way to the stand-in's phones, all from one origin."""

from dataclasses import dataclass
from typing import Any, Literal

import requests
from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ConfigDict, Field
from requests.exceptions import RequestException
from sqlalchemy import select

from app.core.actor import Actor
from app.core.db import Database
from app.core.errors import NotFound, StudioError
from app.core.settings import Settings
from app.web.identity import current_actor
from bot.conversation.models import ChannelIdentity
from i18n import Language, phrase

POLL_S = 10.0
"""How long one look at the stand-in waits for news."""
_KEYS = ("app", "playground", "demo_phone",
    "phone", "whatsapp", "sms", "message", "send", "close",
         "language", "language.en", "language.he", "language.ru", "typing", "not_delivered",
         "remove")  # fmt: skip


class PhoneAway(StudioError):
    """The stand-in doesn't answer."""

    code, status = "unavailable", 503


@dataclass(frozen=True, slots=True)
class Playground:
    db: Database
    settings: Settings


class Sent(BaseModel):
    """What a person does on the phone: writes, taps a button of a message, or quotes one."""

    model_config = ConfigDict(extra="forbid")

    channel: Literal["whatsapp", "sms"]
    body: str = Field(default="", max_length=4_000)
    button_payload: str = Field(default="", max_length=300)
    quoted_sid: str = Field(default="", max_length=64)


def playground(place: Playground) -> Blueprint:
    """Nothing of it answers where the settings name no playground."""
    pages = Blueprint(
        "playground",
        __name__,
        url_prefix="/playground",
        template_folder="templates",
        static_folder="static",
    )

    @pages.before_request
    def only_here() -> None:
        if not place.settings.playground:
            raise NotFound

    _page(pages, place)
    _phone(pages, place)
    return pages


def _page(pages: Blueprint, place: Playground) -> None:
    @pages.get("")
    def page() -> ResponseReturnValue:
        actor = current_actor()
        language = Language.of(actor.language)
        say = {key: phrase(f"ui.{key}", language, variant="web") for key in _KEYS}
        number = phone_of(place, actor)
        return render_template(
            "playground.html", language=language, say=say, actor=actor, number=number
        )


def _phone(pages: Blueprint, place: Playground) -> None:
    @pages.get("/phone/thread")
    def thread() -> Response:
        asked = {"number": phone_of(place, current_actor())}
        return _passed(place, "GET", "thread", params=asked)

    @pages.get("/phone/events")
    def events() -> Response:
        asked = {
            "number": phone_of(place, current_actor()),
            "after": request.args.get("after", 0, int),
            "timeout": POLL_S,
        }
        return _passed(place, "GET", "events", params=asked)

    @pages.post("/phone/send")
    def send() -> Response:
        actor = current_actor()
        sent = Sent.model_validate(request.get_json())
        who = {"from": phone_of(place, actor), "profile_name": actor.name}
        return _passed(place, "POST", "send", json={**sent.model_dump(), **who})


def _passed(place: Playground, method: str, path: str, **more: Any) -> Response:  # noqa: ANN401 - what requests takes
    """The stand-in's answer as ours. Raises PhoneAway."""
    url = f"{(place.settings.twilio_api_url or '').rstrip('/')}/_phone/{path}"
    try:
        answer = requests.request(method, url, timeout=POLL_S + 5, **more)
    except (RequestException, ValueError) as error:
        raise PhoneAway from error
    return Response(answer.content, answer.status_code, content_type="application/json")


def phone_of(place: Playground, actor: Actor) -> str:
    """The phone that is linked to this person, or one of their own that could be."""
    query = select(ChannelIdentity.value).where(
        ChannelIdentity.user_id == actor.user_id, ChannelIdentity.kind == "phone"
    )
    with place.db.platform() as session:
        linked = session.scalars(query.order_by(ChannelIdentity.created_at.desc()).limit(1)).first()
    return linked or f"+97255{actor.user_id.int % 10_000_000:07d}"
