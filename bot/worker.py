"""What RQ calls by name, with the wiring of the thread that works: the only thing kept globally."""

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import timedelta
from time import monotonic
from uuid import UUID

import structlog
from requests.exceptions import RequestException
from twilio.base.exceptions import TwilioException

from app.core.db import now_of
from app.core.settings import Settings
from app.studio import queries as studio
from bot.channels.twilio.inbound import forget_forms, take_all
from bot.channels.twilio.indicator import show_typing as show
from bot.channels.twilio.sending import send_lane as send_all
from bot.conversation import pictures
from bot.conversation.looking import look_all
from bot.conversation.queue import RENEW_ORG, ROLL_OVER_ORG, RUN_CONVERSATION, TEND_SCHEDULE
from bot.conversation.relay import relay_due
from bot.conversation.renewing import LONGEST_S, renew_some
from bot.conversation.run import DrainingError
from bot.conversation.run import run_conversation as carry_on
from bot.conversation.storage import take_snapshot
from bot.conversation.tending import retime as retime_classes
from bot.conversation.tending import roll_over as roll_over_some
from bot.conversation.tending import tend
from bot.conversation.upkeep import Upkeep
from bot.model.priced import Priced
from bot.model.settings import ModelSettings
from bot.model.warming import warming
from bot.wiring import Wiring
from tools.kit import erasing, schema

_kept: ContextVar[Wiring] = ContextVar("wiring")
_log = structlog.get_logger()


def use(wiring: Wiring) -> None:
    """Let the jobs of this thread, and of what is forked from it, work with it.

    A process may hold several Spotters: one's workers must not reach into another's data.
    """
    _kept.set(wiring)


def wiring() -> Wiring:
    """This thread's wiring; made from the environment where none was given."""
    given = _kept.get(None)
    if given is None:
        given = Wiring(Settings())
        use(given)
    return given


def run_conversation(org_id: str, conversation_id: str) -> None:
    try:
        carry_on(wiring().parts, UUID(org_id), UUID(conversation_id))
    except DrainingError:
        wiring().enqueue(RUN_CONVERSATION, org_id, conversation_id)


def route_sender(sender: str) -> None:
    take_all(wiring().intake, sender)


def send_lane(lane: str) -> None:
    send_all(wiring().sender, lane)


def show_typing(message_id: str) -> None:
    show(wiring().twilio, message_id)


def reconcile(back_s: str) -> None:
    """Bring in what came to our numbers within so many seconds and has no row here."""
    try:
        wiring().reconciler.run(timedelta(seconds=int(back_s)))
    except (TwilioException, RequestException) as error:
        _log.warning("reconcile_missed", error=type(error).__name__)


def relay_org(org_id: str) -> None:
    """Carry out what an org's studio has queued and is due."""
    relay_due(wiring().db, wiring().acts, UUID(org_id))


def run_task(org_id: str, task_id: str) -> None:
    """Carry a task of the background on for a while."""
    wiring().tasks.run(UUID(org_id), UUID(task_id))


def see_templates(org_id: str) -> None:
    """Hand an org's new templates in for approval, and ask about those that wait."""
    if wiring().settings.twilio_members_whatsapp:
        wiring().approvals.see_to(UUID(org_id))


def look_around(org_id: str) -> None:
    """See for whom an org's automations have become due."""
    look_all(wiring().db, UUID(org_id))


def forget_old() -> None:
    """Raw webhook bodies and photos go after 90 days, images of rows when no undo needs them."""
    db = wiring().db
    forget_forms(db)
    with db.platform() as session:
        orgs = [org.id for org in studio.all_orgs(session)]
    for org_id in orgs:
        with db.transaction(org_id) as session:
            erasing.forget_images(session, now=now_of(session))
            pictures.forget_old(session, now_of(session))


def keep_warm() -> None:
    """Renew what the model's cache holds for all gyms, where the settings have it."""
    minutes = wiring().settings.keep_alive
    if minutes != "off":
        upkeep(wiring(), timedelta(minutes=minutes)).run()


def upkeep(of: Wiring, every: timedelta) -> Upkeep:
    settings = of.settings
    asked = ModelSettings.of(settings)
    return Upkeep(
        db=of.db,
        every=every,
        hours=(settings.open_from, settings.open_until),
        vendor_for=lambda purse: Priced(of.claude, purse, monotonic),
        request_for=lambda role: warming(
            asked, schema.definitions(of.registry, role), settings.cache_ttl
        ),
    )


def weigh() -> None:
    """Write down what each gym keeps, once a day."""
    take_snapshot(wiring().db)


def roll_over() -> None:
    """Let each gym's day begin."""
    for org_id in _orgs():
        wiring().enqueue(ROLL_OVER_ORG, str(org_id))


def tend_schedules() -> None:
    """Let each gym's schedule do what it does by itself."""
    for org_id in _orgs():
        wiring().enqueue(TEND_SCHEDULE, str(org_id))


def tend_schedule(org_id: str) -> None:
    tend(wiring().db, UUID(org_id))


def retime() -> None:
    """Once a process starts, since rules of time zones come with it, and once a day."""
    for org_id in _orgs():
        retime_classes(wiring().db, org_id)


def renew_meanings() -> None:
    """Once a day, for what was written past the session: an import, a repair."""
    if wiring().db.meanings.embedder is not None:
        for org_id in _orgs():
            wiring().enqueue(RENEW_ORG, str(org_id), "")


def renew_org(org_id: str, since: str) -> None:
    """Give what is looked for in a gym its vectors; what is left after a while is another job."""
    if not renew_some(wiring().db, UUID(org_id), since, longest_s=LONGEST_S):
        wiring().enqueue(RENEW_ORG, org_id, since)


def name_conversation(org_id: str, conversation_id: str) -> None:
    wiring().asides.name(UUID(org_id), UUID(conversation_id))


def sum_up(org_id: str, conversation_id: str) -> None:
    wiring().asides.sum_up(UUID(org_id), UUID(conversation_id))


def _orgs() -> list[UUID]:
    with wiring().db.platform() as session:
        return [org.id for org in studio.all_orgs(session)]


def roll_over_org(org_id: str) -> None:
    """Let memberships begin, freeze, renew and end by their gym's calendar."""
    while done := _rolled_over(UUID(org_id)):
        _log.info("rolled_over", **done)


def _rolled_over(org_id: UUID) -> Mapping[str, int]:
    with wiring().db.transaction(org_id) as session:
        return roll_over_some(session, org_id)
