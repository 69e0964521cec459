"""Forms: versions that stay, answers that are sealed, copies that count (rules 43 and 44)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import ProgrammingError

from app.core.errors import NotAllowed, NotFound, StaleVersion, StudioError
from app.core.outbox import Outbox
from app.forms import queries, service
from app.forms.errors import AnswersMissing, NoSuchForm
from app.forms.fields import Field, fields_of, flagged, key_of, read_answers, stored
from app.forms.models import FormResponse
from app.forms.service import FormChanges, FormRequest, NewForm
from app.forms.terms import FieldType, FormDecision, FormKind, FormStatus
from app.forms.views import InstanceFilter, InstanceView
from app.people import queries as people
from app.people import service as people_service
from app.people.models import Member
from app.people.terms import Channel, MemberStatus
from app.studio.paging import Cut
from tests.requests.forms import DETAILS, HEART, answered, dana, template, waiting
from tests.studio import Studio

HEALTH, SURVEY = FormKind.HEALTH_DECLARATION, FormKind.SURVEY
YES_NO = Field(label="?", type=FieldType.YES_NO, flags=True)


def look(studio: Studio, instance_id: UUID) -> InstanceView:
    with studio.act() as session:
        return queries.instance(session, instance_id, today=studio.day(0))


def covered_until(studio: Studio, instance_id: UUID) -> object:
    with studio.act() as session:
        return people.member(session, look(studio, instance_id).member_id).health_form_until


def code_of(studio: Studio, wish: FormRequest, member_id: UUID) -> str:
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.send(session, studio.coach, wish, member_id, now=studio.now)
    return failed.value.code


def review(studio: Studio, instance_id: UUID, decision: FormDecision) -> None:
    with studio.act() as session:
        service.mark_reviewed(session, studio.admin, instance_id, decision, now=studio.now)


def missing_names(studio: Studio, form: UUID, days: int = 0) -> list[str]:
    with studio.act() as session:
        through = studio.day(days)
        found = queries.missing(session, form, today=studio.day(0), through=through, cut=Cut())
        return [one.member.name for one in found.rows]


FIELDS = st.lists(
    st.one_of(
        st.builds(Field, label=st.just("Q"), type=st.sampled_from(["text", "number", "date"])),
        st.builds(Field, label=st.just("Q"), type=st.just("yes_no"), flags=st.booleans()),
        st.just(Field(label="Q", type=FieldType.CHOICE, options=("A", "B"), required=False)),
    ),
    min_size=1,
    max_size=6,
)
GIVEN = st.dictionaries(
    st.integers(0, 6).map(key_of),
    st.sampled_from(["yes", "no", "A", "C", "12,5", "nan", "1e99", "2026-11-30", "x" * 5_000, " "]),
)


@given(fields=FIELDS, filled=GIVEN)
def test_what_is_kept_fits_its_question_and_all_that_must_be_is_there(
    fields: list[Field], filled: dict[str, str]
) -> None:
    assert fields_of(stored(fields)) == tuple(fields)
    try:
        answers = read_answers(fields, filled)
    except AnswersMissing:
        return
    for position, field in enumerate(fields):
        answer = answers.get(key_of(position))
        assert answer is not None or not field.required
        match field.type:
            case FieldType.YES_NO:
                assert answer in {True, False, None}
            case FieldType.CHOICE:
                assert answer in {*field.options, None}
            case FieldType.NUMBER:
                assert answer is None or abs(float(answer)) < 1e12
            case _:
                assert answer is None or isinstance(answer, str)
    yes = [
        key_of(n) for n, one in enumerate(fields) if one.flags and answers.get(key_of(n)) is True
    ]
    assert flagged(fields, answers) == bool(yes)


@pytest.mark.parametrize(
    "wrong", [{"type": "choice"}, {"options": ("A",)}, {"flags": True}, {"label": " "}]
)
def test_a_question_is_whole(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Field.model_validate({"label": "Q", **wrong})


def test_a_form_that_was_sent_gets_a_new_version_and_another_is_changed(studio: Studio) -> None:
    unsent = template(studio)
    sent = look(studio, waiting(studio)).template_id
    changes = FormChanges(title="New", fields=(DETAILS,))
    with studio.act() as session:
        assert service.update(session, unsent, changes, now=studio.now).number == 1
        assert service.update(session, sent, changes, now=studio.now).number == 2
        assert service.update(session, sent, changes, now=studio.now).number == 2
        found = queries.template(session, sent)
        assert (found.title, [one.label for one in found.fields]) == ("New", [DETAILS.label])
        (old,) = queries.instances(
            session, InstanceFilter(template_id=sent), today=studio.day(0), cut=Cut()
        ).rows
    assert old.title == "Health"


def test_two_who_change_a_form_do_not_overwrite_each_other(studio: Studio) -> None:
    form = template(studio)
    with studio.act() as session:
        seen = queries.template(session, form).version
        first = FormChanges(fields=(DETAILS,))
        service.update(
            session, form, first, now=studio.now + timedelta(seconds=1), expected_version=seen
        )
    with studio.act() as session, pytest.raises(StaleVersion):
        service.update(session, form, FormChanges(title="X"), now=studio.now, expected_version=seen)


def test_a_health_declaration_is_medical_and_each_yes_flags(studio: Studio) -> None:
    with studio.act() as session:
        found = queries.template(session, template(studio))
        survey = queries.template(session, template(studio, SURVEY))
    assert [(one.medical, one.flags) for one in found.fields] == [(True, True), (True, False)]
    assert [(one.medical, one.flags) for one in survey.fields] == [(False, False)] * 2
    assert (found.valid_for_days, survey.valid_for_days) == (service.HEALTH_DAYS, None)


def test_a_signed_copy_is_sealed_and_nobody_changes_it(studio: Studio) -> None:
    made = answered(studio)
    with studio.act() as session:
        (raw,) = session.execute(text("SELECT answers FROM form_response")).scalars()
        assert "Asthma" not in raw
        copy = queries.copy(session, made)
        assert copy is not None
        assert [answer for _, answer in copy.answers] == [False, "Asthma as a child."]
        assert copy.signed_by == "Dana Levi"
    for statement in (update(FormResponse).values(answers=""), delete(FormResponse)):
        with pytest.raises(ProgrammingError), studio.act() as session:
            session.connection().execute(statement)


def test_a_copy_counts_from_its_signing_to_its_last_day(studio: Studio) -> None:
    made = answered(studio)
    last = studio.day(service.HEALTH_DAYS - 1)
    assert (look(studio, made).valid_until, covered_until(studio, made)) == (last, last)
    with studio.act() as session:
        session.get_one(Member, look(studio, made).member_id).health_form_until = studio.day(9_000)
    review(studio, made, FormDecision.APPROVED)
    assert covered_until(studio, made) == studio.day(9_000)


def test_a_yes_counts_only_once_it_was_approved(studio: Studio) -> None:
    made = answered(studio, "yes")
    assert (look(studio, made).flagged, covered_until(studio, made)) == (True, None)
    with studio.act() as session, pytest.raises(NotAllowed):
        service.mark_reviewed(session, studio.coach, made, FormDecision.APPROVED, now=studio.now)
    review(studio, made, FormDecision.ACTION_NEEDED)
    assert covered_until(studio, made) is None
    review(studio, made, FormDecision.APPROVED)
    assert covered_until(studio, made) == look(studio, made).valid_until
    review(studio, made, FormDecision.NEEDS_DOCUMENT)
    assert covered_until(studio, made) is None


def test_what_a_member_says_last_stands_whatever_they_said_before(studio: Studio) -> None:
    member_id = look(studio, first := answered(studio)).member_id
    form = look(studio, first).template_id
    until = covered_until(studio, first)
    assert until is not None
    studio.wait(days=1)
    second = answered(studio, "yes", again=(form, member_id))
    assert covered_until(studio, second) is None
    assert missing_names(studio, form) == ["Dana Levi"]
    review(studio, first, FormDecision.APPROVED)
    assert covered_until(studio, second) is None
    review(studio, second, FormDecision.APPROVED)
    assert covered_until(studio, second) == look(studio, second).valid_until
    with studio.act() as session:
        session.get_one(Member, member_id).health_form_until = studio.day(9_000)
    review(studio, second, FormDecision.NEEDS_DOCUMENT)
    assert covered_until(studio, second) is None
    answered(studio, again=(form, member_id))
    review(studio, second, FormDecision.NEEDS_DOCUMENT)
    assert missing_names(studio, form) == []


def test_of_a_waiver_too_the_last_copy_is_the_one_that_counts(studio: Studio) -> None:
    member_id, form = dana(studio), template(studio, FormKind.WAIVER)
    answered(studio, again=(form, member_id))
    assert missing_names(studio, form) == []
    studio.wait(hours=1)
    review(studio, answered(studio, again=(form, member_id)), FormDecision.NEEDS_DOCUMENT)
    assert missing_names(studio, form) == ["Dana Levi"]


def test_a_link_is_good_once_and_until_its_day(studio: Studio) -> None:
    made = waiting(studio)
    with studio.act() as session:
        first = service.new_link(session, made, now=studio.now)
        second = service.new_link(session, made, now=studio.now)
        assert first != second
        assert first is not None
        with pytest.raises(NoSuchForm):
            service.look(session, first, now=studio.now)
        assert second is not None
        assert service.fill_in(session, second, now=studio.now).title == "Health"
        late = studio.now + timedelta(days=31)
        with pytest.raises(NoSuchForm):
            service.look(session, second, now=late)
        assert service.new_link(session, made, now=late) is None
        over = queries.instance(session, made, today=studio.day(31))
        assert over.status is FormStatus.EXPIRED
        service.cancel(session, made)
        with pytest.raises(NoSuchForm):
            service.look(session, second, now=studio.now)
        with pytest.raises(StudioError) as failed:
            service.cancel(session, made)
    assert failed.value.code == "form_not_open"


def test_who_cannot_get_a_form_is_told_by_name(studio: Studio) -> None:
    wish = FormRequest(template(studio), Channel.SMS)
    gone, silent, done = dana(studio, "A"), studio.person("B"), dana(studio, "C")
    with studio.act() as session:
        session.get_one(Member, gone).status = MemberStatus.ARCHIVED
        service.send(session, studio.coach, wish, done, now=studio.now)
    assert code_of(studio, wish, gone) == code_of(studio, wish, silent) == "form_not_reachable"
    assert code_of(studio, wish, done) == "form_waiting"
    with studio.act() as session:
        people_service.opt_out(
            session, studio.org_id, Channel.SMS, "+972541234567", source="word", now=studio.now
        )
    assert code_of(studio, wish, dana(studio, "D")) == "opted_out"
    past = FormRequest(wish.template_id, Channel.EMAIL, studio.day(-1))
    assert code_of(studio, past, dana(studio)) == "form_due_in_past"
    with studio.act() as session:
        service.update(session, wish.template_id, FormChanges(active=False), now=studio.now)
    assert code_of(studio, wish, dana(studio)) == "form_inactive"


def test_a_form_waits_for_the_morning(studio: Studio) -> None:
    studio.wait(hours=12)  # it is ten at night
    waiting(studio)
    with studio.act() as session:
        due = session.scalars(select(Outbox.due_at).where(Outbox.topic == service.FORM_LINK)).one()
    assert due == studio.now + timedelta(hours=10)


def test_a_form_with_signed_copies_stays(studio: Studio) -> None:
    signed, sent = (
        look(studio, answered(studio)).template_id,
        look(studio, waiting(studio)).template_id,
    )
    with studio.act() as session:
        with pytest.raises(StudioError) as failed:
            service.delete(session, signed)
        assert failed.value.values == {"form": "Health", "signed": 1}
        service.delete(session, sent)
        with pytest.raises(NotFound):
            queries.template(session, sent)


def test_who_is_missing_has_no_copy_that_counts(studio: Studio) -> None:
    made = answered(studio)
    form = look(studio, made).template_id
    flagged_one, elsewhere = answered(studio, "yes"), studio.person("Elsewhere")
    studio.person("Nobody")
    with studio.act() as session:
        session.get_one(Member, elsewhere).health_form_until = studio.day(5)
        archived = session.get_one(Member, look(studio, flagged_one).member_id)
        archived.status = MemberStatus.ARCHIVED

    def names(days: int) -> list[str]:
        return missing_names(studio, form, days)

    assert names(0) == ["Nobody"]
    assert names(6) == ["Elsewhere", "Nobody"]
    assert names(service.HEALTH_DAYS) == ["Dana Levi", "Elsewhere", "Nobody"]
    review(studio, made, FormDecision.NEEDS_DOCUMENT)
    assert names(0) == ["Dana Levi", "Nobody"]


def test_of_a_survey_nobody_minds_the_health_declaration(studio: Studio) -> None:
    with studio.act() as session:
        new = NewForm("Survey", SURVEY, (HEART,), requires_signature=False, valid_for_days=30)
        form = service.create(session, studio.owner, new, now=studio.now).id
        made, _ = service.send(
            session, studio.coach, FormRequest(form, Channel.SMS), dana(studio), now=studio.now
        )
        token = service.new_link(session, made, now=studio.now)
        assert token is not None
        service.submit(session, token, {"q1": "yes"}, signed_by="", address="", now=studio.now)
        service.mark_reviewed(session, studio.coach, made, FormDecision.APPROVED, now=studio.now)
    assert covered_until(studio, made) is None
    assert look(studio, made).valid_until == studio.day(29)
