"""The tools for forms, through the runner, as the assistant calls them."""

import json

from sqlalchemy import select, text

from app.core.outbox import Outbox, OutboxState
from app.forms import service
from tests.requests.forms import answered, dana, template, to_dana, to_many
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Done
from tools.kit.values import plain


def test_a_coach_does_not_see_medical_answers(studio: Studio, ask: Asking) -> None:
    made = answered(studio)
    told = json.dumps(ask.told("forms.get_instance", form_instance_id=made))
    assert "Asthma" not in told
    assert "hidden" in told
    owner = json.dumps(ask.by(studio.owner).told("forms.get_instance", form_instance_id=made))
    assert "Asthma" in owner
    refused = ask.told("forms.mark_reviewed", form_instance_id=made, decision="approved")
    assert refused["error"] == "not_allowed"


def test_a_question_shows_the_message_and_nobody_the_link(studio: Studio, ask: Asking) -> None:
    given = {**to_dana(studio), "due_on": str(studio.day(3))}
    asked = ask.question("forms.send_instance", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    (message,) = asked.card.effects
    assert plain(message.values["text"]) == (
        'Gym: a form to fill in, "Health" · until Thu 3 Dec\nhttps://…'
    )
    sent = ask.outcome("forms.send_instance", **given)
    with studio.act() as session:
        (row,) = session.scalars(select(Outbox).where(Outbox.topic == service.FORM_LINK))
        token = service.new_link(session, row.body["form_instance_id"], now=studio.now)
        kept = [
            str(one)
            for table in ("form_instance", "form_link", "tool_call", "outbox", "audit_log")
            for one in session.execute(text(f"SELECT * FROM {table}")).all()  # noqa: S608 - names of ours
        ]
    assert token is not None
    assert not any(token in one for one in kept)
    studio.wait(seconds=9)
    assert ask.undo(sent).ok
    with studio.act() as session:
        (row,) = session.scalars(select(Outbox).where(Outbox.topic == service.FORM_LINK))
        assert row.state is OutboxState.DROPPED


def test_many_get_a_form_and_those_left_out_are_named(studio: Studio, ask: Asking) -> None:
    by_admin, given = ask.by(studio.admin), to_many(studio)
    asked = by_admin.question("forms.bulk_send", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert plain(asked.card.values["names"]) == ["Dana Levi", "Noa Cohen"]
    assert plain(asked.card.effects[1].values["names"]) == ["Tom Ziv"]
    sent = by_admin.outcome("forms.bulk_send", **given)
    assert isinstance(sent.card, Done)
    assert [(plain(one.names), one.why.code) for one in sent.card.left_out] == [
        (["Tom Ziv"], "form_not_reachable")
    ]
    found = by_admin.told("forms.list_instances", status=["sent"])
    assert sorted(row["member"] for row in found["rows"]) == ["Dana Levi", "Noa Cohen"]
    assert by_admin.undo(sent).ok
    assert by_admin.told("forms.list_instances")["total"] == 0


def test_who_is_meant_is_said_in_one_way(studio: Studio, ask: Asking) -> None:
    by_admin, form = ask.by(studio.admin), template(studio)
    one = str(dana(studio))
    given = {"form_template_id": form, "channel": "sms"}
    for ways in ({}, {"member_ids": [one], "missing": True}):
        assert by_admin.told("forms.bulk_send", **given, **ways)["error"] == "bad_input"
    sent = by_admin.told("forms.bulk_send", **given, missing=True)
    assert (sent["done"], sent["form"]) == (1, "Health")
