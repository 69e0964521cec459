"""A whole turn with a confirmation, driven by a client that knows AG-UI and nothing of us."""

from typing import Any

from ag_ui.core import Event as AnyEvent
from pydantic import TypeAdapter

from tests.bot.channels.web.client import Client, Event, kinds, named
from tests.bot.channels.web.sequences import Rules

any_event: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def interrupt(events: list[Event]) -> Event:
    return dict(events[-1]["outcome"]["interrupts"][0])


def snapshot(events: list[Event]) -> list[Event]:
    return list(named(events, "MESSAGES_SNAPSHOT")["messages"])


def resume(asked: list[Event], payload: object, status: str = "resolved") -> dict[str, Any]:
    entry = {"interruptId": interrupt(asked)["id"], "status": status, "payload": payload}
    return {"resume": [entry], "messages": snapshot(asked)}


def test_a_run_ends_with_an_interrupt_and_its_answer_is_the_next_run(client: Client) -> None:
    asked = client.run("a-thread-of-theirs", "cancel the open gym")
    Rules().feed([any_event.validate_python(event) for event in asked])
    wait = interrupt(asked)
    assert wait["reason"] == "confirmation"
    assert wait["responseSchema"]["properties"]["approved"] == {"type": "boolean"}
    assert wait["expiresAt"]
    assert [message["role"] for message in snapshot(asked)] == ["user", "assistant"]
    done = client.run("a-thread-of-theirs", **resume(asked, {"approved": True}))
    Rules().feed([any_event.validate_python(event) for event in done])
    assert done[-1]["outcome"] == {"type": "success"}
    assert kinds(done).count("TOOL_CALL_RESULT") == 2
    roles = [message["role"] for message in snapshot(done)]
    assert roles == ["user", "assistant", "tool", "tool", "assistant"]


def test_the_run_has_the_client_s_ids(client: Client) -> None:
    events = client.run("mine", "hello", runId="run-77")
    for event in (events[0], events[-1]):
        assert (event["threadId"], event["runId"]) == ("mine", "run-77")


def test_the_same_thread_is_the_same_conversation(client: Client) -> None:
    client.run("one", "hello")
    client.run("one", "hello again")
    client.run("two", "hello")
    listed = client.get("/chat/conversations").json()["conversations"]
    assert len(listed) == 2


def test_an_abandoned_interrupt_declines(client: Client) -> None:
    asked = client.run("t", "cancel the open gym")
    done = client.run("t", **resume(asked, None, "cancelled"))
    results = [event["content"] for event in done if event["type"] == "TOOL_CALL_RESULT"]
    assert '{"not_run":"declined"}' in results


def test_a_vague_answer_approves_nothing(client: Client) -> None:
    asked = client.run("t", "cancel the open gym")
    body = {"threadId": "t", "runId": "r", **resume(asked, {"approved": "ok"})}
    assert client.post("/agui", body).status_code == 422


def test_newer_words_supersede_what_was_asked(client: Client) -> None:
    client.run("t", "cancel the open gym")
    events = client.run("t", "hello")
    assert events[-1]["outcome"] == {"type": "success"}
    assert not client.get("/chat/open").json()["questions"]


def test_an_answer_to_what_was_never_asked_is_passed_over(client: Client) -> None:
    entry = {"interruptId": "of somebody else", "status": "resolved", "payload": {"approved": True}}
    events = client.run("t", "hello", resume=[entry])
    assert events[-1]["outcome"] == {"type": "success"}


def test_a_request_without_words_or_answer_is_refused_before_a_run(client: Client) -> None:
    answer = client.post("/agui", {"threadId": "t", "runId": "r", "messages": []})
    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_to_run")
    assert client.post("/agui", {"threadId": "t"}).status_code == 422
