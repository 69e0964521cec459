"""Playbooks on the dashboard: what is worth a look on a page, and turns that start from one."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from app.web.identity import current_actor
from bot.channels.web.bodies import Place, json_body
from bot.channels.web.chat import Chat
from bot.conversation import playbooks


def idea_routes(pages: Blueprint, chat: Chat) -> None:
    @pages.get("/chat/playbooks")
    def ideas() -> ResponseReturnValue:
        """A few, what fits the page first: [{name, title}]."""
        actor = current_actor()
        with chat.db.transaction(actor.org_id) as session:
            language = chat.views(session, actor).reader.language
        page = request.args.get("page", "")
        return jsonify(playbooks=playbooks.offered(actor.role, language, page))

    @pages.post("/chat/playbooks/<name>")
    def start(name: str) -> ResponseReturnValue:
        """As words that are said; 404 for one that isn't this person's."""
        place = Place.model_validate(json_body())
        begun = chat.start(current_actor(), place.conversation_id, name, place.beside)
        return jsonify(begun), 202
