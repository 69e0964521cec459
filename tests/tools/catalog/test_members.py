"""Tools for members: what is refused, what a role is shown, and what an undo gives back."""

from typing import Any
from uuid import UUID

import pytest

from app.bookings import queries as bookings
from app.core.actor import Via
from app.core.ids import new_id
from app.people import service as people
from app.people.service import NewNote
from app.people.terms import NoteKind
from app.programs.queries import assignments
from app.programs.terms import AssignmentStatus, DayStatus
from tests.programming import assignment, program
from tests.studio import Studio
from tests.tools.catalog.asking import REGISTRY, Asking
from tools.kit.calls import Call, Decision
from tools.kit.cards import Done, Failed, Typed
from tools.kit.runner import Runner


@pytest.fixture
def admin(studio: Studio) -> Asking:
    return Asking(studio, studio.admin)


@pytest.fixture
def owner(studio: Studio) -> Asking:
    return Asking(studio, studio.owner)


def ahead(studio: Studio, member_id: UUID) -> int:
    with studio.act() as session:
        return len(bookings.ahead(session, member_id, "en", now=studio.now))


@pytest.mark.parametrize(
    ("tool", "given", "refused"),
    [
        ("create_member", {"first_name": " "}, "bad_input"),
        ("create_member", {"first_name": "Ann", "phone": "12345"}, "bad_phone"),
        ("create_member", {"first_name": "Ann", "email": "ann at home"}, "bad_input"),
        ("create_member", {"first_name": "Ann", "birth_date": "2026-12-01"}, "bad_input"),
        ("create_member", {"first_name": "Ann", "birth_date": "1099-12-01"}, "bad_input"),
        ("create_member", {"first_name": "Ann", "tags": ["x" * 41]}, "bad_input"),
        ("update_member", {}, "bad_input"),
        ("update_member", {"nickname": None}, "bad_input"),
        ("update_member", {"clear": ["first_name"]}, "bad_input"),
        ("update_member", {"clear": ["phone"], "phone": "0501234567"}, "bad_input"),
        ("update_member", {"expected_version": 9, "nickname": "D"}, "stale_version"),
        ("update_member", {"first_name": "\u200b"}, "bad_input"),
        ("add_note", {"body": ""}, "bad_input"),
        ("add_note", {"body": "x" * 2_001}, "bad_input"),
        ("add_note", {"body": "x", "visible_to_roles": ["member"]}, "bad_input"),
        ("unsuspend_member", {}, "not_suspended"),
        ("restore_member", {}, "not_archived"),
        ("erase_member_data", {"legal_basis": "because"}, "bad_input"),
        ("list_members", {"last_visit_before": "yesterday"}, "bad_input"),
        ("invite_member", {"first_name": "Mia", "channel": "sms"}, "bad_input"),
        ("invite_member", {"first_name": "Mia", "channel": "fax", "phone": "0501"}, "bad_input"),
        (
            "invite_member",
            {
                "first_name": "Mia",
                "channel": "sms",
                "phone": "0500000001",
                "plan_id": str(new_id()),
            },
            "not_found",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    studio: Studio, owner: Asking, tool: str, given: dict[str, Any], refused: str
) -> None:
    fields = REGISTRY[f"memberships.{tool}"].args.model_fields
    who = {"member_id": studio.person()} if "member_id" in fields else {}
    assert owner.told(f"memberships.{tool}", **who, **given).get("error") == refused


def test_a_known_phone_tells_whose_it_is(studio: Studio, admin: Asking) -> None:
    dana = studio.person("Dana Levi", phone="0501234567")
    told = admin.told("memberships.create_member", first_name="D", phone="+972 50 123 4567")
    assert (told["error"], told["member"], told["member_id"]) == (
        "member_exists",
        "Dana Levi",
        str(dana),
    )
    given = {
        "first_name": "Dan\r\n",
        "last_name": "or\nyes",
        "phone": "0501234567",
        "shares_contact": True,
    }
    assert admin.told("memberships.create_member", **given)["member"] == "Dan or yes"


@pytest.mark.parametrize("tool", ["suspend_member", "archive_member"])
def test_an_undo_gives_the_bookings_back(studio: Studio, admin: Asking, tool: str) -> None:
    dana = studio.member("Dana Levi", credits_=10)
    for day in (1, 2):
        studio.booking(dana, studio.session(day=day))
    more = {"cancel_future_bookings": True} if tool == "suspend_member" else {}
    asked = admin.question(f"memberships.{tool}", member_id=dana, **more)
    assert asked is not None
    done = admin.outcome(f"memberships.{tool}", member_id=dana, **more)
    assert ahead(studio, dana) == 0
    assert admin.undo(done).ok
    assert ahead(studio, dana) == 2
    told = admin.told("read.get_member", member_id=dana)
    assert (told["status"], told["credits_left"]) == ("active", 8)


def test_a_program_ends_with_its_member_and_goes_on_after_an_undo(
    studio: Studio, admin: Asking
) -> None:
    dana = studio.member("Dana Levi")
    held = assignment(studio, dana, program(studio))

    def standing() -> tuple[AssignmentStatus, set[DayStatus]]:
        with studio.act() as session:
            today = studio.day(0)
            view = assignments.assignment_view(session, held, today=today)
            days = assignments.days(session, held, today=today)
            return view.status, {one.status for one in days}

    before = standing()
    done = admin.outcome("memberships.archive_member", member_id=dana)
    assert standing() == (AssignmentStatus.CANCELLED, {DayStatus.EXCUSED})
    assert admin.undo(done).ok
    assert standing() == before


def test_lifting_a_suspension_later_brings_no_bookings_back(studio: Studio, admin: Asking) -> None:
    dana = studio.member("Dana Levi")
    studio.booking(dana, studio.session())
    admin.outcome("memberships.suspend_member", member_id=dana, cancel_future_bookings=True)
    assert admin.told("memberships.unsuspend_member", member_id=dana)["status"] == "active"
    assert ahead(studio, dana) == 0


def test_bookings_stay_with_a_suspension_that_says_nothing_of_them(
    studio: Studio, admin: Asking
) -> None:
    dana = studio.member("Dana Levi")
    studio.booking(dana, studio.session())
    told = admin.told("memberships.suspend_member", member_id=dana, reason="Owes")
    assert {"effect_staying": {"bookings": 1}} in told["notes"]
    assert ahead(studio, dana) == 1


def test_erasing_waits_for_the_name_and_nothing_else_of_a_call(
    studio: Studio, owner: Asking
) -> None:
    dana = studio.member("Dana  Levi")
    asked = owner.question("memberships.erase_member_data", member_id=dana, legal_basis="request")
    assert asked is not None
    assert isinstance(asked.card, Typed)
    assert asked.card.words == "Dana Levi"
    assert "words" not in REGISTRY["memberships.erase_member_data"].args.model_fields
    call = Call(
        id=str(new_id()),
        name="memberships.erase_member_data",
        input={"member_id": str(dana), "legal_basis": "request"},
    )
    runner = Runner(studio.db, REGISTRY, studio.owner.acting(Via.AGENT), "turn")
    assert runner.run(call).moved, "without a decision nothing runs"
    stale = Decision(approved=True, target="of another card")
    assert runner.run(call, stale).moved
    assert runner.run(call, Decision(approved=True, target=asked.target)).ok
    assert owner.told("read.get_member", member_id=dana)["status"] == "erased"


def test_a_profile_tells_what_to_know_and_notes_for_ones_eyes(
    studio: Studio, ask: Asking, admin: Asking
) -> None:
    dana = studio.member("Dana Levi", credits_=1, until=5)
    with studio.act() as session:
        people.add_note(session, studio.owner, dana, NewNote("knee", NoteKind.INJURY))
        people.add_note(session, studio.owner, dana, NewNote("owes 90", NoteKind.PAYMENT))
    admin.outcome(
        "memberships.update_member",
        member_id=dana,
        birth_date="1990-11-30",
        emergency_contact="Ron, 052",
        primary_coach_id=studio.staff[studio.coach.role],
    )
    told = ask.told("read.get_member", member_id=dana)
    assert told["flags"] == ["ends_soon", "credits_low", "birthday"]
    assert (told["emergency_contact"], told["primary_coach"]) == ("Ron, 052", "coach one")
    assert [row["text"] for row in told["tables"][0]["rows"]] == ["knee"]
    everything = admin.told("read.get_member", member_id=dana)["tables"][0]["rows"]
    assert [row["text"] for row in everything] == ["owes 90", "knee"]
    assert "price" not in str(told)


def test_a_history_is_dated_and_can_be_narrowed(studio: Studio, ask: Asking) -> None:
    dana = studio.member("Dana Levi")
    studio.booking(dana, studio.session(day=1))
    studio.booking(dana, studio.session(day=2))
    ask.outcome("memberships.add_note", member_id=dana, body="Strong today")
    kinds = [row["kind"] for row in ask.told("read.get_member_timeline", member_id=dana)["rows"]]
    assert kinds == ["booking", "booking", "note", "membership"]
    narrow = ask.told("read.get_member_timeline", member_id=dana, kinds=["note"], limit=1)
    assert [(row["text"], row["status"]) for row in narrow["rows"]] == [("Strong today", "general")]
    since = ask.told("read.get_member_timeline", member_id=dana, since=str(studio.day(2)))
    assert since["total"] == 1
    first = ask.told("read.get_member_timeline", member_id=dana, limit=3)
    rest = ask.told("read.get_member_timeline", member_id=dana, limit=3, cursor=first["cursor"])
    assert (first["total"], len(rest["rows"])) == (4, 1)


def test_a_search_finds_each_kind_and_only_what_is_asked_for(studio: Studio, ask: Asking) -> None:
    studio.member("Wodan Levi", credits_=2)
    studio.session(day=1)
    studio.session(day=200)
    found = ask.told("read.search", q="wod")["rows"]
    assert [(row["kind"], row["name"]) for row in found] == [
        ("member", "Wodan Levi"),
        ("class_session", "WOD"),
    ], "classes far away aren't meant"
    only = ask.told("read.search", q="wod", types=["class_session"])["rows"]
    assert [row["when"] for row in only] == ["2026-12-01 18:00-19:00"]
    for nothing in ("%", "zzz", "!"):
        assert ask.told("read.search", q=nothing)["rows"] == []


def test_the_roster_sorts_and_sifts(studio: Studio, ask: Asking) -> None:
    ann, ben = studio.member("Ann Lee"), studio.member("Ben Or", credits_=5)
    studio.person("Cat Oz", tags=("Comp team",))
    told = ask.told("memberships.list_members", plan_id=studio.plans[5])
    assert [row["id"] for row in told["rows"]] == [str(ben)]
    assert [row["member"] for row in ask.told("memberships.list_members", tag="comp TEAM")["rows"]]
    ask.by(studio.admin).outcome("memberships.archive_member", member_id=ann)
    assert ask.told("memberships.list_members")["total"] == 2
    assert ask.told("memberships.list_members", status=["archived"])["total"] == 1
    never = ask.told("memberships.list_members", last_visit_before=str(studio.day(0)))
    assert never["total"] == 2, "who never came is meant too"


def test_the_audit_says_who_through_what_and_to_whom(
    studio: Studio, admin: Asking, ask: Asking
) -> None:
    dana = studio.person("Dana Levi")
    ask.outcome("memberships.add_note", member_id=dana, body="x")
    admin.outcome("memberships.suspend_member", member_id=dana)
    admin.outcome("memberships.suspend_member", member_id=dana)
    rows = admin.told("read.get_audit_log")["rows"]
    assert [(row["actor"], row["action"], row["about"], row["result"]) for row in rows] == [
        ("admin one", "memberships.suspend_member", None, "failed"),
        ("admin one", "memberships.suspend_member", ["Dana Levi"], "done"),
        ("coach one", "memberships.add_note", ["Dana Levi"], "done"),
    ]
    of_coach = admin.told("read.get_audit_log", staff_id=studio.staff[studio.coach.role])
    assert of_coach["total"] == 1
    about = admin.told("read.get_audit_log", entity_type="member", entity_id=dana)
    assert about["total"] == 1
    assert admin.told("read.get_audit_log", from_date=str(studio.day(1)))["total"] == 0
    assert ask.told("read.get_audit_log")["error"] == "not_allowed"


def test_what_others_made_of_a_member_is_not_taken_along_by_an_undo(
    studio: Studio, admin: Asking
) -> None:
    coach, in_use = admin.by(studio.coach), Failed(code="undo_in_use")
    added = admin.outcome("memberships.create_member", first_name="Mia")
    assert isinstance(added.card, Done)
    assert added.card.ref is not None
    mia = added.card.ref.id
    given = {"plan_id": studio.plan(10), "start_date": str(studio.day(0))}
    sold = admin.outcome("memberships.create", member_id=mia, **given)
    where = studio.session()
    booked = coach.outcome("bookings.book_member", member_id=mia, class_session_id=where)
    assert booked.ok, booked

    assert admin.undo(sold).card == in_use
    assert admin.undo(added).card == in_use
    assert ahead(studio, mia) == 1
    assert all(one.ok for one in (coach.undo(booked), admin.undo(sold), admin.undo(added)))

    back = admin.outcome("memberships.restore_member", member_id=mia)
    coach.outcome("memberships.add_note", member_id=mia, body="Back after a break")
    assert admin.undo(back).card == in_use
