"""The wire of our page: messages, streams, answers, stop, what a page asks for when it opens."""

from itertools import islice
from typing import Any
from uuid import uuid4

import pytest
from ag_ui.core import Event as AnyEvent
from pydantic import TypeAdapter

from app.core.actor import Actor, Role
from app.core.clock import Clock
from app.people.service import change_staff
from app.web.tokens import issue_token
from tests.bot.channels.web.client import Client, kinds, named
from tests.bot.channels.web.sequences import Rules
from tests.browser.stage import Stage

any_event: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def test_a_message_becomes_a_turn_whose_stream_is_the_open_protocol(client: Client) -> None:
    told = client.say("hello")
    events = [event for _, event in client.follow(told["turn_id"])]
    Rules().feed([any_event.validate_python(event) for event in events])
    assert kinds(events)[0] == "RUN_STARTED"
    assert kinds(events)[-1] == "RUN_FINISHED"
    assert named(events, "RUN_STARTED")["threadId"] == told["conversation_id"]


def test_every_id_is_a_place_to_go_on_from(client: Client) -> None:
    turn = client.say("hello")["turn_id"]
    all_of_it = client.follow(turn)
    for place, (at, _) in enumerate(all_of_it):
        if at is not None:
            rest = [event for _, event in client.follow(turn, at)]
            assert text_of(rest) == text_of([event for _, event in all_of_it[place + 1 :]])


def test_a_card_is_answered_and_its_turn_goes_on(client: Client) -> None:
    turn = client.say("cancel the open gym")["turn_id"]
    asked = client.follow(turn)
    pending = named([event for _, event in asked], "confirmation_pending")["value"]
    assert pending["view"]["kind"] == "confirm"
    assert pending["until"]
    path = f"/chat/questions/{pending['question_id']}/answers"
    first = client.post(path, {"choice": "approve"}).json()
    again = client.post(path, {"choice": "decline"}).json()
    assert first["settled"]["approved"] == again["settled"]["approved"] == pending["call_ids"]
    later = [event for _, event in client.follow(turn, asked[-1][0])]
    assert kinds(later)[:2] == ["RUN_STARTED", "card_settled"]
    assert named(later, "undo_available")["value"]["number"] == 12


def test_an_answer_that_does_not_fit_is_refused(client: Client) -> None:
    turn = client.say("cancel the open gym")["turn_id"]
    pending = named([e for _, e in client.follow(turn)], "confirmation_pending")["value"]
    path = f"/chat/questions/{pending['question_id']}/answers"
    for choice in (None, "", [7], {"approved": True}, "whatever"):
        assert client.post(path, {"choice": choice}).status_code == 422
    assert client.post(path, [1]).status_code == 422


def test_what_belongs_to_somebody_else_is_not_there(client: Client, stage: Stage) -> None:
    told = client.say("cancel the open gym")
    pending = named([e for _, e in client.follow(told["turn_id"])], "confirmation_pending")
    question = pending["value"]["question_id"]
    other = as_person(stage, client, stage.people["ru"])
    refused = [
        other.get(f"/chat/conversations/{told['conversation_id']}"),
        other.get(f"/chat/turns/{told['turn_id']}/events"),
        other.post(f"/chat/turns/{told['turn_id']}/stop"),
        other.post(f"/chat/questions/{question}/answers", {"choice": "approve"}),
        other.post("/chat/messages", {"text": "hi", "conversation_id": told["conversation_id"]}),
    ]
    assert {one.status_code for one in refused} == {404}
    opened = other.get("/chat/open").json()
    assert (opened["conversation_id"], opened["questions"]) == (None, [])


def test_a_page_that_opens_gets_what_waits_and_what_was_said(client: Client) -> None:
    told = client.say("cancel the open gym")
    streamed = [event for _, event in client.follow(told["turn_id"])]
    opened = client.get("/chat/open").json()
    assert opened["conversation_id"] == told["conversation_id"]
    assert [one["view"]["kind"] for one in opened["questions"]] == ["confirm"]
    kept = client.get(f"/chat/conversations/{told['conversation_id']}").json()
    assert [turn["turn_id"] for turn in kept["turns"]] == [told["turn_id"]]
    assert named(kept["turns"][0]["events"], "confirmation_pending") == named(
        streamed, "confirmation_pending"
    )
    rest = client.follow(told["turn_id"], kept["turns"][0]["last"])
    assert rest == []


def test_stop_ends_a_running_turn_as_cancelled(client: Client) -> None:
    turn = client.say("slow please")["turn_id"]
    assert client.post(f"/chat/turns/{turn}/stop").status_code == 202
    events = [event for _, event in client.follow(turn)]
    assert events[-1]["outcome"] == {"type": "cancelled"}


def test_the_other_pages_of_a_person_are_told(client: Client, stage: Stage, person: Actor) -> None:
    told = client.say("hello")
    raw: Any = stage.wiring.redis.xrange(f"person:{person.org_id}:{person.user_id}")
    [(_, fields)] = raw
    assert fields[b"name"] == b"turn_begun"
    assert told["turn_id"].encode() in fields[b"value"]


def test_who_is_lowered_or_let_go_is_told_nothing_more_on_what_is_open(
    client: Client, stage: Stage
) -> None:
    leaver = stage.hire("Dana Levi", "en")
    theirs = as_person(stage, client, leaver)
    turn = theirs.say("slow please")["turn_id"]
    change: dict[str, Any]
    for path, change in (
        (f"/chat/turns/{turn}/events", {"role": Role.COACH}),
        ("/chat/events", {"role": Role.OWNER}),
        ("/chat/events", {"role": Role.COACH}),
        ("/chat/events", {"active": False}),
    ):
        stream = theirs.lines(path)
        assert next(stream) == ": beat"
        with stage.db.transaction(stage.org) as session:
            change_staff(session, leaver.user_id, **change)
        stage.tell(leaver, "card_settled", {"question_id": "news"})
        if change == {"role": Role.OWNER}:
            assert "news" in "".join(islice(stream, 4))
            continue
        told = list(stream)
        assert told[-2:] == ["event: reconnect", "data: {}"]
        assert not any("news" in line for line in told)
        theirs.post(f"/chat/turns/{turn}/stop")


@pytest.mark.parametrize("body", [{}, {"text": 3}, {"text": "x", "more": 1}, {"text": " "}, []])
def test_a_message_is_checked(client: Client, body: object) -> None:
    assert client.post("/chat/messages", body).status_code == 422


def test_a_token_of_nobody_opens_nothing(client: Client) -> None:
    stranger = Client(client.url, "no")
    assert stranger.get("/chat/open").status_code == 401
    assert stranger.get(f"/chat/turns/{uuid4()}/events").status_code == 401
    assert stranger.post("/agui", {}).status_code == 401


def as_person(stage: Stage, client: Client, actor: Actor) -> Client:
    token = issue_token(stage.wiring.settings, actor, now=Clock().now())
    return Client(client.url, token)


def text_of(events: list[dict[str, str]]) -> str:
    return "".join(event["delta"] for event in events if "delta" in event)
