"""The Content API: templates with variables, rendered into what a phone shows."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.records import Button, Channel, Look, new_sid
from bot.playground.twilio_api.store import Content
from bot.render.text.graphemes import utf16_units

_BODY, _TITLE, _ROW, _DESCRIPTION, _ROW_ID, _BUTTON_ID = 1024, 20, 24, 72, 200, 256
_MOST_BUTTONS_IN_SESSION, _MOST_ROWS = 3, 10
_QUICK_REPLY, _LIST, _TEXT = "twilio/quick-reply", "twilio/list-picker", "twilio/text"
# The richest first: a message takes the first that its channel can show.
_SHOWN: Mapping[Channel, tuple[str, ...]] = {
    "whatsapp": (_LIST, _QUICK_REPLY, _TEXT),
    "sms": (_TEXT,),
}


class _Action(BaseModel):
    model_config = ConfigDict(extra="ignore")
    title: str
    id: str


class _QuickReply(BaseModel):
    body: str
    actions: list[_Action]


class _Item(BaseModel):
    item: str
    id: str
    description: str = ""


class _ListPicker(BaseModel):
    body: str
    button: str
    items: list[_Item]


class _Text(BaseModel):
    body: str


_MODELS: Mapping[str, type[BaseModel]] = {
    _QUICK_REPLY: _QuickReply,
    _LIST: _ListPicker,
    _TEXT: _Text,
}


class _ContentRequest(BaseModel):
    friendly_name: str = ""
    language: str
    variables: dict[str, str] = {}
    types: dict[str, dict[str, Any]]


def create(document: object, now: datetime) -> Content:
    """Check a create request as the API does; raises `ApiError` 20001."""
    try:
        request = _ContentRequest.model_validate(document)
        for name, body in request.types.items():
            if name not in _MODELS:
                raise ApiError(20001)
            _MODELS[name].model_validate(body)
    except ValidationError as error:
        raise ApiError(20001) from error
    if not request.types:
        raise ApiError(20001)
    return Content(
        sid=new_sid("HX"),
        friendly_name=request.friendly_name,
        language=request.language,
        variables=request.variables,
        types=request.types,
        created=now,
    )


def resource(content: Content, account_sid: str) -> dict[str, Any]:
    created = content.created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    url = f"https://content.twilio.com/v1/Content/{content.sid}"
    return {
        "account_sid": account_sid,
        "date_created": created,
        "date_updated": created,
        "friendly_name": content.friendly_name,
        "language": content.language,
        "links": {"approval_create": f"{url}/ApprovalRequests/whatsapp"},
        "sid": content.sid,
        "types": content.types,
        "url": url,
        "variables": content.variables,
    }


def variables_of(text: str) -> dict[str, str]:
    """Read ContentVariables: a flat JSON object of strings; raises `ApiError` 21656."""
    try:
        values = json.loads(text or "{}")
    except ValueError as error:
        raise ApiError(21656) from error
    if not isinstance(values, dict) or not all(isinstance(one, str) for one in values.values()):
        raise ApiError(21656)
    return values


def render(content: Content, variables: Mapping[str, str], channel: Channel) -> Look | None:
    """Fill a content in; None where the channel can show none of its types."""
    name = next((one for one in _SHOWN[channel] if one in content.types), None)
    if name is None:
        return None
    filled = _filled(content.types[name], content.variables | dict(variables))
    match _MODELS[name].model_validate(filled):
        case _QuickReply(body=body, actions=actions):
            return Look(body, tuple(Button(one.id, one.title) for one in actions))
        case _ListPicker(body=body, button=label, items=items):
            rows = tuple(Button(one.id, one.item, one.description) for one in items)
            return Look(body, rows, label)
        case _Text(body=body):
            return Look(body)
        case other:
            raise TypeError(other)


def _filled(node: Any, variables: Mapping[str, str]) -> Any:  # noqa: ANN401  # any JSON
    if isinstance(node, str):
        for name, value in variables.items():
            node = node.replace("{{" + name + "}}", value)
        if "{{" in node:
            raise ApiError(21656)
        return node
    if isinstance(node, dict):
        return {key: _filled(value, variables) for key, value in node.items()}
    if isinstance(node, list):
        return [_filled(value, variables) for value in node]
    return node


def refused_by_whatsapp(look: Look) -> bool:
    """Whether WhatsApp rejects the filled content, which shows only in a status callback."""
    rows = look.buttons
    too_many = len(rows) > (_MOST_ROWS if look.list_label else _MOST_BUTTONS_IN_SESSION)
    titles = [row.title for row in rows]
    repeated = len(set(titles)) < len(rows) or len({row.id for row in rows}) < len(rows)
    body_limit = _BODY if rows else 4096
    return (
        too_many
        or repeated
        or not look.body.strip()
        or utf16_units(look.body) > body_limit
        or utf16_units(look.list_label) > _TITLE
        or not all(_row_fits(row, in_list=bool(look.list_label)) for row in rows)
    )


def _row_fits(row: Button, *, in_list: bool) -> bool:
    title, row_id = (_ROW, _ROW_ID) if in_list else (_TITLE, _BUTTON_ID)
    return (
        0 < utf16_units(row.title) <= title
        and 0 < utf16_units(row.id) <= row_id
        and utf16_units(row.description) <= _DESCRIPTION
    )
