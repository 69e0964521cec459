"""What is worth a look: listed on a phone, started by number or by name, shown without a model."""

from app.core.actor import Role
from bot.playground.model_api.faults import FaultKind
from bot.turn.events import Heard, Ran, Said
from tests.floor import Gym, call
from tools.kit.cards import Table, ToolsFound

NOTE = "playbook programming:"


def test_an_idea_is_started_from_a_whatsapp_list(gym: Gym) -> None:
    phone, model = gym.linked(), gym.stage.model
    assert model is not None
    gym.studio.session()
    gym.says(
        ("Days without", [{"say": "Monday comes first."}]),
        ("ימים בלי", [{"say": "יום שני ראשון."}]),
    )

    (listed,) = phone.says("What now?")
    heading, *lines = listed.splitlines()
    assert heading == "Worth a look now. Reply with a number or a name:"
    assert lines[:4] == [
        "1 What's on today",
        "2 Who hasn't paid",
        "3 Who may leave",
        "4 Days without a workout",
    ]
    assert len(lines) == 9

    shown = "\n".join(phone.says("4"))
    assert "WOD" in shown
    assert shown.endswith("Monday comes first.")
    (seeded,) = gym.events()
    heard, looked, *ran = seeded[:5]
    assert isinstance(heard, Heard)
    assert (heard.text, heard.playbook) == ("Days without a workout", "programming")
    assert isinstance(looked, Said)
    assert looked.ours
    assert [type(one.card) for one in ran if isinstance(one, Ran)] == [ToolsFound, Table, Table]
    asked = model.requests[-1].raw.decode()
    assert NOTE in asked
    assert "Copy last week to the empty days" in asked
    assert asked.count("tool_use_id") == 3

    assert "Nothing is waiting" in phone.says("4")[0]  # the list isn't the last thing they saw
    assert "יום שני ראשון." in phone.says("ימים בלי אימון")[-1]
    (again,) = [event for event in gym.events()[-1] if isinstance(event, Heard)]
    assert (again.text, again.playbook) == ("ימים בלי אימון", "programming")


def test_what_is_not_theirs_stays_a_message_and_without_a_model_the_cards_still_come(
    gym: Gym,
) -> None:
    coach = gym.linked(role=Role.COACH)
    gym.studio.session()
    gym.says(
        ("Who hasn't paid", [call("memberships.list_plans"), {"say": "That is for an admin."}]),
        ("Days without", [{"say": "-", "fault": {"kind": FaultKind.SPEND_CAP, "times": None}}]),
    )
    assert "Who hasn't paid" not in coach.says("ideas")[0]
    assert coach.says("Who hasn't paid")[-1].endswith("That is for an admin.")
    (heard,) = [one for one in gym.events()[0] if isinstance(one, Heard)]
    assert heard.playbook == ""
    assert "playbook" not in heard.beside

    told = "\n".join(coach.says("Дни без тренировки"))
    assert "WOD" in told
    assert "Не получилось" in told
