"""Vectors follow what they are of: new, renamed, rolled back, erased, of another model."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import select

from app.core.embedding import EmbedderAway, Meanings, Vector
from app.core.outbox import Outbox, OutboxState
from app.core.sought import MEANINGS_CHANGED
from app.desk import erasing
from app.leads import service as leads
from app.leads.service import Added, NewLead
from app.leads.terms import LeadSource
from app.people import service as people
from app.people.terms import LegalBasis
from app.people.views import MemberView
from app.search import service
from app.search.models import Embedding
from app.search.queries import search
from app.search.service import renew
from bot.conversation import renewing
from bot.conversation.queue import RENEW_ORG
from bot.conversation.relay import relay_due
from tests.meanings import Letters
from tests.studio import Studio


def words(studio: Studio) -> int:
    """How often it is left word that something has changed."""
    waiting = Outbox.state == OutboxState.WAITING
    with studio.act() as session:
        query = select(Outbox).where(Outbox.topic == MEANINGS_CHANGED, waiting)
        return len(session.scalars(query).all())


def kept(studio: Studio) -> dict[UUID, str]:
    with studio.act() as session:
        return {row.entity_id: row.model for row in session.scalars(select(Embedding))}


def relay(studio: Studio) -> list[tuple[str, ...]]:
    """Let word be heard; the jobs that come of it."""
    jobs: list[tuple[str, ...]] = []
    studio.wait(seconds=5)
    relay_due(studio.db, renewing.acts(lambda *job: jobs.append(job)), studio.org_id)
    return jobs


def added(found: Added | MemberView) -> UUID:
    assert isinstance(found, Added)
    return found.lead_id


def test_a_name_gets_a_vector_and_a_new_one_with_a_new_name(
    studio: Studio, embedder: Letters
) -> None:
    dana, tom = studio.person("Dana Levi"), studio.person("Tom Cohen")
    assert words(studio) == 2
    jobs = relay(studio)
    assert jobs == [(RENEW_ORG, str(studio.org_id), "")]
    assert renewing.renew_some(studio.db, studio.org_id, "", longest_s=9)
    assert kept(studio).keys() == {dana, tom, studio.class_type_id}
    studio.wait(minutes=5)
    assert (relay(studio), words(studio)) == ([], 0)

    embedder.texts.clear()
    with studio.act() as session:
        row = people.locked(session, dana)
        row.tags = ["vip"]
    assert words(studio) == 0
    with studio.act() as session:
        people.locked(session, dana).last_name = "Levin"
    assert len(relay(studio)) == 1
    assert renew(studio.db, studio.org_id) == 1
    assert embedder.texts == ["Dana Levin"]


def test_what_is_rolled_back_leaves_no_word_and_takes_nobody_elses(studio: Studio) -> None:
    dana = studio.person("Dana Levi")
    relay(studio)
    before = words(studio)
    with studio.act() as session:
        row = people.locked(session, dana)
        with session.begin_nested() as inner:
            row.first_name = "Nobody"
            session.flush()
            inner.rollback()
        session.refresh(row)
        with session.begin_nested():
            row.first_name = "Dina"
    assert words(studio) == before + 1


def test_without_a_model_nothing_is_queued_and_with_another_all_is_made_anew(
    studio: Studio,
) -> None:
    dana = studio.person("Dana Levi")
    renew(studio.db, studio.org_id)
    studio.db.meanings = Meanings()
    before = words(studio)
    tom = studio.person("Tom Cohen")
    assert (words(studio), renew(studio.db, studio.org_id)) == (before, 0)
    assert relay(studio) == []

    studio.db.meanings = Meanings(Letters("newer"))
    assert renew(studio.db, studio.org_id) == 3
    assert set(kept(studio).values()) == {"newer"}
    assert {dana, tom} < kept(studio).keys()


def test_a_rebuild_goes_on_where_it_stopped(studio: Studio, embedder: Letters) -> None:
    for number in range(service.BATCH + 3):
        studio.person(f"Member {number}")
    all_of_them = service.BATCH + 4
    assert renew(studio.db, studio.org_id) == all_of_them
    studio.wait(seconds=1)
    relay(studio)
    with studio.act() as session:
        service.rebuild(session, studio.org_id)
    ((_, _, since),) = relay(studio)
    embedder.texts.clear()
    steps = iter((True, False))
    time = studio.now - timedelta(seconds=5)
    assert since == time.isoformat()
    done = renew(studio.db, studio.org_id, since=time, go_on=lambda: next(steps))
    assert done == service.BATCH
    assert len(kept(studio)) == all_of_them
    studio.wait(minutes=3)
    assert [job[2] for job in relay(studio)] == [since]
    assert renewing.renew_some(studio.db, studio.org_id, since, longest_s=9)
    assert len(embedder.texts) == all_of_them
    studio.wait(minutes=3)
    assert (relay(studio), words(studio)) == ([], 0)


def test_a_model_that_is_away_is_asked_again_later(studio: Studio) -> None:
    class Away(Letters):
        def embed(self, *_: object, **__: object) -> list[tuple[float, ...]]:
            raise EmbedderAway("status 429")

    studio.db.meanings = Meanings(Away())
    studio.person("Dana Levi")
    assert len(relay(studio)) == 1
    assert renewing.renew_some(studio.db, studio.org_id, "", longest_s=9)
    studio.wait(minutes=3)
    assert len(relay(studio)) == 1


def test_erasing_a_person_takes_their_vectors_and_those_of_what_they_were(studio: Studio) -> None:
    new = NewLead("Dana", "+972541234567", LeadSource.WEBSITE)
    with studio.act() as session:
        lead = added(leads.create(session, studio.owner, new, now=studio.now))
    dana, tom = studio.person("Dana Levi", phone="+972541234567"), studio.person("Tom Cohen")
    renew(studio.db, studio.org_id)
    assert {dana, tom, lead} < kept(studio).keys()
    with studio.act() as session:
        erasing.erase(session, studio.owner, dana, LegalBasis.REQUEST, now=studio.now)
    assert kept(studio).keys() == {tom, studio.class_type_id}


def test_who_is_erased_while_a_model_works_is_found_by_nothing_of_theirs(studio: Studio) -> None:
    class Slow(Letters):
        """Meanwhile somebody is erased, and somebody is renamed."""

        def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
            found = super().embed(texts, asked=asked)
            if "Dana Levi" in texts:
                with studio.act() as session:
                    erasing.erase(session, studio.owner, dana, LegalBasis.REQUEST, now=studio.now)
                    people.locked(session, tom).last_name = "Levin"
            return found

    dana, tom = studio.person("Dana Levi"), studio.person("Tom Cohen")
    slow = Slow()
    studio.db.meanings = Meanings(slow)
    renew(studio.db, studio.org_id, go_on=iter((True, False)).__next__)
    assert dana not in kept(studio)
    renew(studio.db, studio.org_id)
    assert {tom, studio.class_type_id} < kept(studio).keys()
    assert "Tom Levin" in slow.texts
    studio.db.meanings.ahead("Dana Levi")
    with studio.act() as session:
        found = search(session, studio.owner, "Dana Levi", now=studio.now, limit=9)
    assert [hit for hit in found if hit.id == str(dana)] == []


def test_what_is_gone_is_forgotten(studio: Studio) -> None:
    studio.person("Dana Levi")
    renew(studio.db, studio.org_id)
    with studio.act() as session:
        row = session.scalars(select(Embedding)).first()
        assert row is not None
        row.entity_id = studio.org_id
    assert renew(studio.db, studio.org_id) == 1
    assert studio.org_id not in kept(studio)
