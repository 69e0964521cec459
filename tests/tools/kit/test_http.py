"""The API over the sample: arguments, keys, questions, errors and its own description."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from app.core.actor import Actor, Via
from app.core.errors import NotAllowed
from app.core.ids import new_id
from tests.tools.kit.conftest import Gym, at_once
from tests.tools.kit.sample.models import Locker, Room
from tools.http import Api, blueprint
from tools.kit.binding import Standing
from tools.kit.cards import AnyCard, Failed
from tools.kit.models import Question, ToolCall


def say(card: AnyCard, language: str) -> str:
    return f"{language}: {card.code if isinstance(card, Failed) else card.kind}"


class Caller:
    """A client in one person's name, through one door."""

    def __init__(self, gym: Gym, via: Via = Via.PERSON, standing: Standing | None = None) -> None:
        self.actor: Actor | None = gym.actor.acting(via)
        api = Api(db=gym.db, registry=gym.registry, say=say, standing=standing)
        app = Flask(__name__)
        app.register_blueprint(blueprint(api))
        app.before_request(lambda: setattr(g, "actor", self.actor))
        self.client: FlaskClient = app.test_client()

    def __call__(
        self,
        method: str,
        path: str,
        *,
        key: str | None = "",
        json: object = None,
        data: bytes | None = None,
        match: str | None = None,
    ) -> TestResponse:
        headers = {} if key is None else {"Idempotency-Key": key or str(new_id())}
        headers |= {} if match is None else {"If-Match": match}
        kind = "application/json" if data is not None else None
        return self.client.open(
            f"/api/v1{path}",
            method=method,
            headers=headers,
            json=json,
            data=data,
            content_type=kind,
        )


@pytest.fixture
def person(gym: Gym) -> Caller:
    return Caller(gym)


@pytest.fixture
def machine(gym: Gym) -> Caller:
    return Caller(gym, Via.MACHINE)


def error(response: TestResponse) -> tuple[int, str]:
    return response.status_code, body(response)["code"]


def body(response: TestResponse) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(response.data)


def test_a_tool_is_called_at_its_own_method_and_path(gym: Gym, person: Caller) -> None:
    made = body(person("POST", "/rooms", json={"name": "North"}))
    room_id = made["card"]["ref"]["id"]
    changed = person("PATCH", f"/rooms/{room_id}", json={"capacity": 7})

    assert made["message"] == "en: done"
    assert changed.status_code == 200
    shown = body(person("GET", f"/rooms/{room_id}", key=None))
    assert shown["card"]["facts"] == [{"label": "label.capacity", "value": 7}]
    assert gym.last_call().origin == "api"


def test_a_query_is_read_by_the_arguments_types(gym: Gym, person: Caller) -> None:
    room_id = gym.make("rooms.create", name="North")
    echo = person("GET", f"/rooms/{room_id}/echo?text=hi&times=3")
    assert body(echo)["card"]["total"] == 3
    refused = person("GET", f"/rooms/{room_id}/echo?text=hi&times=many&org_id=1")
    assert error(refused) == (422, "bad_input")
    assert body(refused)["values"]["fields"] == ["times", "org_id"]


def test_a_query_reaches_a_tool_as_it_can_be_kept(gym: Gym, person: Caller) -> None:
    room_id = gym.make("rooms.create", name="North")
    echo = person("GET", f"/rooms/{room_id}/echo?text=h%00i&times=1")
    assert "hi" in echo.text
    assert "\\u0000" not in echo.text


def test_a_list_repeats_its_name_and_nothing_else_may(person: Caller, machine: Caller) -> None:
    assert error(person("GET", f"/rooms/{new_id()}/echo?text=a&text=b&times=1")) == (
        422,
        "bad_input",
    )
    asked = machine("POST", "/lockers/picks?labels=a&labels=b")
    assert asked.status_code == 202
    assert [one["id"] for one in body(asked)["question"]["card"]["options"]] == ["a", "b"]


def test_an_argument_given_twice_must_be_the_same(gym: Gym, person: Caller) -> None:
    room_id = gym.make("rooms.create", name="North")
    other = {"room_id": str(new_id()), "name": "S"}
    same = {"room_id": str(room_id), "name": "S"}
    assert error(person("PATCH", f"/rooms/{room_id}", json=other)) == (422, "bad_input")
    assert person("PATCH", f"/rooms/{room_id}", json=same).status_code == 200


@pytest.mark.parametrize("data", [b"{", b"[1]", b'"x"', b"null", b"\xff"])
def test_a_body_that_is_no_object_is_refused(person: Caller, data: bytes) -> None:
    refused = person("POST", "/rooms", data=data)
    assert error(refused) == (422, "bad_input")


def test_a_write_needs_a_key_and_happens_once_for_it(gym: Gym, person: Caller) -> None:
    assert error(person("POST", "/rooms", key=None, json={"name": "N"})) == (400, "key_missing")
    assert error(person("POST", "/rooms", key="x" * 201, json={"name": "N"})) == (422, "bad_input")

    replies = at_once(8, lambda: body(person("POST", "/rooms", key="k", json={"name": "N"})))

    assert all(reply == replies[0] for reply in replies)
    assert len(gym.rows(Room)) == 1
    again = person("POST", "/rooms", key="k", json={"name": "other"})
    assert error(again) == (409, "key_reused")


def test_failures_have_their_own_status_and_words_in_the_persons_language(
    gym: Gym, person: Caller
) -> None:
    gym.actor = replace(gym.actor, language="he")
    person.actor = gym.actor
    room_id = gym.make("rooms.create", name="North", capacity=1)
    gym.make("lockers.create", room_id=room_id, label="1")

    full = person("POST", f"/rooms/{room_id}/lockers", json={"label": "2"})
    assert error(full) == (409, "room_full")
    assert full.mimetype == "application/problem+json"
    assert (body(full)["detail"], body(full)["status"]) == ("he: room_full", 409)
    assert body(full)["values"] == {"name": "North"}
    assert error(person("GET", f"/rooms/{new_id()}")) == (404, "not_found")
    assert error(person("GET", "/rooms/nonsense")) == (422, "bad_input")
    assert error(person("POST", f"/rooms/{room_id}/break")) == (500, "internal")


def test_nobody_gets_nothing(person: Caller) -> None:
    person.actor = None
    assert error(person("GET", "/rooms")) == (401, "sign_in_needed")
    assert error(person("GET", f"/questions/{new_id()}")) == (401, "sign_in_needed")


def test_a_persons_own_call_runs_and_a_programs_waits(
    gym: Gym, person: Caller, machine: Caller
) -> None:
    first, second = gym.make("rooms.create", name="N"), gym.make("rooms.create", name="S")

    assert person("DELETE", f"/rooms/{first}").status_code == 200
    waits = machine("DELETE", f"/rooms/{second}")

    assert waits.status_code == 202
    assert waits.headers["Location"] == f"/api/v1/questions/{body(waits)['question']['id']}"
    assert [room.id for room in gym.rows(Room)] == [second]


def waiting(gym: Gym, machine: Caller, key: str = "k") -> tuple[UUID, str]:
    room_id = gym.make("rooms.create", name="N")
    asked = body(machine("DELETE", f"/rooms/{room_id}", key=key))
    return room_id, f"/questions/{asked['question']['id']}"


def test_a_person_answers_and_the_call_runs_once_as_the_programs(
    gym: Gym, person: Caller, machine: Caller
) -> None:
    room_id, path = waiting(gym, machine)

    replies = at_once(6, lambda: person("POST", f"{path}/answers", json={"choice": "approve"}))

    assert {reply.status_code for reply in replies} == {200}
    assert gym.rows(Room) == []
    deletes = [row for row in gym.rows(ToolCall) if row.tool == "rooms.delete"]
    assert [(row.via, row.key) for row in deletes] == [(Via.MACHINE, "k")]
    assert body(person("GET", path))["outcomes"] == body(replies[0])["outcomes"]
    again = machine("DELETE", f"/rooms/{room_id}", key="k")
    assert body(again)["card"] == body(replies[0])["outcomes"][0]["card"]


def test_a_program_cannot_answer_itself(gym: Gym, machine: Caller) -> None:
    _, path = waiting(gym, machine)
    refused = machine("POST", f"{path}/answers", json={"choice": "approve"})
    assert error(refused) == (403, "not_allowed")
    assert len(gym.rows(Room)) == 1


def test_a_no_is_told_to_the_program_whenever_it_asks_again(
    gym: Gym, person: Caller, machine: Caller
) -> None:
    room_id, path = waiting(gym, machine)
    declined = person("POST", f"{path}/answers", json={"choice": "decline"})

    assert body(declined)["outcomes"][0]["card"] == {"kind": "not_run", "reason": "declined"}
    again = machine("DELETE", f"/rooms/{room_id}", key="k")
    assert (again.status_code, body(again)["card"]["kind"]) == (409, "not_run")
    other = person("POST", f"{path}/answers", json={"choice": "approve"})
    assert error(other) == (409, "question_closed")
    assert body(other)["values"]["state"] == "declined"


def test_the_same_key_waits_once_and_only_with_the_same_arguments(
    gym: Gym, machine: Caller
) -> None:
    room_id = gym.make("rooms.create", name="N")
    replies = at_once(16, lambda: body(machine("DELETE", f"/rooms/{room_id}", key="k")))

    assert len({reply["question"]["id"] for reply in replies}) == 1
    assert len(gym.rows(Question)) == 1
    other = machine("DELETE", f"/rooms/{gym.make('rooms.create', name='S')}", key="k")
    assert error(other) == (409, "key_reused")


def test_facts_that_moved_are_asked_anew(gym: Gym, person: Caller, machine: Caller) -> None:
    room_id, path = waiting(gym, machine)
    gym.run("rooms.update", room_id=room_id, name="New")

    moved = person("POST", f"{path}/answers", json={"choice": "approve"})

    assert error(moved) == (409, "question_moved")
    again = body(moved)["question"]
    assert again["card"]["values"]["name"]["text"] == "New"
    assert len(gym.rows(Room)) == 1
    answer = person("POST", f"/questions/{again['id']}/answers", json={"choice": "approve"})
    assert answer.status_code == 200
    assert gym.rows(Room) == []


def test_a_role_taken_away_stops_an_approved_call(gym: Gym, machine: Caller) -> None:
    _, path = waiting(gym, machine)

    def left(_: object, actor: Actor) -> Actor:
        raise NotAllowed(role=actor.role)

    answer = Caller(gym, standing=left)("POST", f"{path}/answers", json={"choice": "approve"})

    assert body(answer)["outcomes"][0]["card"]["code"] == "not_allowed"
    assert len(gym.rows(Room)) == 1


def test_a_pick_is_answered_by_number(gym: Gym, person: Caller, machine: Caller) -> None:
    north = gym.make("rooms.create", name="A")
    south = gym.make("rooms.create", name="B")
    locker_id = gym.make("lockers.create", room_id=north, label="1")
    asked = body(machine("POST", f"/lockers/{locker_id}/place"))["question"]
    path = f"/questions/{asked['id']}/answers"

    for nonsense in ([3], "approve", [1, 2], ["1"], {"a": 1}, None, [True]):
        assert error(person("POST", path, json={"choice": nonsense})) == (422, "bad_input")
    assert person("POST", path, json={"choice": [2]}).status_code == 200
    locker = gym.row(Locker, locker_id)
    assert locker is not None
    assert locker.room_id == south


def test_others_questions_and_calls_are_not_found(gym: Gym, machine: Caller) -> None:
    _, path = waiting(gym, machine)
    gym.run("rooms.create", name="Mine")
    stranger = Caller(Gym(gym.db, gym.registry))
    colleague = Caller(Gym(gym.db, gym.registry, replace(gym.actor, user_id=new_id())))

    for other in (stranger, colleague):
        assert error(other("GET", path)) == (404, "not_found")
        answer = other("POST", f"{path}/answers", json={"choice": "approve"})
        assert error(answer) == (404, "not_found")
        assert error(other("POST", f"/calls/{gym.last_call().id}/undo")) == (404, "not_found")


def test_a_write_is_taken_back_by_its_call(gym: Gym, person: Caller) -> None:
    made = body(person("POST", "/rooms", json={"name": "N"}))
    path = f"/calls/{made['card']['undo']['call_id']}/undo"

    undone = person("POST", path)

    assert body(undone)["card"]["kind"] == "undone"
    assert gym.rows(Room) == []
    assert error(person("POST", path)) == (409, "already_undone")


def references(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from references(one)


def test_the_document_describes_what_is_answered(gym: Gym, person: Caller) -> None:
    document = body(person("GET", "/openapi.json"))
    schemas = document["components"]["schemas"]

    for one in references(document):
        assert one.rpartition("/")[2] in schemas, one
    operations = [one for path in document["paths"].values() for one in path.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names)) == len(gym.registry) + 3
    made = body(person("POST", "/rooms", json={"name": "N"}))
    told = {"$ref": "#/components/schemas/Told", "components": document["components"]}
    Draft202012Validator(told).validate(made)
    wrong = {"$ref": "#/components/schemas/Problem", "components": document["components"]}
    Draft202012Validator(wrong).validate(body(person("GET", f"/rooms/{new_id()}")))


def test_every_route_of_the_document_is_served(person: Caller) -> None:
    document = body(person("GET", "/openapi.json"))
    for path, methods in document["paths"].items():
        for method in methods:
            wanted = path.removeprefix("/api/v1").replace("{", "").replace("}", "")
            assert person(method.upper(), wanted).status_code != 405, path
    assert len(document["paths"]) > 10


def test_what_is_read_carries_its_version_and_if_match_holds_a_change_to_it(
    gym: Gym, person: Caller
) -> None:
    room_id = gym.make("rooms.create", name="North")
    path = f"/rooms/{room_id}"
    read = person("GET", path, key=None)
    assert read.headers["ETag"] == '"1"'

    assert person("PATCH", path, json={"name": "S"}, match='"1"').status_code == 200
    moved = person("PATCH", path, json={"name": "T"}, match='"1"')
    assert error(moved) == (412, "stale_version")
    told = person("PATCH", path, json={"name": "T", "expected_version": 1})
    assert error(told) == (409, "stale_version")
    assert person("PATCH", path, json={"name": "T"}, match="*").status_code == 200


@pytest.mark.parametrize("match", ['W/"1"', '"1", "2"', "1", '"0"', '"x"'])
def test_what_no_version_looks_like_is_refused(gym: Gym, person: Caller, match: str) -> None:
    room_id = gym.make("rooms.create", name="North")
    refused = person("PATCH", f"/rooms/{room_id}", json={"name": "S"}, match=match)
    assert error(refused) == (422, "bad_input")


def test_a_version_for_what_holds_to_none_is_refused(gym: Gym, person: Caller) -> None:
    room_id = gym.make("rooms.create", name="North")
    assert error(person("DELETE", f"/rooms/{room_id}", match='"1"')) == (422, "bad_input")
    both = {"name": "S", "expected_version": 2}
    assert error(person("PATCH", f"/rooms/{room_id}", json=both, match='"1"')) == (422, "bad_input")


def test_the_page_tells_of_every_tool_and_every_code(gym: Gym, person: Caller) -> None:
    page = person("GET", "/docs", key=None)
    assert page.mimetype == "text/html"
    for tool in gym.registry.values():
        assert f'id="{tool.wire_name}"' in page.text
    assert 'id="problem-room_full"' in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text
    with person("GET", "/static/api.css", key=None) as style:
        assert style.status_code == 200
