"""The page behind the link to the Arbox form: the key goes from it to the vault, nowhere else."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.arbox import service as arbox
from app.arbox.errors import ArboxAway, ArboxRefused, FormClosed, KeyRefused
from app.arbox.port import ArboxApi, Raw
from app.core.actor import Actor, Role
from app.core.db import Database, now_of
from app.core.errors import NotAllowed, StudioError
from app.web.identity import check_csrf, public
from bot.dashboard.pages import language_asked
from bot.dashboard.words import ARBOX_KEYS, page_words
from i18n import Language
from tools.kit import audit
from tools.kit.audit import Source

SHORTEST, LONGEST = 8, 200


@dataclass(frozen=True, slots=True)
class ArboxForm:
    """What the page stands on."""

    db: Database
    client: Callable[[str], ArboxApi]
    actor_of: Callable[[Session, UUID, UUID], Actor | None]
    """(session, org, user): None where they work there no more."""
    say: Callable[[StudioError, str], str]
    """(error, language) -> what a person is told."""


def arbox_form(form: ArboxForm) -> Blueprint:
    """Whoever has the link, which the owner alone was sent, may enter a key, once."""
    pages = Blueprint("arbox", __name__)

    @pages.get("/connect/arbox/<word>")
    @public
    def show(word: str) -> ResponseReturnValue:
        try:
            actor = _owner(form, word)
        except (FormClosed, NotAllowed):
            return _closed()
        return _page(Language.of(actor.language), open=True)

    @pages.post("/connect/arbox/<word>")
    @public
    def enter(word: str) -> ResponseReturnValue:
        check_csrf()
        try:
            actor = _owner(form, word)
        except (FormClosed, NotAllowed):
            return _closed()
        language = Language.of(actor.language)
        key = "".join(request.form.get("key", "").split())
        try:
            branches = _try(form, key)
            _keep(form, actor, word, key, branches)
        except FormClosed:
            return _closed()
        except (KeyRefused, ArboxAway, ArboxRefused) as error:
            told = form.say(error, language.value)
            return _page(language, open=True, trouble=told), error.status
        return _page(language, last4=key[-4:])

    return pages


def _owner(form: ArboxForm, word: str) -> Actor:
    """Who was sent the link, if they still are an owner. Raises FormClosed, NotAllowed."""
    org_id = arbox.org_of(word)
    if org_id is None:
        raise FormClosed
    with form.db.transaction(org_id) as session:
        row = arbox.form_of(session, word, now=now_of(session))
        actor = form.actor_of(session, org_id, row.asked_by)
    if actor is None or not actor.role.at_least(Role.OWNER):
        raise NotAllowed
    return actor


def _try(form: ArboxForm, key: str) -> list[Raw]:
    """Ask Arbox itself, outside of any transaction: their branches, by which the key is known."""
    if not SHORTEST <= len(key) <= LONGEST or not key.isascii():
        raise KeyRefused
    return list(form.client(key).rows("/locations", {}))


def _keep(form: ArboxForm, actor: Actor, word: str, key: str, branches: list[Raw]) -> None:
    with form.db.transaction(actor.org_id) as session:
        arbox.enter_key(session, word, key, now=now_of(session))
        arbox.keep(session, actor.org_id, "locations", branches)
        audit.record(session, actor, Source("form"), tool="arbox.connect", result="connected")


def _closed() -> ResponseReturnValue:
    return _page(language_asked(request)), FormClosed.status


def _page(language: Language, **values: object) -> str:
    say = page_words(ARBOX_KEYS, language)
    return render_template("arbox.html", language=language, say=say, **values)
