"""Looking people up, asking which is meant, and what the assistant did."""

from app.core.actor import Role
from app.core.embedding import Meanings
from app.memberships import service as memberships
from app.memberships.terms import PaymentStatus
from tests.meanings import Letters
from tests.studio import Studio
from tests.tools.catalog.asking import REGISTRY, Asking
from tools import meaning
from tools.kit.cards import Pick, Picked, ToolsFound, for_model


def test_members_are_found_by_any_spelling_with_what_tells_them_apart(
    studio: Studio, ask: Asking
) -> None:
    studio.member("Dana Levi", credits_=10)
    studio.person("דנה כהן", phone="0527654321")
    told = ask.told("read.find_members", q="Dana")
    seen = [(row["member"], row["match"], row["phone"], row["membership"]) for row in told["rows"]]
    assert seen == [
        ("Dana Levi", "exact", None, ["Plan 10"]),
        ("דנה כהן", "close", "+972527654321", None),
    ]


def test_a_member_is_shown_with_credits_next_booking_and_flags(studio: Studio, ask: Asking) -> None:
    dana = studio.member("Dana Levi", credits_=10)
    studio.booking(dana, studio.session("18:00"))
    told = ask.told("read.get_member", member_id=dana)
    assert told["member_id"] == str(dana)
    assert (told["credits_left"], told["next_booking"]) == (9, "2026-12-01 18:00-19:00")
    assert (told["membership"], told["next_class"]) == (["Plan 10"], "WOD")


def test_only_admins_see_who_has_not_paid(studio: Studio, ask: Asking) -> None:
    dana, plan = studio.person(), studio.plan()
    with studio.act() as session:
        memberships.sell(
            session,
            studio.owner,
            dana,
            plan,
            start=studio.day(0),
            payment=PaymentStatus.OVERDUE,
        )
    assert "unpaid" not in ask.told("read.get_member", member_id=dana)
    assert ask.by(studio.admin).told("read.get_member", member_id=dana)["unpaid"] is True


def test_a_frozen_membership_shows(studio: Studio, ask: Asking) -> None:
    dana = studio.person()
    held = studio.sell(dana, studio.plan())
    with studio.act() as session:
        days = (studio.day(0), studio.day(3))
        memberships.bring_in_freeze(session, studio.owner, held, *days, today=studio.day(0))
    assert ask.told("read.get_member", member_id=dana)["frozen"] is True


def test_the_team_is_listed_by_role(studio: Studio, ask: Asking) -> None:
    assert ask.told("read.list_staff")["total"] == 3
    coaches = ask.told("read.list_staff", role="coach")
    assert [row["id"] for row in coaches["rows"]] == [str(studio.staff[Role.COACH])]


def test_picking_asks_and_gives_back_what_was_chosen(ask: Asking) -> None:
    options = [
        {"id": "1", "label": "Dana Levi", "sublabel": "+972 52"},
        {"id": "2", "label": "דנה כהן"},
    ]
    given = {"question": "Which Dana?", "entity_type": "member", "options": options}
    asked = ask.question("read.ask_user_to_pick", **given)
    assert asked is not None
    assert isinstance(asked.card, Pick)
    chosen = ask.choose(2, "read.ask_user_to_pick", **given)
    assert for_model(chosen.card) == {"picked": {"id": "2", "label": "דנה כהן"}}
    none = ask.choose(0, "read.ask_user_to_pick", **given)
    assert none.card == Picked(option=None)


def test_one_candidate_is_no_choice(ask: Asking) -> None:
    given = {"question": "Which?", "options": [{"id": "1", "label": "Dana"}]}
    assert ask.told("read.ask_user_to_pick", **given)["error"] == "bad_input"


def test_recent_actions_say_what_was_done_and_until_when_it_can_go_back(
    studio: Studio, ask: Asking
) -> None:
    made = ask.outcome(
        "bookings.book_member", class_session_id=studio.session(), member_id=studio.member()
    )
    rows = ask.told("read.list_recent_agent_actions")["rows"]
    assert [(row["action"], row["member"], row["class"]) for row in rows] == [
        ("bookings.book_member", "Dana Levi", "WOD")
    ]
    assert rows[0]["undo_until"] is not None
    ask.undo(made)
    left = ask.told("read.list_recent_agent_actions", undoable_only=True)
    assert left["rows"] == []
    assert ask.by(studio.owner).told("read.list_recent_agent_actions")["rows"] == []


def test_the_context_is_known_but_not_offered(studio: Studio, ask: Asking) -> None:
    told = ask.told("read.get_current_context")
    assert told["staff_id"] == str(studio.staff[Role.COACH])
    assert (told["role"], told["timezone"]) == ("coach", "Asia/Jerusalem")
    offered = {one.name for one in REGISTRY.for_role(Role.OWNER)}
    assert "read.get_current_context" not in offered


def test_tools_are_found_by_meaning_by_the_page_and_by_what_was_done_of_late(
    studio: Studio, ask: Asking
) -> None:
    model = Letters("letters-for-tools")
    studio.db.meanings = Meanings(model)
    asked = "qzx vwk"
    assert found(ask, q=asked) == []
    meaning.of(model.model).learn(model)
    assert len(found(ask, q=asked)) >= meaning.NEAREST
    studio.db.meanings = Meanings()
    plain = found(ask, q="delete it")
    task = ask.told("tasks.create", title="Chairs")
    ask.outcome("tasks.delete", task_id=task["task_id"])
    assert found(ask, q="delete it").index("tasks__delete") < plain.index("tasks__delete")
    seen = found(ask, q="delete it", page="/workouts/7")
    assert seen.index("workouts__delete") < plain.index("workouts__delete")


def found(ask: Asking, **given: str) -> list[str]:
    card = ask.card("read.find_tools", **given)
    assert isinstance(card, ToolsFound)
    return [one.name for one in card.tools]
