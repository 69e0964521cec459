"""What is to be said, as somebody gave it: checked, and with its translations."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy.orm import Session

from app.messages import queries
from app.messages.errors import NoText, OtherChannel
from app.messages.rules import House
from app.messages.texts import KNOWN, Variant, Wording
from app.messages.views import Draft
from app.people.consent import policy_of
from app.people.terms import Category, Channel
from app.studio import queries as studio


@dataclass(frozen=True, slots=True)
class Said:
    """`texts` by language, or a template; `given` fills the places that aren't a person's own."""

    channel: Channel
    texts: dict[str, str] = field(default_factory=dict)
    template_id: UUID | None = None
    given: dict[str, str] = field(default_factory=dict)
    category: Category = Category.MARKETING
    """Of a text; a template has its own."""


def draft(session: Session, said: Said, *, places: Iterable[str] = KNOWN) -> Draft:
    """`places` are filled in for each person.

    Raises NotFound, NoText, OtherChannel, MissingValues.
    """
    made = _of_texts(said) if said.template_id is None else _of_template(session, said)
    made.wording.check(places)
    return made


def house(session: Session, org_id: UUID) -> House:
    org = studio.org(session, org_id)
    return House(policy_of(org.messaging_policy), org.timezone, org.language)


def _of_texts(said: Said) -> Draft:
    if not said.texts:
        raise NoText
    variants = {language: Variant(body=body) for language, body in said.texts.items()}
    return Draft(said.channel, said.category, Wording(variants=variants, given=said.given))


def _of_template(session: Session, said: Said) -> Draft:
    found = queries.template(session, said.template_id) if said.template_id else None
    if found is None or said.texts:
        raise NoText
    if found.channel is not said.channel:
        raise OtherChannel(template=found.name)
    wording = queries.wording_of(session, found, said.given)
    return Draft(said.channel, found.category, wording, template=found.name)
