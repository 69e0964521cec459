"""A template for WhatsApp is handed in, and known as approved once the vendor says so."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from app.messages import queries, service
from app.messages.service import NewTemplate
from app.messages.terms import ProviderStatus
from app.messages.views import TemplateView
from app.people.terms import Category, Channel
from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.templates import AFTER, Approvals
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import TwilioServer, serve
from tests.studio import Studio, open_studio


@pytest.fixture
def studio(database_url: str) -> Iterator[Studio]:
    opened = open_studio(database_url)
    yield opened
    opened.db.close()


@pytest.fixture
def vendor() -> Iterator[TwilioServer]:
    with serve(0, TwilioConfig("AC" + "0" * 32, "token")) as server:
        yield server


def approvals(studio: Studio, url: str) -> Approvals:
    return Approvals(studio.db, twilio_client("AC" + "0" * 32, "token", api_url=url))


def made(studio: Studio, body: str = "Hi {name}, see you on {day}.") -> UUID:
    with studio.act() as session:
        new = NewTemplate("We miss you", Channel.WHATSAPP, "en", body, Category.MARKETING)
        return service.create_template(session, studio.owner, new).id


def seen(studio: Studio, template_id: UUID) -> TemplateView:
    with studio.act() as session:
        return queries.template(session, template_id)


def orgs(studio: Studio) -> list[UUID]:
    with studio.db.platform() as session:
        return queries.orgs_unapproved(session, before=studio.now - AFTER)


def test_a_template_is_handed_in_once_it_stands_and_then_approved(
    studio: Studio, vendor: TwilioServer
) -> None:
    template_id = made(studio)
    handing_in = approvals(studio, vendor.url)
    handing_in.see_to(studio.org_id)
    assert seen(studio, template_id).provider_status is ProviderStatus.DRAFT
    studio.wait(minutes=2)
    assert studio.org_id in orgs(studio)
    handing_in.see_to(studio.org_id)
    one = seen(studio, template_id)
    assert one.provider_status is ProviderStatus.APPROVED
    kept = vendor.service.store.content(one.provider_ref or "")
    assert kept is not None
    assert kept.types == {"twilio/text": {"body": "Hi {{1}}, see you on {{2}}."}}
    assert kept.friendly_name.startswith("we_miss_you_en_")
    assert studio.org_id not in orgs(studio)


def test_what_waits_is_asked_about_until_the_word_comes(
    studio: Studio, vendor: TwilioServer
) -> None:
    template_id = made(studio)
    studio.wait(minutes=2)
    handing_in = approvals(studio, vendor.url)
    handing_in.see_to(studio.org_id)
    ref = seen(studio, template_id).provider_ref
    with studio.act() as session:
        service.set_provider_status(session, template_id, ProviderStatus.PENDING, ref)
    handing_in.see_to(studio.org_id)
    assert seen(studio, template_id).provider_status is ProviderStatus.APPROVED


def test_a_vendor_that_is_away_is_tried_again_and_one_that_refuses_is_not(
    studio: Studio, vendor: TwilioServer
) -> None:
    template_id = made(studio)
    studio.wait(minutes=2)
    approvals(studio, "http://127.0.0.1:9").see_to(studio.org_id)
    assert seen(studio, template_id).provider_status is ProviderStatus.DRAFT
    with studio.act() as session:
        service.set_provider_status(session, template_id, ProviderStatus.DRAFT, "HX" + "f" * 32)
    approvals(studio, vendor.url).see_to(studio.org_id)
    assert seen(studio, template_id).provider_status is ProviderStatus.REJECTED
