"""Members: one person a phone, however it is written; how they stand; who reads which note."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.actor import Actor, Role
from app.core.errors import BadInput, NotFound, StaleVersion
from app.desk import leaving
from app.people import queries, service
from app.people.contacts import BadPhone, read_phone
from app.people.errors import (
    AlreadySuspended,
    LastOwner,
    MemberArchived,
    MemberExists,
    NotArchived,
    NotSuspended,
    TooManyTags,
)
from app.people.models import Member
from app.people.service import MemberChanges, NewMember, NewNote, Updated
from app.people.terms import MemberStatus, NoteKind
from app.people.views import MemberView
from app.studio.paging import Cut
from tests.studio import Studio


def create(studio: Studio, name: str, *, shared: bool = False, **more: Any) -> MemberView:  # noqa: ANN401 - as NewMember
    first, _, last = name.partition(" ")
    with studio.act() as session:
        new = NewMember(first, last, **more)
        today = studio.day(0)
        return service.create_member(session, studio.admin, new, today=today, shared=shared)


def update(studio: Studio, member_id: UUID, **changes: Any) -> Updated:  # noqa: ANN401 - as MemberChanges
    beside = {key: changes.pop(key) for key in ("expected_version", "shared") if key in changes}
    with studio.act() as session:
        made = MemberChanges(**changes)
        today = studio.day(0)
        return service.update_member(session, studio.admin, member_id, made, today=today, **beside)


def row(studio: Studio, member_id: UUID) -> Member:
    with studio.act() as session:
        return session.get_one(Member, member_id)


@given(
    number=st.integers(500_000_000, 599_999_999),
    spelling=st.sampled_from(
        ["0{0}-{1}", "972{0}{1}", "+972 {0} {1}", "+972-{0}-{1}", "00972{0}{1}", "(0{0}) {1}"]
    ),
)
def test_every_spelling_of_a_phone_is_one_number(number: int, spelling: str) -> None:
    digits = str(number)
    typed = spelling.format(digits[:2], digits[2:])
    assert read_phone(typed).e164 == f"+972{digits}"


def test_an_extension_stands_apart() -> None:
    found = read_phone("03-5551234 ext. 12")
    assert (found.e164, found.extension) == ("+97235551234", "12")
    with pytest.raises(BadPhone):
        read_phone("12")


def test_a_known_phone_or_mail_points_to_who_has_it(studio: Studio) -> None:
    dana = create(studio, "Dana Levi", phone="050-123 4567", email="Dana@Example.com")
    for phone, email in (("972501234567", None), (None, "dana@example.com ")):
        with pytest.raises(MemberExists) as found:
            create(studio, "Dan Levi", phone=phone, email=email)
        assert found.value.values["member_id"] == dana.id
        assert found.value.values["member"] == "Dana Levi"
    son = create(studio, "Dan Levi", phone="0501234567", shared=True)
    with pytest.raises(MemberExists):
        update(studio, son.id, email="dana@example.com")
    assert update(studio, dana.id, phone="050 1234567").changed == ()


def test_two_at_once_with_one_phone_are_one_member(studio: Studio) -> None:
    def one(name: str) -> object:
        try:
            return create(studio, name, phone="0521112233").name
        except MemberExists as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        came = list(pool.map(one, ("Ann", "Ben", "Cat", "Dan")))
    assert sorted(came == "member_exists" for came in came) == [False, True, True, True]


def test_a_new_name_is_found_and_the_old_one_is_not(studio: Studio) -> None:
    dana = create(studio, "Dana Levi")
    done = update(studio, dana.id, first_name="נועה", nickname="Noni")
    assert done.changed == ("first_name", "nickname")
    for query, count in (("Noa", 1), ("noni", 1), ("Dana", 0)):
        with studio.act() as session:
            assert queries.find_members(session, query, cut=Cut()).total == count, query


def test_only_what_is_said_changes(studio: Studio) -> None:
    dana = create(studio, "Dana Levi", phone="0501234567 ext 4", email="a@b.co", tags=("New",))
    done = update(studio, dana.id, clear=("phone", "last_name"), tags_add=("Comp  team", "NEW"))
    assert done.changed == ("tags", "phone", "last_name", "phone_extension")
    kept = row(studio, dana.id)
    assert (kept.phone, kept.phone_extension, kept.email) == (None, None, "a@b.co")
    assert kept.tags == ["New", "Comp team"], "as they were first written"
    assert update(studio, dana.id, tags_remove=("new",)).member.tags == ("Comp team",)
    with pytest.raises(StaleVersion):
        update(studio, dana.id, nickname="D", expected_version=1)
    with pytest.raises(BadInput):
        update(studio, dana.id, birth_date=date(2026, 12, 1))
    with pytest.raises(TooManyTags):
        update(studio, dana.id, tags_add=tuple(f"tag {one}" for one in range(31)))
    with pytest.raises(NotFound):
        update(studio, dana.id, primary_coach_id=dana.id)


def test_they_are_again_what_they_were_before(studio: Studio) -> None:
    ann = create(studio, "Ann Lee", status=MemberStatus.PROSPECT)

    def act(what: Any, *args: Any, **more: Any) -> MemberStatus:  # noqa: ANN401 - a rule of leaving
        with studio.act() as session:
            what(session, studio.admin, ann.id, *args, now=studio.now, **more)
        return row(studio, ann.id).status

    assert act(leaving.suspend, reason="Owes") is MemberStatus.SUSPENDED
    assert row(studio, ann.id).suspend_reason == "Owes"
    with pytest.raises(AlreadySuspended):
        act(leaving.suspend)
    assert act(leaving.archive) is MemberStatus.ARCHIVED
    for refused in (leaving.suspend, leaving.archive):
        with pytest.raises(MemberArchived):
            act(refused)
    assert act(leaving.restore) is MemberStatus.SUSPENDED
    assert act(leaving.unsuspend) is MemberStatus.PROSPECT
    with pytest.raises(NotSuspended):
        act(leaving.unsuspend)
    with pytest.raises(NotArchived):
        act(leaving.restore)


def test_who_is_suspended_meanwhile_does_not_join(studio: Studio) -> None:
    dana, noa = studio.person(status=MemberStatus.PROSPECT), studio.person("Noa Bar")
    with studio.act() as session:
        seen = queries.member(session, dana)
        with studio.act() as other:
            service.suspend(other, studio.owner, dana, now=studio.now)
            service.archive(other, studio.owner, noa, now=studio.now)
        stands = [service.join(session, one).status for one in (dana, noa)]
    assert (seen.status, stands) == ("prospect", ["suspended", "active"])


def test_the_last_owner_stays(studio: Studio) -> None:
    boss = create(studio, "Ruth Boss")
    with studio.act() as session:
        session.get_one(Member, boss.id).user_id = studio.owner.user_id
    with studio.act() as session, pytest.raises(LastOwner):
        leaving.archive(session, studio.admin, boss.id, now=studio.now)
    with studio.act() as session:
        admin = studio.admin.user_id
        service.add_staff(session, studio.org_id, new_login(studio), name="Two", role=Role.OWNER)
        assert admin != studio.owner.user_id
    with studio.act() as session:
        leaving.archive(session, studio.admin, boss.id, now=studio.now)


def new_login(studio: Studio) -> UUID:
    with studio.db.platform() as platform:
        return service.create_user(platform, service.NewUser("Second owner"))


def test_notes_are_read_by_those_they_are_for(studio: Studio) -> None:
    dana = studio.person()
    notes = {
        "knee": NewNote("knee", NoteKind.INJURY),
        "owes": NewNote("owes", NoteKind.PAYMENT),
        "pills": NewNote("pills", NoteKind.MEDICAL),
        "secret": NewNote("secret", visible_to=(Role.OWNER,)),
        "open": NewNote("open", NoteKind.MEDICAL, pinned=True, visible_to=(Role.COACH,)),
    }
    with studio.act() as session:
        for note in notes.values():
            service.add_note(session, studio.owner, dana, note)
        service.add_note(session, studio.coach, dana, NewNote("mine", NoteKind.MEDICAL))

    def read(who: Actor) -> list[str]:
        with studio.act() as session:
            return [one.body for one in queries.notes(session, who, dana, cut=Cut()).rows]

    assert read(studio.coach) == ["open", "mine", "knee"]
    assert read(replace(studio.coach, user_id=studio.admin.user_id)) == ["open", "knee"]
    assert read(studio.admin) == ["open", "mine", "pills", "owes", "knee"]
    assert read(studio.owner) == ["open", "mine", "secret", "pills", "owes", "knee"]
