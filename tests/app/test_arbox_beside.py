"""What an import must not set off beside itself: automations, doubles, a key that leaks by undo."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from sqlalchemy import select

from app.arbox import service as arbox
from app.arbox.models import ImportBatch
from app.arbox.terms import Entity, Kind, Policy
from app.automations import service as automations
from app.automations.models import AutomationRun
from app.automations.shapes import Shape
from app.automations.terms import RunStatus
from app.leads.models import Lead
from app.people.models import Member
from app.studio.terms import Tier
from tests.arbox import connected, gym_of, imported, preview, read, record, rows
from tests.contracts.catalogue import REGISTRY
from tests.studio import Studio, open_studio
from tests.tools.kit.conftest import at_once
from tools.kit import background, undo
from tools.kit.calls import Call, Outcome
from tools.kit.cards import Done, Failed
from tools.kit.models import BackgroundTask, TaskState, ToolCall, TouchedRow
from tools.kit.runner import Runner

PEOPLE = 4
TASK = {"kind": "create_task", "title": "Call {name}"}
TRIGGERS = ("member_joined", "form_missing", "payment_failed", "lead_created")


@pytest.fixture
def gym(database_url: str) -> Iterator[Studio]:
    studio = open_studio(database_url, tier=Tier.ELITE)
    yield studio
    studio.db.close()


def run(gym: Studio, tool: str, key: str = "k", **given: object) -> Outcome:
    plain = {name: str(one) if isinstance(one, UUID) else one for name, one in given.items()}
    return Runner(gym.db, REGISTRY, gym.owner, "api").run(Call(id=key, name=tool, input=plain))


def on(gym: Studio, trigger: str) -> UUID:
    shape = Shape.model_validate({"trigger": {"kind": trigger}, "actions": [TASK]})
    with gym.act() as session:
        made = automations.create(session, gym.owner, trigger, shape).id
        automations.enable(session, gym.owner, made, now=gym.now)
    return made


def test_no_automation_acts_on_who_was_brought_in_and_each_on_who_comes_later(
    gym: Studio,
) -> None:
    switched_on = [on(gym, trigger) for trigger in TRIGGERS]
    theirs = gym_of(gym, PEOPLE)
    read(gym, theirs)
    wanted = frozenset({Entity.MEMBERS, Entity.PAYMENTS, Entity.LEADS})
    assert isinstance(run(gym, "arbox.run_import", preview_id=preview(gym, wanted).id).card, Done)
    gym.wait(minutes=10)
    for automation_id in switched_on:
        with gym.act() as session:
            assert automations.look(session, automation_id, now=gym.now) == 0
    assert {row.status for row in rows(gym, AutomationRun)} == {RunStatus.SEEN}
    gym.person("New Here")
    with gym.act() as session:
        assert automations.look(session, switched_on[1], now=gym.now) == 1


def test_somebody_was_a_lead_since_they_were_one_there(studio: Studio) -> None:
    theirs = gym_of(studio, PEOPLE)
    theirs.lists["leads"][0]["created_time"] = "0000-00-00 00:00:00"
    read(studio, theirs)
    imported(studio, entities=frozenset({Entity.LEADS}))
    by_phone = {row.phone: row.created_at.date() for row in rows(studio, Lead)}
    assert sorted(by_phone.values()) == [studio.day(-7), studio.day(-2), studio.day(-1)]


def test_two_workers_at_one_record_make_one_row(studio: Studio) -> None:
    read(studio, gym_of(studio, 1))
    with studio.act() as session:
        found = arbox.preview(session, studio.org_id, frozenset({Entity.MEMBERS}), now=studio.now)
        batches = [
            arbox.begin_import(session, studio.owner, found, Policy.SKIP)[0] for _ in range(4)
        ]
    record_id = record(studio, Kind.MEMBER, 5000).id

    def bring_in() -> None:
        with studio.act() as session:
            arbox.import_one(session, studio.owner, batches.pop(), record_id, now=studio.now)

    at_once(4, bring_in)
    assert len(rows(studio, Member)) == 1


def test_a_preview_serves_once(studio: Studio) -> None:
    read(studio, gym_of(studio, 2))
    preview_id = preview(studio, frozenset({Entity.MEMBERS})).id
    first = run(studio, "arbox.run_import", "1", preview_id=preview_id)
    again = run(studio, "arbox.run_import", "2", preview_id=preview_id)
    assert isinstance(first.card, Done)
    assert isinstance(again.card, Failed)
    assert again.card.code == "not_found"
    assert len(rows(studio, Member)) == 2


def test_of_several_imports_of_a_preview_at_once_one_is_done(studio: Studio) -> None:
    read(studio, gym_of(studio, 3))
    preview_id = preview(studio, frozenset({Entity.MEMBERS})).id
    keys = ["1", "2", "3", "4"]
    outcomes = at_once(
        4, lambda: run(studio, "arbox.run_import", keys.pop(), preview_id=preview_id)
    )
    assert sorted(one.card.kind for one in outcomes) == ["done", "failed", "failed", "failed"]
    assert len(rows(studio, ImportBatch)) == 1


def test_an_import_that_was_touched_is_undone_by_nobody_in_part(studio: Studio) -> None:
    read(studio, gym_of(studio, 2))
    run(studio, "arbox.run_import", preview_id=preview(studio, frozenset({Entity.MEMBERS})).id)
    (call,) = (row for row in rows(studio, ToolCall) if row.tool == "arbox.run_import")
    member_id = record(studio, Kind.MEMBER, 5001).local_id
    with studio.act() as session:
        session.get_one(Member, member_id).nickname = "Dudu"
    outcome = undo.undo(studio.db, REGISTRY, studio.owner, call.id)
    assert outcome.card == Failed(code="undo_conflict")
    assert len(rows(studio, Member)) == 2


def advanced(studio: Studio, *, whole: bool) -> None:
    """Carry the task on that is under way: by a chunk, or to its end."""
    live = BackgroundTask.state.in_((TaskState.QUEUED, TaskState.RUNNING))
    while True:
        with studio.act() as session:
            task_id = session.scalar(select(BackgroundTask.id).where(live))
            if task_id is None:
                return
            background.advance(session, REGISTRY, task_id)
        if not whole:
            return


def test_while_an_import_is_taken_back_nothing_comes_in_and_nobody_takes_it_back_too(
    studio: Studio,
) -> None:
    read(studio, gym_of(studio, 2 * background.CHUNK))
    members = frozenset({Entity.MEMBERS})
    assert run(studio, "arbox.run_import", preview_id=preview(studio, members).id).ok
    advanced(studio, whole=True)
    made = len(rows(studio, Member))
    (batch,) = rows(studio, ImportBatch)
    assert run(studio, "arbox.rollback_import", "r1", batch_id=batch.id).card.kind == "progress"
    advanced(studio, whole=False)
    assert 0 < len(rows(studio, Member)) < made
    meanwhile = [
        run(studio, "arbox.rollback_import", "r2", batch_id=batch.id),
        run(studio, "arbox.run_import", "i2", preview_id=preview(studio, members).id),
        run(studio, "arbox.sync_now", "s2"),
    ]
    assert [one.card for one in meanwhile] == [Failed(code="arbox_rollback_running")] * 3
    advanced(studio, whole=True)
    assert rows(studio, Member) == []
    again = run(studio, "arbox.run_import", "i3", preview_id=preview(studio, members).id)
    assert again.ok


def test_no_image_of_a_row_holds_the_key_in_any_form(studio: Studio) -> None:
    connected(studio)
    run(studio, "arbox.disconnect")
    run(studio, "arbox.connect", "2")
    images = " ".join(str(row.before) for row in rows(studio, TouchedRow))
    assert "arbox_connection" in {row.table_name for row in rows(studio, TouchedRow)}
    assert "sealed" not in images
