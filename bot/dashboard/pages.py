"""The pages of the dashboard: the desk with its schedule and chat, and the doors in and out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from flask import Blueprint, Request, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ConfigDict
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.db import Database, now_of
from app.core.errors import NotAllowed
from app.core.settings import Settings
from app.people import service as people
from app.web import identity
from app.web.identity import current_actor, public
from app.web.ports import FindPerson
from app.web.tokens import BadToken, Link, read_link
from bot.conversation.identity import CODE_TTL, new_code
from bot.dashboard.schedule import EARLIEST, LATEST, week
from bot.dashboard.words import PAGE_KEYS, chat_words, page_words
from bot.render.reader import Reader
from bot.render.speech import Speech
from i18n import Language, phrase


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody to be in the playground."""

    org_id: UUID
    user_id: UUID
    name: str
    role: str
    gym: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What the pages stand on."""

    db: Database
    settings: Settings
    find_person: FindPerson
    first_use: Callable[[str], bool]
    gym_of: Callable[[Session, UUID], tuple[str, str]]
    """The gym's name and time zone."""
    home: str = "/"
    """Where somebody lands who signs in."""
    demo: Callable[[], Sequence[DemoPerson]] = tuple
    """Whom anybody may be: nobody, outside of the playground."""


class Spoken(BaseModel):
    model_config = ConfigDict(extra="forbid")

    language: Language


def dashboard(desk: Desk) -> Blueprint:
    pages = Blueprint(
        "dashboard",
        __name__,
        template_folder="templates",
        static_folder="static",
        static_url_path="/dashboard",
    )
    _desk(pages, desk)
    _own(pages, desk)
    _doors(pages, desk)
    return pages


def _desk(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/")
    def home() -> ResponseReturnValue:
        actor = current_actor()
        with desk.db.transaction(actor.org_id) as session:
            gym, reader = _reader(desk, session, actor)
            shown = week(session, reader, _first())
        return _page(
            "desk.html",
            reader.language,
            actor=actor,
            gym=gym,
            week=shown,
            words=chat_words(reader),
            links_phones=bool(desk.settings.twilio_staff_whatsapp),
        )

    @pages.get("/schedule")
    def schedule() -> ResponseReturnValue:
        """The week alone, for the page to put in place of the one it has."""
        actor = current_actor()
        with desk.db.transaction(actor.org_id) as session:
            _, reader = _reader(desk, session, actor)
            shown = week(session, reader, _first())
        return _page("week.html", reader.language, week=shown)

    @pages.get("/q/<token>")
    def asked(token: str) -> ResponseReturnValue:  # noqa: ARG001 - the desk lists what waits
        """Where a phone's link leads: the desk, on which every open question of theirs stands."""
        return redirect(url_for("dashboard.home"))

    @pages.get("/api/v1/chat/words")
    def words() -> ResponseReturnValue:
        actor = current_actor()
        with desk.db.transaction(actor.org_id) as session:
            return jsonify(chat_words(_reader(desk, session, actor)[1]))


def _own(pages: Blueprint, desk: Desk) -> None:
    @pages.post("/api/v1/me/language")
    def language() -> ResponseReturnValue:
        """In which language this person is spoken to, here and on the phone."""
        spoken = Spoken.model_validate(request.get_json()).language
        with desk.db.platform() as session:
            people.set_language(session, current_actor().user_id, spoken.value)
        return jsonify(language=spoken)

    @pages.post("/api/v1/me/phone-codes")
    def phone_code() -> ResponseReturnValue:
        """A code to send from the phone that is to be theirs, with the words that say how."""
        actor = current_actor()
        if actor.via is not Via.PERSON:  # else a program could answer its own questions by phone
            raise NotAllowed
        with desk.db.transaction(actor.org_id) as session:
            _, reader = _reader(desk, session, actor)
        with desk.db.platform() as session:
            code = new_code(session, actor.org_id, actor.user_id)
        number = desk.settings.twilio_staff_whatsapp.removeprefix("whatsapp:")
        minutes = CODE_TTL.seconds // 60
        return jsonify(code=code, text=Speech(reader).link_phone(code, number, minutes))


def _doors(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/sign-in")
    @public
    def sign_in() -> ResponseReturnValue:
        return _door(people=desk.demo())

    @pages.post("/sign-in")
    @public
    def choose() -> ResponseReturnValue:
        """Be somebody of the playground's; outside of it the list is empty."""
        identity.check_csrf()
        chosen = request.form.get("person", "")
        person = next((one for one in desk.demo() if str(one.user_id) == chosen), None)
        return _enter(desk, Link(person.org_id, person.user_id, "") if person else None)

    @pages.get("/sign-in/<word>")
    @public
    def open_link(word: str) -> ResponseReturnValue:
        """A button first: what looks at links before a person does must not use this one up."""
        return _door(word=word) if _link(desk, word) else _door(bad=True)

    @pages.post("/sign-in/<word>")
    @public
    def use_link(word: str) -> ResponseReturnValue:
        identity.check_csrf()
        link = _link(desk, word)
        return _enter(desk, link if link and desk.first_use(link.id) else None)

    @pages.post("/sign-out")
    def sign_out() -> ResponseReturnValue:
        identity.sign_out()
        return redirect(url_for("dashboard.sign_in"))


def _link(desk: Desk, word: str) -> Link | None:
    try:
        return read_link(desk.settings, word)
    except BadToken:
        return None


def _enter(desk: Desk, link: Link | None) -> ResponseReturnValue:
    actor = desk.find_person(link.org_id, link.user_id) if link else None
    if actor is None:
        return _door(bad=True)
    identity.sign_in(actor)
    return redirect(desk.home)


def _door(
    *, people: Sequence[DemoPerson] = (), word: str = "", bad: bool = False
) -> ResponseReturnValue:
    page = _page("sign_in.html", language_asked(request), people=people, word=word, bad=bad)
    return page, 403 if bad else 200


def language_asked(asked: Request) -> Language:
    """What the browser of somebody unknown asks for."""
    tags = (tag.partition("-")[0].lower() for tag in asked.accept_languages.values())
    return Language.of(next((tag for tag in tags if tag in {*Language}), None))


def _page(template: str, language: Language, **values: object) -> str:
    said = page_words((key for key in PAGE_KEYS if key not in _WITH_VALUES), language)
    role = {f"role.{one}": phrase(f"role.{one}", language) for one in ("coach", "admin", "owner")}
    return render_template(template, language=language, say={**said, **role}, **values)


_WITH_VALUES = frozenset({"ui.booked_of", "ui.coach", "ui.waitlist_count"})


def _reader(desk: Desk, session: Session, actor: Actor) -> tuple[str, Reader]:
    gym, zone = desk.gym_of(session, actor.org_id)
    return gym, Reader(Language.of(actor.language), zone, now_of(session))


def _first() -> date | None:
    """The day that the address asks for; today for one that is none."""
    try:
        day = date.fromisoformat(request.args.get("from", ""))
    except ValueError:
        return None
    return day if EARLIEST <= day <= LATEST else None
