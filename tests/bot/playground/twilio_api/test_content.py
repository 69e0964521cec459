"""Cards with buttons: created by the official library, filled, shown, tapped and refused."""

import json
from typing import Any

import pytest
from twilio.base.exceptions import TwilioRestException

from bot.channels.twilio.parse import parse_message
from tests.bot.playground.twilio_api.conftest import Playground

BUTTONS = {
    "twilio/quick-reply": {
        "body": "{{1}}",
        "actions": [{"title": "{{2}}", "id": "{{3}}"}, {"title": "{{4}}", "id": "{{5}}"}],
    },
    "twilio/text": {"body": "{{1}} 1 / 2"},
}
LIST = {
    "twilio/list-picker": {
        "body": "Which Dana?",
        "button": "Choose",
        "items": [
            {"item": "Dana Levi", "id": "card:1", "description": "Pro"},
            {"item": "Dana Cohen", "id": "card:2", "description": "Basic"},
        ],
    }
}
FILLED = {"1": "Cancel?", "2": "Cancel it", "3": "card:1", "4": "Keep it", "5": "card:2"}


def _created(playground: Playground, types: dict[str, Any], language: str = "en") -> str:
    request = {"friendly_name": "a card", "language": language, "types": types}
    playground.phone("whatsapp", "hi")
    sid = playground.client.content.v1.contents.create(content_create_request=_Request(request)).sid
    assert sid.startswith("HX")
    return str(sid)


class _Request:
    """What the library asks of a create request: its JSON."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def to_dict(self) -> dict[str, Any]:
        return self._document


def _failure(playground: Playground, sid: str, **variables: str) -> str:
    sent = playground.send(
        "whatsapp", None, content_sid=sid, content_variables=json.dumps(FILLED | variables)
    )
    playground.webhook.wait_for(lambda: bool(playground.webhook.statuses(sent.sid)))
    return playground.webhook.reports(sent.sid)[-1].get("ErrorCode", "")


def test_a_card_is_filled_and_its_button_tapped(playground: Playground) -> None:
    sid = _created(playground, BUTTONS)
    sent = playground.send("whatsapp", None, content_sid=sid, content_variables=json.dumps(FILLED))

    card = playground.thread("whatsapp")[-1]
    assert sent.sid.startswith("MM")
    assert card["body"] == "Cancel?"
    assert [(one["id"], one["title"]) for one in card["buttons"]] == [
        ("card:1", "Cancel it"),
        ("card:2", "Keep it"),
    ]

    playground.phone("whatsapp", "", button_payload="card:2", quoted_sid=card["sid"])
    tap = parse_message(playground.webhook.last_heard().form)
    assert tap is not None
    assert (tap.body, tap.button_payload, tap.quoted_sid) == ("Keep it", "card:2", card["sid"])


def test_a_row_of_a_list_is_tapped(playground: Playground) -> None:
    playground.send("whatsapp", None, content_sid=_created(playground, LIST))
    card = playground.thread("whatsapp")[-1]
    assert (card["list_label"], len(card["buttons"])) == ("Choose", 2)

    playground.phone("whatsapp", "", button_payload="card:1", quoted_sid=card["sid"])

    tap = parse_message(playground.webhook.last_heard().form)
    assert tap is not None
    assert (tap.body, tap.button_payload) == ("Dana Levi", "card:1")


def test_sms_shows_the_words_of_a_card(playground: Playground) -> None:
    sid = _created(playground, BUTTONS)
    playground.send("sms", None, content_sid=sid, content_variables=json.dumps(FILLED))

    assert playground.thread("sms")[-1]["body"] == "Cancel? 1 / 2"
    assert playground.thread("sms")[-1]["buttons"] == []


@pytest.mark.parametrize(
    "variables",
    [
        {"1": "a" * 1025},
        {"2": "a" * 21},
        {"2": "Keep it"},
        {"3": "card:2"},
        {"3": "a" * 257},
        {"2": ""},
    ],
)
def test_what_whatsapp_can_t_show_fails_later(
    playground: Playground, variables: dict[str, str]
) -> None:
    assert _failure(playground, _created(playground, BUTTONS), **variables) == "63021"


def test_more_than_three_buttons_fail_in_a_session(playground: Playground) -> None:
    actions = [{"title": f"Option {n}", "id": f"card:{n}"} for n in range(4)]
    types = {"twilio/quick-reply": {"body": "Which?", "actions": actions}}

    assert _failure(playground, _created(playground, types)) == "63021"


@pytest.mark.parametrize("variables", ["{", "[]", '{"1": ["a"]}', '{"1": "only one"}'])
def test_wrong_variables_are_refused(playground: Playground, variables: str) -> None:
    sid = _created(playground, BUTTONS)

    with pytest.raises(TwilioRestException) as refused:
        playground.send("whatsapp", None, content_sid=sid, content_variables=variables)

    assert refused.value.code == 21656


@pytest.mark.parametrize(
    "types", [{}, {"twilio/unheard-of": {}}, {"twilio/quick-reply": {"body": "no actions"}}]
)
def test_a_wrong_content_is_refused(playground: Playground, types: dict[str, Any]) -> None:
    with pytest.raises(TwilioRestException) as refused:
        _created(playground, types)

    assert refused.value.status == 400


def test_an_approved_template_goes_out_to_a_closed_window(playground: Playground) -> None:
    sid = _created(playground, {"twilio/text": {"body": "Your class moved to {{1}}."}})
    playground.post("/_control/close_window", number="+972541234567")
    assert _failure(playground, sid) == "63016"

    contents = playground.client.content.v1.contents
    contents(sid).approval_create.create(
        content_approval_request=_Request({"name": "moved", "category": "UTILITY"})
    )

    assert _failure(playground, sid) == ""
    assert playground.thread("whatsapp")[-1]["body"] == "Your class moved to Cancel?."


def test_contents_are_listed_and_dropped(playground: Playground) -> None:
    sid = _created(playground, LIST)
    contents = playground.client.content.v1.contents

    assert [one.sid for one in contents.list()] == [sid]
    assert contents(sid).fetch().types == LIST
    assert contents(sid).delete()
    assert contents.list() == []
