"""Where an invitation's link leads: a page for whoever holds it, without an account."""

import re
from dataclasses import dataclass
from uuid import UUID

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.core.db import now_of
from app.core.errors import StudioError
from app.people import service as people
from app.people.views import InvitationView
from app.studio import queries as studio
from app.web import identity
from app.web.identity import public
from bot.dashboard.pages import Desk, language_asked
from bot.dashboard.words import JOIN_KEYS, page_words
from i18n import Language

_WORD = re.compile(r"[^A-Za-z0-9_-]")
"""A phone may take the direction mark behind a link for a part of it."""
GONE = 404
"""Whether it never was, was used, revoked or is too old, nobody is told who knows no token."""


@dataclass(frozen=True, slots=True)
class Shown:
    gym: str
    invitation: InvitationView


def joining(desk: Desk) -> Blueprint:
    pages = Blueprint("joining", __name__, template_folder="templates")

    @pages.get("/join/<slug>/<token>")
    @public
    def look(slug: str, token: str) -> ResponseReturnValue:
        """A button first: what looks at links before a person does must not use this one up."""
        return _page(_shown(desk, slug, token, joins=False))

    @pages.post("/join/<slug>/<token>")
    @public
    def join(slug: str, token: str) -> ResponseReturnValue:
        identity.check_csrf()
        return _page(_shown(desk, slug, token, joins=True), joined=True)

    return pages


def _shown(desk: Desk, slug: str, token: str, *, joins: bool) -> Shown | None:
    """The invitation, taken up where `joins`; None where there is none such to take up."""
    token = _WORD.sub("", token)
    with desk.db.platform() as session:
        org_id = studio.org_by_slug(session, slug)
    if org_id is None:
        return None
    try:
        return _take_up(desk, org_id, token) if joins else _look_up(desk, org_id, token)
    except StudioError:
        return None


def _look_up(desk: Desk, org_id: UUID, token: str) -> Shown:
    with desk.db.transaction(org_id) as session:
        found = people.by_token(session, token, now=now_of(session))
        return Shown(studio.org(session, org_id).name, found)


def _take_up(desk: Desk, org_id: UUID, token: str) -> Shown:
    with desk.db.transaction(org_id) as session:
        now = now_of(session)
        today = studio.today(session, org_id, now)
        found = people.accept(session, token, today=today, now=now)
        return Shown(studio.org(session, org_id).name, found)


def _page(shown: Shown | None, *, joined: bool = False) -> ResponseReturnValue:
    language = Language.of(shown.invitation.language) if shown else language_asked(request)
    said = page_words(JOIN_KEYS, language)
    page = render_template(
        "join.html", language=language, say=said, shown=shown, joined=joined and shown is not None
    )
    return page, 200 if shown else GONE
