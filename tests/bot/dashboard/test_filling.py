"""A form filled in by whoever holds its link: once, and seen by nobody who has no business."""

from re import search
from uuid import UUID

import pytest
from flask.testing import FlaskClient

from app.forms import queries, service
from app.forms.fields import Field
from app.forms.service import FormRequest, NewForm
from app.forms.terms import FieldType, FormKind, FormStatus
from app.forms.views import InstanceView
from app.people import queries as people
from app.people.service import NewMember, add_member
from app.people.terms import Channel
from app.studio import queries as studio
from tests.browser.stage import Stage

FIELDS = (
    Field(label="Heart <b>trouble</b>?", type=FieldType.YES_NO),
    Field(label="Side", type=FieldType.CHOICE, options=("Left", "Right")),
    Field(label="Anything else?", type=FieldType.LONG_TEXT, required=False),
)
GOOD = {"q1": "no", "q2": "Left", "q3": "Nothing.", "signed_by": "Dana Levi"}


@pytest.fixture
def client(stage: Stage) -> FlaskClient:
    return stage.app().test_client()


def word_of(page: str) -> str:
    found = search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    return found[1]


def sent(stage: Stage, **more: object) -> tuple[UUID, str]:
    """A form that Dana was sent, and the address of its page."""
    owner, now = stage.people["en"], stage.wiring.clock.now()
    with stage.db.transaction(stage.org) as session:
        today = studio.today(session, stage.org, now)
        dana = NewMember("Dana", "Levi", phone="0541234567")
        member_id = add_member(session, stage.org, dana, today=today)
        new = NewForm("Health", FormKind.HEALTH_DECLARATION, FIELDS, language="en", **more)  # type: ignore[arg-type] # as NewForm
        template = service.create(session, owner, new, now=now)
        wish = FormRequest(template.id, Channel.SMS)
        made, _ = service.send(session, owner, wish, member_id, now=now)
        token = service.new_link(session, made, now=now)
        return made, f"/forms/{studio.org(session, stage.org).slug}/{token}"


def seen(stage: Stage, instance_id: UUID) -> InstanceView:
    with stage.db.transaction(stage.org) as session:
        today = studio.today(session, stage.org, stage.wiring.clock.now())
        return queries.instance(session, instance_id, today=today)


def test_a_form_is_filled_in_once(stage: Stage, client: FlaskClient) -> None:
    made, path = sent(stage)
    page = client.get(path)
    assert page.status_code == 200
    assert "Heart &lt;b&gt;trouble&lt;/b&gt;?" in page.text
    assert "Dana Levi" in page.text
    assert seen(stage, made).status is FormStatus.OPENED
    form = {**GOOD, "csrf_token": word_of(page.text)}
    done = client.post(path, data=form)
    assert (done.status_code, "The form is with the gym" in done.text) == (200, True)
    found = seen(stage, made)
    assert (found.status, found.flagged) == (FormStatus.SUBMITTED, False)
    with stage.db.transaction(stage.org) as session:
        member = people.member(session, found.member_id)
        assert member.health_form_until == found.valid_until
    assert client.get(path).status_code == 404
    assert client.post(path, data=form).status_code == 404


def test_what_is_missing_is_asked_for_again_with_what_was_given(
    stage: Stage, client: FlaskClient
) -> None:
    made, path = sent(stage)
    form = {
        "q1": "yes",
        "q2": "Both",
        "q3": "<i>x</i>",
        "csrf_token": word_of(client.get(path).text),
    }
    again = client.post(path, data=form)
    assert again.status_code == 422
    assert "<li><bdi>Side</bdi></li>" in again.text
    assert "&lt;i&gt;x&lt;/i&gt;" in again.text
    unsigned = client.post(path, data={**form, "q2": "Left"})
    assert (unsigned.status_code, "as a signature" in unsigned.text) == (422, True)
    assert seen(stage, made).status is FormStatus.OPENED


def test_a_link_is_worth_nothing_without_its_secret_or_its_page(
    stage: Stage, client: FlaskClient
) -> None:
    _, path = sent(stage)
    gym, _, _ = path.rpartition("/")
    for wrong in (f"{gym}/guess", path.replace("gym-", "other-"), f"{path}x"):
        assert client.get(wrong).status_code == 404
    assert client.post(path, data=GOOD).status_code == 403
