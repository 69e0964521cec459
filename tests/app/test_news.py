"""The gym's news: drafts, published now or at a time, pushed to their audience, taken off."""

from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select

from app.core.errors import BadInput, NotAllowed, StaleVersion
from app.core.outbox import UNDO_WINDOW, Outbox
from app.messages import queries, service
from app.messages.errors import AnnouncementState, AudienceEmpty, TooSoon
from app.messages.filters import AudienceFilter
from app.messages.models import Message
from app.messages.service import News, NewsChanges, Publishing
from app.messages.terms import AnnouncementStatus
from app.messages.views import AnnouncementView
from app.people.terms import Channel
from app.studio.paging import Cut
from tests.reachable import told_alone
from tests.studio import Studio

SMS = Channel.SMS
SHOWERS = News({"en": "Showers", "he": "מקלחות"}, {"en": "Closed.", "he": "סגור."})


def draft(studio: Studio, news: News = SHOWERS) -> UUID:
    with studio.act() as session:
        return service.create_draft(session, studio.coach, news, now=studio.now).id


def published(studio: Studio, made: UUID, wanted: Publishing) -> AnnouncementView:
    with studio.act() as session:
        return service.publish(session, studio.owner, made, wanted, now=studio.now)[0]


def seen(studio: Studio, made: UUID) -> AnnouncementView:
    with studio.act() as session:
        return queries.announcement(session, studio.org_id, made, "he", now=studio.now)


def carried_out(studio: Studio) -> list[str]:
    """What members were written once all that is due was done, in their languages."""
    with studio.act() as session:
        due = select(Outbox).where(Outbox.due_at <= studio.now).order_by(Outbox.due_at)
        for row in session.scalars(due).all():
            if row.topic == service.CARRY:
                service.carry_on(session, UUID(row.body["broadcast_id"]), now=studio.now)
            if row.topic == service.PUBLISH:
                made = UUID(row.body["announcement_id"])
                service.publish_due(session, made, now=studio.now)
        return sorted(session.scalars(select(Message.body)))


def test_a_draft_is_nobodys_news_until_it_is_published(studio: Studio) -> None:
    told_alone(studio)
    made = draft(studio)
    assert seen(studio, made).status is AnnouncementStatus.DRAFT
    view = published(studio, made, Publishing())
    assert (view.status, view.reach, view.pushed) == (AnnouncementStatus.PUBLISHED, 1, 0)
    assert seen(studio, made).title == "מקלחות"
    studio.wait(hours=1)
    assert carried_out(studio) == []
    with pytest.raises(AnnouncementState):
        published(studio, made, Publishing())


def test_a_push_waits_for_the_undo_and_reaches_each_in_their_language(studio: Studio) -> None:
    told_alone(studio)
    told_alone(studio, "נועה כהן", language="he")
    made = draft(studio)
    published(studio, made, Publishing(push=SMS))
    assert carried_out(studio) == []
    studio.wait(seconds=UNDO_WINDOW.total_seconds())
    assert carried_out(studio) == ["Showers\nClosed.", "מקלחות\nסגור."]
    assert carried_out(studio) == ["Showers\nClosed.", "מקלחות\nסגור."]
    assert seen(studio, made).pushed == 2


def test_taken_off_in_time_nobody_is_written_to(studio: Studio) -> None:
    told_alone(studio)
    made = draft(studio)
    published(studio, made, Publishing(push=SMS))
    with studio.act() as session:
        view, spared = service.unpublish(session, studio.owner, made, now=studio.now)
    assert (view.status, spared) == (AnnouncementStatus.UNPUBLISHED, 1)
    studio.wait(minutes=1)
    assert carried_out(studio) == []
    with studio.act() as session, pytest.raises(AnnouncementState):
        service.unpublish(session, studio.owner, made, now=studio.now)


def test_what_is_scheduled_goes_up_and_out_then(studio: Studio) -> None:
    told_alone(studio)
    made = draft(studio)
    with pytest.raises(TooSoon):
        published(studio, made, Publishing(at=studio.now))
    at = studio.now + timedelta(hours=3)
    assert published(studio, made, Publishing(at, SMS)).status is AnnouncementStatus.SCHEDULED
    changes = NewsChanges(bodies={"en": "Open."}, titles={"en": "Showers"})
    for actor, why in ((studio.coach, NotAllowed), (studio.admin, AnnouncementState)):
        with studio.act() as session, pytest.raises(why):
            service.update_news(session, actor, made, changes, now=studio.now)
    studio.wait(hours=2)
    assert carried_out(studio) == []
    studio.wait(hours=1)
    assert carried_out(studio) == ["Showers\nClosed."]
    assert seen(studio, made).status is AnnouncementStatus.PUBLISHED
    with studio.act() as session, pytest.raises(NotAllowed):
        service.update_news(session, studio.coach, made, changes, now=studio.now)
    with studio.act() as session:
        service.update_news(session, studio.admin, made, changes, now=studio.now)


def test_a_text_is_changed_language_by_language(studio: Studio) -> None:
    made = draft(studio)
    first = seen(studio, made).version
    with studio.act() as session:
        more = NewsChanges(titles={"ru": "Душ"}, bodies={"ru": "Закрыт."})
        view = service.update_news(session, studio.coach, made, more, now=studio.now)
        assert view.bodies == {"en": "Closed.", "he": "סגור.", "ru": "Закрыт."}
        with pytest.raises(StaleVersion):
            service.update_news(
                session, studio.coach, made, more, now=studio.now, expected_version=first
            )
    half = News({"en": "Showers"}, {})
    with studio.act() as session, pytest.raises(BadInput):
        service.create_draft(session, studio.coach, half, now=studio.now)


def test_news_for_nobody_is_not_pushed(studio: Studio) -> None:
    wanted = AudienceFilter(tags=("nobody",))
    made = draft(studio, News(SHOWERS.titles, SHOWERS.bodies, wanted))
    with pytest.raises(AudienceEmpty):
        published(studio, made, Publishing(push=SMS))
    assert published(studio, made, Publishing()).reach == 0


def test_what_is_pinned_stands_above_what_is_newer(studio: Studio) -> None:
    pinned = draft(studio, News(SHOWERS.titles, SHOWERS.bodies, pin_until=studio.day(1)))
    published(studio, pinned, Publishing())
    studio.wait(hours=1)
    newer = draft(studio)
    published(studio, newer, Publishing())
    with studio.act() as session:
        found = queries.announcements(session, studio.org_id, "en", now=studio.now, cut=Cut())
    assert [one.id for one in found.rows] == [pinned, newer]
    studio.wait(days=2)
    with studio.act() as session:
        found = queries.announcements(session, studio.org_id, "en", now=studio.now, cut=Cut())
    assert [one.id for one in found.rows] == [newer, pinned]
