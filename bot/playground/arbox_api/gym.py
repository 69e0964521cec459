"""What a gym has at Arbox: plans, people, payments, in the vendor's own loose types."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

Row = dict[str, Any]
_FIRST = ("נועה", "Dana", "יוסי", "Марина", "Tom", "רוני", "Michal", "Игорь", "Eli", "שירה")
_LAST = ("לוי", "Cohen", "מזרחי", "Петрова", "Barak", "פרץ", "Levy", "Смирнов", "Katz", "דהן")


@dataclass
class ArboxGym:
    """Lists by the last part of their path; a report's rows are found by `day_of`."""

    key: str
    lists: dict[str, list[Row]] = field(default_factory=dict)

    def of(self, name: str) -> Sequence[Row]:
        return self.lists.get(name, [])

    def add(self, name: str, *rows: Row) -> None:
        self.lists.setdefault(name, []).extend(rows)


DAY_OF = {
    "transactionsReport": "transaction_date",
    "salesReport": "date",
    "membersOnHoldReport": "start_suspend_time",
}
"""By which field a report takes its range; the others show what is so at all."""


def small_gym(today: date, *, key: str, people: int = 30, first: int = 0) -> ArboxGym:
    """A gym of so many clients, with everything that a newcomer's import stumbles over.

    `first` numbers them from there on, so that two gyms have none in common.
    """
    gym = ArboxGym(key)
    gym.add("locations", {"location_id": 101, "location_name": "Main branch"})
    gym.add(
        "boxCategories",
        {"box_category_id": 11, "box_category_name": " wod ", "max_participants": 14},
        {"box_category_id": 12, "box_category_name": "Open Gym", "max_participants": "20"},
    )
    gym.add(
        "membershipTypes",
        {
            "membership_type_id": 1,
            "membership_type_name": "חופשי חודשי",
            "type": "plan",
            "price": "380.00",
            "active": "Yes",
        },
        {
            "membership_type_id": 2,
            "membership_type_name": "10 sessions",
            "type": "session",
            "price": 550,
            "sessions": 10,
            "active": 1,
        },
    )
    gym.add("statuses", {"name": "חדש"}, {"name": "Trial booked"})
    gym.add(
        "schedule",
        {"schedule_id": 900, "staff_member": {"name": "Ron Avni", "phone": "0501111111"}},
        {"schedule_id": 901, "staff_member": "Maya Dror"},
    )
    for number in range(first, first + people):
        _client(gym, number, today)
    _leads(gym, today)
    return gym


def _client(gym: ArboxGym, number: int, today: date) -> None:
    user = 5000 + number
    first, last = _FIRST[number % 10], _LAST[number // 10 % 10]
    gym.add(
        "users",
        {
            "user_id": user,
            "first_name": first,
            "last_name": last,
            "phone": f"052-{4_000_000 + number}",
            "email": f"client{number}@example.com" if number % 3 else "",
            "birthday": "0000-00-00" if number % 4 else "1990-05-17",
            "member_since": str(today - timedelta(days=200 + number)),
            "active": "Yes",
        },
    )
    pack = number % 5 == 0
    start = today - timedelta(days=20)
    bought = {
        "user_id": user,
        "membership_type_id": 2 if pack else 1,
        "membership_type_name": "10 sessions" if pack else "חופשי חודשי",
        "start_date": str(start),
        "end_date": str(today + timedelta(days=70)) if pack else None,
        "price": "550" if pack else "380",
        "status": "active",
    }
    if pack:
        gym.add("sessionsReport", {**bought, "sessions_left": number % 9 + 1})
    else:
        gym.add("activeMembershipsReport", {**bought, "membership_user_id": 70_000 + number})
    if number == 1:
        gym.add("membersOnHoldReport", _hold(user, number, today))
    gym.add("transactionsReport", _payment(user, number, today))


def _hold(user: int, number: int, today: date) -> Row:
    return {
        "membership_hold_id": 800 + number,
        "membership_user_id": 70_000 + number,
        "user_id": user,
        "start_suspend_time": str(today - timedelta(days=3)),
        "end_suspend_time": str(today + timedelta(days=10)),
        "suspend_reason": "אישי",
        "membership_type_name": "חופשי חודשי",
    }


def _payment(user: int, number: int, today: date) -> Row:
    failed = number == 2  # noqa: PLR2004 - one of them has a card that is refused
    return {
        "transaction_id": 300_000 + number,
        "user_id": user,
        "transaction_date": f"{today - timedelta(days=5)} 09:30:00",
        "amount": "380.00",
        "last_four_digits": "4242",
        "type": "credit card",
        "status": "FAIL" if failed else "SUCCESS",
        "item_name": "חופשי חודשי",
    }


def _leads(gym: ArboxGym, today: date) -> None:
    for number in range(4):
        gym.add(
            "leads",
            {
                "user_id": 9000 + number,
                "first_name": ("Gal", "עדי", "Lena", "Omer")[number],
                "last_name": "Lead",
                "phone": f"+97254{7_000_000 + number}" if number < 3 else "",  # noqa: PLR2004 - one has none
                "email": "",
                "lead_status": "Trial booked" if number == 1 else "חדש",
                "lead_source": "פייסבוק",
                "created_time": f"{today - timedelta(days=number)} 12:00:00",
            },
        )
