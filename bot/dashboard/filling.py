"""Where a form's link leads: a page for whoever holds it, without an account."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.errors import StudioError
from app.forms import service
from app.forms.errors import AnswersMissing, NoSuchForm
from app.forms.fields import LONGEST, key_of
from app.forms.views import Sheet
from app.studio import queries as studio
from app.web import identity
from app.web.identity import public
from bot.dashboard.pages import Desk, language_asked
from bot.dashboard.words import FORM_KEYS, page_words
from i18n import Language

GONE, WRONG = 404, 422
"""Whether a link never was, was used or is too old, nobody is told who knows no secret."""
SIGNATURE = "signed_by"


@dataclass(frozen=True, slots=True)
class Shown:
    gym: str
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Stage:
    """How far it has come: `missing` are questions that want another answer."""

    done: bool = False
    missing: tuple[str, ...] = ()
    given: Mapping[str, str] | None = None


def filling(desk: Desk) -> Blueprint:
    pages = Blueprint("filling", __name__, template_folder="templates")

    @pages.get("/forms/<slug>/<token>")
    @public
    def look(slug: str, token: str) -> ResponseReturnValue:
        try:
            with _gym(desk, slug) as (gym, session):
                shown = Shown(gym, service.fill_in(session, token, now=now_of(session)))
        except StudioError:
            return _page(None, Stage())
        return _page(shown, Stage())

    @pages.post("/forms/<slug>/<token>")
    @public
    def hand_in(slug: str, token: str) -> ResponseReturnValue:
        identity.check_csrf()
        try:
            return _handed_in(desk, slug, token)
        except StudioError:
            return _page(None, Stage())

    return pages


@contextmanager
def _gym(desk: Desk, slug: str) -> Iterator[tuple[str, Session]]:
    """The gym's name, and a transaction there. Raises NoSuchForm."""
    with desk.db.platform() as session:
        org_id = studio.org_by_slug(session, slug)
    if org_id is None:
        raise NoSuchForm
    with desk.db.transaction(org_id) as session:
        yield studio.org(session, org_id).name, session


def _handed_in(desk: Desk, slug: str, token: str) -> ResponseReturnValue:
    given = {key: text[: LONGEST + 1] for key, text in request.form.items()}
    with _gym(desk, slug) as (gym, session):
        now = now_of(session)
        shown = Shown(gym, service.look(session, token, now=now))
        try:
            service.submit(
                session,
                token,
                given,
                signed_by=given.get(SIGNATURE, ""),
                address=request.remote_addr or "",
                now=now,
            )
        except AnswersMissing as error:
            return _page(shown, Stage(missing=error.values["questions"], given=given))  # type: ignore[arg-type] # labels, as it is raised
    return _page(shown, Stage(done=True))


def _page(shown: Shown | None, stage: Stage) -> ResponseReturnValue:
    language = Language.of(shown.sheet.language) if shown else language_asked(request)
    said = page_words(FORM_KEYS, language)
    page = render_template(
        "fill.html",
        language=language,
        say=said,
        shown=shown,
        stage=stage,
        given=stage.given or {},
        key_of=key_of,
        longest=LONGEST,
    )
    wrong = WRONG if stage.given is not None else 200
    return page, wrong if shown else GONE
