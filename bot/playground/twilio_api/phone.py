"""Phones: a person's message or tap as the form Twilio would post, and the carrier's keywords."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.records import (
    Button,
    Channel,
    Look,
    Message,
    bare,
    new_sid,
    on_channel,
)
from bot.playground.twilio_api.store import Medium, Store
from i18n.answers import Help, OptIn, OptOut, carrier_keyword

_QUOTABLE = timedelta(days=7)
_MEDIA_HOST = "https://api.twilio.com"
# Twilio's own default replies are English, whatever the gym speaks.
_OPTED_OUT = "You have successfully been unsubscribed. Reply START to resubscribe."
_OPTED_IN = "You have successfully been re-subscribed. Reply STOP to unsubscribe."
_HELP = "Reply STOP to unsubscribe. Msg&Data Rates May Apply."


class PhoneMedia(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    content_type: str
    base64: str = ""
    url: str = ""
    """Told to the webhook in place of our own: as somebody would who wants it fetched."""
    leads_to: str = ""
    missing: bool = False
    size: int = 0
    drip: float = 0.0


class PhoneSend(BaseModel):
    """What a person does on a phone: writes, taps a button, quotes, sends a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    channel: Channel
    sender: str = Field(alias="from")
    """The phone's number, or with `scoped_only` its business-scoped id."""
    to: str = ""
    """One of our numbers; the first of the channel if left out."""
    body: str = ""
    button_payload: str = ""
    """The tapped button; `quoted_sid` is then the message that carries it."""
    quoted_sid: str = ""
    profile_name: str = "Phone"
    scoped_id: str = ""
    """WhatsApp's id of the person ('IL.1349...'), reported beside the number."""
    scoped_only: bool = False
    """The person hides the number: only `scoped_id` is reported."""
    media: tuple[PhoneMedia, ...] = ()
    kind: str = ""
    """WhatsApp's word for the message ('sticker'), where the first file doesn't tell it."""
    forwarded: bool = False
    place: tuple[float, float] | None = None
    """A location: latitude and longitude."""
    sid: str = ""
    """An earlier message's sid: Twilio delivering that same message once more."""
    copies: int = Field(default=1, ge=1, le=100)
    """How many times at once the webhook is called with the same message."""


def inbound(send: PhoneSend, config: TwilioConfig, store: Store) -> Message:
    """Record what the phone sent; raises `ApiError` for numbers and buttons that don't exist."""
    ours = config.whatsapp_numbers if send.channel == "whatsapp" else config.sms_numbers
    to = send.to or ours[0]
    if to not in ours:
        raise ApiError(21606)
    now = config.clock.now()
    tapped = _tapped(send, store)
    message = Message(
        sid=send.sid or new_sid("SM"),
        direction="inbound",
        sender=on_channel(send.scoped_id if send.scoped_only else send.sender, send.channel),
        to=on_channel(to, send.channel),
        look=Look(send.body or (tapped.title if tapped else "")),
        status="received",
        created=now,
        updated=now,
        sent=now,
        quoted_sid=_quotable(send.quoted_sid, store, now),
        payload=send.button_payload,
        media=_kept_media(send, store),
    )
    store.last_inbound[(message.to, message.sender)] = now
    store.add(message)
    return message


def _tapped(send: PhoneSend, store: Store) -> Button | None:
    if not send.button_payload:
        return None
    shown = store.message(send.quoted_sid).look.buttons
    button = next((one for one in shown if one.id == send.button_payload), None)
    if button is None:
        raise ApiError(20404)
    return button


def _quotable(sid: str, store: Store, now: datetime) -> str:
    if not sid or now - store.message(sid).created > _QUOTABLE:
        return ""
    return sid


def _kept_media(send: PhoneSend, store: Store) -> tuple[str, ...]:
    sids = tuple(new_sid("ME") for _ in send.media)
    for sid, medium in zip(sids, send.media, strict=True):
        store.media[sid] = Medium(
            medium.content_type,
            base64.b64decode(medium.base64),
            medium.leads_to,
            medium.missing,
            medium.size,
            medium.drip,
        )
    return sids


def webhook_form(
    message: Message, send: PhoneSend, config: TwilioConfig, store: Store
) -> dict[str, str]:
    """Build the form with the fields that Twilio sends for this channel and kind of message."""
    form = {
        "ApiVersion": "2010-04-01",
        "AccountSid": config.account_sid,
        "MessageSid": message.sid,
        "SmsSid": message.sid,
        "SmsMessageSid": message.sid,
        "SmsStatus": "received",
        "From": message.sender,
        "To": message.to,
        "Body": message.look.body,
        "NumMedia": str(len(message.media)),
        "NumSegments": str(message.num_segments),
    }
    form |= _media_fields(message, send, config, store) | _place_fields(send)
    if message.channel == "whatsapp":
        return form | _whatsapp_fields(message, send) | _tap_fields(message, store)
    return form | _sms_fields(message, config)


def _media_fields(
    message: Message, send: PhoneSend, config: TwilioConfig, store: Store
) -> dict[str, str]:
    folder = f"{_MEDIA_HOST}/2010-04-01/Accounts/{config.account_sid}/Messages/{message.sid}/Media"
    fields: dict[str, str] = {}
    told = [medium.url for medium in send.media] or [""] * len(message.media)
    for index, (sid, url) in enumerate(zip(message.media, told, strict=True)):
        fields[f"MediaUrl{index}"] = url or f"{folder}/{sid}"
        fields[f"MediaContentType{index}"] = store.media[sid].content_type
    return fields


def _place_fields(send: PhoneSend) -> dict[str, str]:
    if send.place is None:
        return {}
    latitude, longitude = send.place
    return {"Latitude": str(latitude), "Longitude": str(longitude)}


def _whatsapp_fields(message: Message, send: PhoneSend) -> dict[str, str]:
    context = {
        "Forwarded": str(send.forwarded).lower(),
        "FrequentlyForwarded": "false",
        "ProfileName": send.profile_name,
    }
    fields = {"MessageType": _kind(send), "ReferralNumMedia": "0", **context}
    if not send.scoped_only:
        context["WaId"] = fields["WaId"] = send.sender.removeprefix("+")
    if send.scoped_id:
        fields["ExternalUserId"] = on_channel(send.scoped_id, "whatsapp")
    if message.quoted_sid:
        fields["OriginalRepliedMessageSid"] = message.quoted_sid
        fields["OriginalRepliedMessageSender"] = message.to
    metadata = {"type": "whatsapp", "data": {"context": context}}
    fields["ChannelMetadata"] = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    return fields


def _kind(send: PhoneSend) -> str:
    if send.media and not send.kind:
        whole = send.media[0].content_type.partition("/")[0]
        return whole if whole in {"image", "audio", "video"} else "document"
    return send.kind or ("location" if send.place else "text")


def _tap_fields(message: Message, store: Store) -> dict[str, str]:
    if not message.payload:
        return {}
    title = message.look.body
    # A list's fields aren't documented by Twilio; these two are what its users report.
    if message.quoted_sid and store.message(message.quoted_sid).look.list_label:
        named = {"ListId": message.payload, "ListTitle": title}
    else:
        named = {"ButtonPayload": message.payload, "ButtonText": title, "ButtonType": "REPLY"}
    return {"MessageType": "interactive", **named}


def _sms_fields(message: Message, config: TwilioConfig) -> dict[str, str]:
    ends = {"City": "", "State": "", "Zip": "", "Country": "IL"}
    places = {f"{end}{name}": value for end in ("From", "To") for name, value in ends.items()}
    kind = carrier_keyword(message.look.body)
    if config.advanced_opt_out and kind is not None:
        places["OptOutType"] = {OptOut: "STOP", OptIn: "START", Help: "HELP"}[type(kind)]
        places["MessagingServiceSid"] = "MG" + "0" * 32
    return places


def carrier_reply(message: Message, store: Store, now: datetime) -> Message | None:
    """Do what the carrier does with a keyword by SMS: block or unblock us, and answer itself."""
    pair = (bare(message.to), bare(message.sender))
    words = _carrier_words(message.look.body, pair, store)
    if message.channel != "sms" or words is None:
        return None
    return Message(
        sid=new_sid("SM"),
        direction="outbound-reply",
        sender=message.to,
        to=message.sender,
        look=Look(words),
        status="delivered",
        created=now,
        updated=now,
        sent=now,
    )


def _carrier_words(body: str, pair: tuple[str, str], store: Store) -> str | None:
    match carrier_keyword(body):
        case OptOut():
            store.opted_out.add(pair)
            return _OPTED_OUT
        case OptIn():
            # Whether the carrier answers YES from somebody who never opted out isn't documented.
            was_out = pair in store.opted_out
            store.opted_out.discard(pair)
            return _OPTED_IN if was_out else None
        case Help():
            return _HELP
        case None:
            return None


def reasons(url: str, error: int) -> Mapping[str, str]:
    """The fields that a fallback request has on top: what failed, and where."""
    return {"ErrorCode": str(error), "ErrorUrl": url}
