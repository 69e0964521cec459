"""The API: one view for all tools, each at its own method and path, and the doors beside them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from app.core.actor import Actor
from app.core.db import Database
from app.core.errors import BadInput, StudioError
from app.core.ids import new_id
from app.core.storable import storable
from app.web import problems
from app.web.identity import current_actor
from tools.http import conditions, page
from tools.kit import failures, openapi, pending, questions, schema, undo
from tools.kit.binding import Standing
from tools.kit.calls import LONGEST_KEY, Call, Outcome
from tools.kit.cards import AnyCard, Failed
from tools.kit.choices import choice_of_json
from tools.kit.declare import Effect, Tool
from tools.kit.models import Question, QuestionState
from tools.kit.registry import Registry
from tools.kit.runner import Runner
from tools.kit.values import plain

PREFIX: Final = "/api/v1"
ORIGIN: Final = "api"

Say = Callable[[AnyCard, str], str]
"""(card, language) -> what a person is told."""


class KeyMissing(StudioError):
    """A write without an Idempotency-Key header."""

    code, status = "key_missing", 400


class QuestionClosed(StudioError):
    """It was answered otherwise before: `state`, `where`, `at`."""

    code, status = "question_closed", 409


class QuestionExpired(StudioError):
    code, status = "question_expired", 410


class QuestionMoved(StudioError):
    """What was agreed to has changed meanwhile; it is asked anew."""

    code, status = "question_moved", 409


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What the views need. `g.actor`, set by the shell around them, is who is asking."""

    db: Database
    registry: Registry
    say: Say
    standing: Standing | None = None
    zone_of: Callable[[UUID], str] = lambda _: "UTC"
    """The zone of an org, for the times on receipts."""
    ttl: timedelta = pending.TTL

    def runner(self, actor: Actor) -> Runner:
        zone = self.zone_of(actor.org_id)
        return Runner(self.db, self.registry, actor, ORIGIN, standing=self.standing, zone=zone)


def blueprint(api: Api) -> Blueprint:
    """Every tool at its route below /api/v1, with questions, undo, the document and its page."""
    routes = Blueprint(
        "api", __name__, url_prefix=PREFIX, template_folder="templates", static_folder="static"
    )
    for tool in api.registry.values():
        routes.add_url_rule(
            tool.path.replace("{", "<").replace("}", ">"),
            endpoint=tool.wire_name,
            view_func=partial(_call, api, tool),
            methods=[tool.method],
        )
    document = openapi.document(api.registry, prefix=PREFIX)
    routes.add_url_rule("/openapi.json", "openapi", lambda: jsonify(document))
    routes.add_url_rule("/docs", "docs", lambda: page.of(document))
    routes.add_url_rule("/questions/<uuid:question_id>", "question", partial(_question, api))
    _post(routes, "/questions/<uuid:question_id>/answers", "answer", partial(_answer, api))
    _post(routes, "/calls/<uuid:call_id>/undo", "undo", partial(_undo, api))
    routes.register_error_handler(StudioError, partial(_refused, api))
    return routes


def _post(routes: Blueprint, path: str, name: str, view: Callable[..., Any]) -> None:
    routes.add_url_rule(path, name, view, methods=["POST"])


def _call(api: Api, tool: Tool[Any], **path: str) -> ResponseReturnValue:
    actor = current_actor()
    key = _key() if tool.effect is not Effect.READ else str(new_id())
    call = Call(id=key, name=tool.name, input=_arguments(tool, path))
    came_to = pending.submit(api.runner(actor), call, ttl=api.ttl)
    if isinstance(came_to, Question):
        return _asked(api, came_to, actor)
    return _told(api, came_to, actor)


def _question(api: Api, question_id: UUID) -> ResponseReturnValue:
    actor = current_actor()
    with api.db.transaction(actor.org_id) as session:
        question = pending.one(session, actor, question_id)
        outcomes = pending.outcomes(session, question)
    return jsonify(question=_shown(api, question, actor), outcomes=_all(api, outcomes, actor))


def _answer(api: Api, question_id: UUID) -> ResponseReturnValue:
    actor = current_actor()
    choice = choice_of_json(_body().get("choice"))
    answer = pending.answer(api.runner(actor), question_id, choice, where=ORIGIN, ttl=api.ttl)
    question = answer.result.question
    if isinstance(answer.result, questions.Expired):
        raise QuestionExpired
    if not answer.outcomes:
        raise QuestionClosed(state=question.state.value, where=question.decided_where)
    if answer.again is not None:
        shown = _shown(api, answer.again, actor)
        moved = _problem(api, failures.failed(QuestionMoved()), actor, QuestionMoved.status)
        return problems.answered({**moved, "question": shown}, QuestionMoved.status)
    shown = _shown(api, question, actor)
    return jsonify(question=shown, outcomes=_all(api, answer.outcomes, actor))


def _undo(api: Api, call_id: UUID) -> ResponseReturnValue:
    actor = current_actor()
    outcome = undo.undo(api.db, api.registry, actor, call_id, standing=api.standing)
    return _told(api, outcome, actor)


def _key() -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key:
        raise KeyMissing
    if len(key) > LONGEST_KEY:
        raise BadInput(fields=("Idempotency-Key",))
    return key


def _arguments(tool: Tool[Any], path: Mapping[str, str]) -> dict[str, Any]:
    """Path, query, body and If-Match as one; what is given twice must be the same both times."""
    arguments: dict[str, Any] = {}
    for part in (path, dict(_query(tool)), _body(), conditions.expected(tool)):
        differ = [name for name in part if arguments.get(name, part[name]) != part[name]]
        if differ:
            raise BadInput(fields=differ)
        arguments.update(part)
    return arguments


def _query(tool: Tool[Any]) -> Iterator[tuple[str, Any]]:
    """A list repeats its name; anything else that does is ambiguous."""
    several = schema.lists(tool.args)
    for name, given in request.args.lists():
        values = [storable(one) for one in given]
        if name not in several and len(values) > 1:
            raise BadInput(fields=(name,))
        yield name, values if name in several else values[0]


def _body() -> dict[str, Any]:
    if not request.get_data(cache=True):
        return {}
    try:
        body = request.get_json()
    except BadRequest:
        body = None
    if not isinstance(body, dict):
        raise BadInput(fields=("body",))
    return body


def _told(api: Api, outcome: Outcome, actor: Actor) -> ResponseReturnValue:
    if isinstance(outcome.card, Failed):
        status = conditions.status_of(outcome.card.code)
        return problems.answered(_problem(api, outcome.card, actor, status), status)
    response = jsonify(_outcome(api, outcome, actor))
    response.status_code = 200 if outcome.ok else 409
    return conditions.tagged(response, outcome.card)


def _asked(api: Api, question: Question, actor: Actor) -> ResponseReturnValue:
    response = jsonify(question=_shown(api, question, actor))
    response.headers["Location"] = f"{PREFIX}/questions/{question.id}"
    return response, 202


def _shown(api: Api, question: Question, actor: Actor) -> dict[str, Any]:
    overdue = question.state is QuestionState.OPEN and question.expires_at <= api.db.clock.now()
    state = QuestionState.EXPIRED if overdue else question.state
    return {
        "id": str(question.id),
        "state": state.value,
        "card": question.card,
        "message": api.say(questions.card_of(question), actor.language),
        "expires_at": question.expires_at.isoformat(),
        "decided_at": question.decided_at.isoformat() if question.decided_at else None,
        "decided_where": question.decided_where,
    }


def _all(api: Api, outcomes: tuple[Outcome, ...], actor: Actor) -> list[dict[str, Any]]:
    return [_outcome(api, outcome, actor) for outcome in outcomes]


def _outcome(api: Api, outcome: Outcome, actor: Actor) -> dict[str, Any]:
    message = api.say(outcome.card, actor.language)
    return {"ok": outcome.ok, "card": outcome.card.model_dump(mode="json"), "message": message}


def _problem(api: Api, card: Failed, actor: Actor | None, status: int) -> dict[str, Any]:
    said = api.say(card, actor.language if actor else "en")
    values = {name: plain(value) for name, value in card.values.items()}
    return problems.problem(card.code, status, said, values)


def _refused(api: Api, error: StudioError) -> Response:
    body = _problem(api, failures.failed(error), g.get("actor"), error.status)
    return problems.answered(body, error.status)
