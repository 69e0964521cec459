"""The addresses of the dashboard's wire, below /api/v1."""

from uuid import UUID

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from app.web.identity import current_actor
from bot.channels.web import lookup, sse
from bot.channels.web.agui import Fold
from bot.channels.web.bodies import Message, json_body
from bot.channels.web.chat import Chat
from bot.channels.web.ideas import idea_routes
from bot.channels.web.tasks import task_routes
from bot.conversation import reading
from bot.stream import Person, follow_person, follow_turn
from tools.kit.choices import choice_of_json


def chat_routes(chat: Chat) -> Blueprint:
    pages = Blueprint("chat", __name__, url_prefix="/api/v1")
    _asking(pages, chat)
    _watching(pages, chat)
    _looking(pages, chat)
    task_routes(pages, chat)
    idea_routes(pages, chat)
    return pages


def _asking(pages: Blueprint, chat: Chat) -> None:
    @pages.post("/chat/messages")
    def say() -> ResponseReturnValue:
        message = Message.model_validate(json_body())
        told = chat.say(current_actor(), message.conversation_id, message.text, message.beside)
        return jsonify(told), 202

    @pages.post("/chat/questions/<uuid:question_id>/answers")
    def answer(question_id: UUID) -> ResponseReturnValue:
        choice = choice_of_json(json_body().get("choice"))
        return jsonify(chat.answer(current_actor(), question_id, choice))

    @pages.post("/chat/turns/<uuid:turn_id>/stop")
    def stop(turn_id: UUID) -> ResponseReturnValue:
        return jsonify(stopping=chat.stop(current_actor(), turn_id)), 202

    @pages.post("/chat/calls/<uuid:call_id>/undo")
    def undo(call_id: UUID) -> ResponseReturnValue:
        return jsonify(chat.undo(current_actor(), call_id))


def _watching(pages: Blueprint, chat: Chat) -> None:
    @pages.get("/chat/turns/<uuid:turn_id>/events")
    def turn_events(turn_id: UUID) -> Response:
        actor = current_actor()
        watched = chat.watch(actor, turn_id)
        fold = Fold(
            thread=watched.conversation_id,
            turn=turn_id,
            views=watched.views,
            until=lambda question_id: chat.until(actor.org_id, question_id),
        )
        items = follow_turn(
            chat.redis,
            turn_id,
            request.headers.get("Last-Event-ID"),
            lambda first: chat.table(actor.org_id, turn_id, first),
            chat.patience,
        )
        standing = sse.while_standing(items, lambda: chat.stands(actor))
        return sse.response(sse.turn_frames(standing, fold))

    @pages.get("/chat/events")
    def person_events() -> Response:
        after = request.headers.get("Last-Event-ID")
        actor = current_actor()
        person = Person(actor.org_id, actor.user_id)
        items = follow_person(chat.redis, person, after, chat.patience)
        standing = sse.while_standing(items, lambda: chat.stands(actor))
        return sse.response(sse.person_frames(standing))


def _looking(pages: Blueprint, chat: Chat) -> None:
    @pages.get("/chat/conversations/<uuid:conversation_id>")
    def history(conversation_id: UUID) -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            row = reading.conversation(session, actor, conversation_id)
            return jsonify(lookup.history(session, row, chat.views(session, actor)))

    @pages.get("/chat/conversations")
    def past() -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            return jsonify(lookup.past(session, actor, chat.views(session, actor)))

    @pages.get("/chat/open")
    def open_now() -> ResponseReturnValue:
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            return jsonify(lookup.open_now(session, actor, chat.views(session, actor)))
