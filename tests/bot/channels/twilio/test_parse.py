"""Recorded webhook forms become values; broken ones become nothing, never an exception."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from bot.channels.twilio.parse import (
    Identity,
    PhoneMessage,
    StatusReport,
    parse_message,
    parse_status,
)

PAYLOADS = Path(__file__).parents[3] / "payloads" / "twilio"
PHONE = Identity("phone", "+972541234567")
BSUID = Identity("bsuid", "IL.4566546130240823")
CARD = "card:0198c0de:1"


def _recorded(name: str, **changes: str) -> MultiDict[str, str]:
    fields = json.loads((PAYLOADS / f"{name}.json").read_text("utf-8"))
    return MultiDict(fields | changes)


def _message(name: str, **changes: str) -> PhoneMessage:
    message = parse_message(_recorded(name, **changes))
    assert message is not None
    return message


def test_a_whatsapp_text() -> None:
    message = _message("whatsapp_text")

    assert message.channel == "whatsapp"
    assert message.sender == PHONE
    assert message.identities == (PHONE, BSUID)
    assert message.to == "+14155238886"
    assert message.body == "לבטל את אופן ג׳ים מחר"
    assert message.profile_name == "Noa"
    assert message.sid.startswith("SM")
    assert (message.button_payload, message.quoted_sid, message.opt_out_type) == (None, None, None)


@pytest.mark.parametrize(
    "name", ["whatsapp_button", "whatsapp_list_id", "whatsapp_list_interactive_data"]
)
def test_a_tap_carries_its_payload_wherever_it_is_put(name: str) -> None:
    assert _message(name).button_payload == CARD


def test_a_quoted_reply_names_the_message_and_is_no_tap() -> None:
    message = _message("whatsapp_quoted")

    assert message.quoted_sid == "MM" + f"{0x5CC6:032x}"
    assert message.button_payload is None


def test_a_sender_without_a_phone_keeps_the_scoped_id() -> None:
    message = _message("whatsapp_username_only")

    assert message.sender == BSUID
    assert message.identities == (BSUID,)


def test_a_parent_id_is_told_apart() -> None:
    parent = Identity("parent_bsuid", "IL.ENT.77001122334455")

    assert _message("whatsapp_parent_id").identities == (PHONE, BSUID, parent)
    assert _message("whatsapp_text", From="whatsapp:IL.ENT.77001122334455").sender == parent


def test_a_voice_note_has_its_media() -> None:
    message = _message("whatsapp_voice")

    assert message.media_count == 1
    assert message.media[0].content_type == "audio/ogg"
    assert message.media[0].url.startswith("https://api.twilio.com/")


def test_an_sms() -> None:
    message = _message("sms_text")

    assert (message.channel, message.sender, message.to) == ("sms", PHONE, "+972552764100")
    assert message.identities == (PHONE,)


def test_an_opt_out_that_the_carrier_saw_to() -> None:
    assert _message("sms_stop").opt_out_type == "STOP"
    assert _message("sms_stop", OptOutType="OTHER").opt_out_type is None


@pytest.mark.parametrize(
    "changes",
    [
        {"From": ""},
        {"From": "whatsapp:"},
        {"From": "whatsapp:Danny"},
        {"From": "whatsapp:+"},
        {"From": "whatsapp:+97254123456789012"},
        {"From": "whatsapp:ILX.123"},
        {"From": "whatsapp:IL."},
        {"From": "+972541234567"},
        {"To": ""},
        {"MessageSid": "", "SmsSid": "", "SmsMessageSid": ""},
    ],
)
def test_what_nobody_could_answer_is_no_message(changes: dict[str, str]) -> None:
    assert parse_message(_recorded("whatsapp_text", **changes)) is None


def test_counts_out_of_range_are_harmless() -> None:
    assert _message("whatsapp_text", NumMedia="9" * 5000).media_count == 0
    assert _message("whatsapp_text", NumMedia="999").media_count == 10
    assert _message("whatsapp_text", NumMedia="-1").media_count == 0


def test_a_null_character_never_reaches_the_database() -> None:
    assert _message("whatsapp_text", Body="a\x00b").body == "ab"


@pytest.mark.parametrize("document", ["[" * 16_000, '{"data":' * 2000 + "1" + "}" * 2000, "{", "1"])
def test_a_malicious_document_is_no_tap(document: str) -> None:
    assert _message("whatsapp_text", InteractiveData=document).button_payload is None


def test_status_reports() -> None:
    assert parse_status(_recorded("status_delivered")) == StatusReport(
        "SM" + f"{9:032x}", "delivered"
    )
    closed = parse_status(_recorded("status_window_closed"))
    assert closed == StatusReport("MM" + f"{10:032x}", "undelivered", 63016)
    read = parse_status(_recorded("status_read"))
    assert read is not None
    assert read.status == "read"
    assert parse_status(_recorded("status_read", MessageStatus="flown")) is None
    assert parse_status(MultiDict()) is None


FIELDS = st.sampled_from(
    [
        "MessageSid",
        "SmsSid",
        "From",
        "To",
        "Body",
        "NumMedia",
        "MediaUrl0",
        "ButtonPayload",
        "ListId",
        "InteractiveData",
        "ChannelMetadata",
        "ExternalUserId",
        "ParentExternalUserId",
        "OptOutType",
        "ErrorCode",
        "MessageStatus",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers(),
    lambda inner: st.dictionaries(
        st.sampled_from(["data", "context", "list_reply", "id", "ListId"]), inner, max_size=3
    ),
).map(json.dumps)
VALUES = st.text() | JSON | st.text(alphabet="+0123456789.ILENTwhatsapp:").map("whatsapp:".__add__)


@given(st.dictionaries(FIELDS, VALUES))
def test_no_form_breaks_parsing(fields: dict[str, str]) -> None:
    form = _recorded("whatsapp_text", **fields)
    message = parse_message(form)
    parse_status(form)

    if message is not None and message.sender.kind == "phone":
        assert message.sender.value == form["From"].removeprefix("whatsapp:").replace("\x00", "")
        assert message.sender.value.startswith("+")
