"""The payment ledger: written by the provider's import, read by everybody else (rule 33)."""

import ast
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import create_engine, select, text, update
from sqlalchemy.exc import IntegrityError, ProgrammingError

from app.analytics.queries.payments import unpaid
from app.core.db import APP_ROLE, PLATFORM_ROLE, as_org
from app.desk import queries as desk
from app.memberships import queries, service
from app.memberships.models import PaymentEntry
from app.memberships.service import Payment
from app.memberships.terms import PaymentKind, PaymentState
from app.memberships.views import PaymentFilter
from app.messages import queries as messages
from app.messages.filters import AudienceFilter
from app.messages.views import Audience
from app.people.models import Member
from app.studio.paging import Cut
from tests.app.bought import check_history, freeze, roll_over, view
from tests.reachable import reachable
from tests.requests.commerce import monthly
from tests.studio import ZONE, Studio, open_studio

ROOT = Path(__file__).parents[2]
WRITER = "app/memberships/service/payments.py"


def charge(studio: Studio, membership_id: UUID, state: str, due: int = 0, **more: str) -> Payment:
    member_id = view(studio, membership_id).member_id
    kind, status = PaymentKind.CHARGE, PaymentState(state)
    return Payment(member_id, membership_id, kind, status, 38_000, studio.day(due), **more)  # type: ignore[arg-type] # as Payment


def take_in(studio: Studio, *payments: Payment) -> list[UUID]:
    with studio.db.platform() as platform:
        return service.take_in(platform, studio.org_id, payments)


def test_the_app_has_no_right_to_write_it(studio: Studio, database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        asked = text("SELECT has_table_privilege(:role, 'payment_ledger', :right)")
        rights = {
            role: [
                right
                for right in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE")
                if connection.scalar(asked, {"role": role, "right": right})
            ]
            for role in (APP_ROLE, PLATFORM_ROLE)
        }
    engine.dispose()
    assert rights == {APP_ROLE: ["SELECT"], PLATFORM_ROLE: ["SELECT", "INSERT", "UPDATE"]}
    held = studio.sell(studio.person(), monthly(studio))
    (known,) = take_in(studio, charge(studio, held, "failed"))
    with pytest.raises(ProgrammingError, match="permission denied"), studio.act() as session:
        service.take_in(session, studio.org_id, [charge(studio, held, "succeeded")])
    with pytest.raises(ProgrammingError, match="permission denied"), studio.act() as session:
        session.get_one(PaymentEntry, known).status = PaymentState.SUCCEEDED
    with pytest.raises(ProgrammingError, match="permission denied"), studio.act() as session:
        session.delete(session.get_one(PaymentEntry, known))
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        studio.db.platform() as platform,
        as_org(platform, studio.org_id),
    ):
        platform.execute(update(PaymentEntry).values(amount_minor=0))


def test_no_code_but_the_import_names_a_new_entry_and_nothing_imports_it_below_the_provider() -> (
    None
):
    """Neither a tool, a route nor another service makes an entry or calls the import."""
    made, called = set(), set()
    for part in ("app", "tools", "bot"):
        for path in (ROOT / part).rglob("*.py"):
            where = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    if name == "PaymentEntry":
                        made.add(where)
                    if name == "take_in":
                        called.add(where)
    assert made == {WRITER}
    assert not [one for one in called if one.startswith(("tools/", "bot/channels", "app/web"))]


def test_the_import_brings_what_it_knows_up_to_date(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    first = take_in(studio, charge(studio, held, "pending", provider_ref="c-1"))
    again = take_in(studio, charge(studio, held, "succeeded", provider_ref="c-1"))
    assert first == again
    with pytest.raises(IntegrityError):
        take_in(studio, charge(studio, held, "failed", method_last4="4580123412341234"))
    elsewhere = open_studio(studio.db.engine.url.render_as_string(hide_password=False))
    with elsewhere.act() as session:
        assert session.scalars(select(PaymentEntry)).all() == []
    elsewhere.db.close()


def test_payments_are_found_by_member_day_and_state(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    other = studio.sell(studio.person("Noa"), monthly(studio))
    take_in(
        studio,
        charge(studio, held, "succeeded", -30),
        charge(studio, held, "failed", 0),
        charge(studio, other, "pending", 5),
    )
    member_id = view(studio, held).member_id
    wanted = (
        (PaymentFilter(), ["pending", "failed", "succeeded"]),
        (PaymentFilter(member_id=member_id), ["failed", "succeeded"]),
        (PaymentFilter(membership_id=other), ["pending"]),
        (PaymentFilter(since=studio.day(-1), until=studio.day(0)), ["failed"]),
        (PaymentFilter(statuses=(PaymentState.SUCCEEDED,)), ["succeeded"]),
    )
    with studio.act() as session:
        for one, states in wanted:
            found = queries.payments(session, one, cut=Cut())
            assert [row.status for row in found.rows] == states


def test_a_membership_is_past_due_as_long_as_a_charge_of_it_is_owed(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    frozen = studio.sell(studio.person("Noa"), monthly(studio))
    freeze(studio, frozen, 0, 20)
    take_in(studio, charge(studio, held, "pending", 1, provider_ref="c-1"))
    take_in(studio, charge(studio, frozen, "failed", -3))
    assert roll_over(studio) == {"payment": 2}
    assert (view(studio, held).payment, view(studio, held).status) == ("due", "active")
    assert (view(studio, frozen).payment, view(studio, frozen).status) == ("failed", "frozen")
    studio.clock.hands[0] += timedelta(days=3)
    assert roll_over(studio) == {"owes": 1}
    assert (view(studio, held).payment, view(studio, held).status) == ("overdue", "past_due")
    take_in(studio, charge(studio, held, "succeeded", 1, provider_ref="c-1"))
    assert roll_over(studio) == {"paid": 1}
    assert (view(studio, held).payment, view(studio, held).status) == ("paid", "active")
    assert roll_over(studio) == {}
    check_history(studio)


def test_a_charge_to_come_hides_none_that_failed_and_an_end_settles_nothing(studio: Studio) -> None:
    """As the list of the unpaid, the flags, the groups and the erasure say: all of one mind."""
    dana = reachable(studio, "Dana Levi")
    held = studio.sell(dana, monthly(studio))
    take_in(
        studio,
        charge(studio, held, "failed", -30, provider_ref="c-1"),
        charge(studio, held, "pending", 3, provider_ref="c-2"),
    )
    assert roll_over(studio) == {"owes": 1}
    assert (view(studio, held).payment, view(studio, held).status) == ("failed", "past_due")
    assert roll_over(studio) == {}
    assert debt(studio, dana) == 38_000
    with studio.act() as session:
        service.cancel(session, studio.admin, held, studio.day(0), today=studio.day(0))
    assert debt(studio, dana) == 38_000
    take_in(studio, charge(studio, held, "succeeded", -30, provider_ref="c-1"))
    assert debt(studio, dana) is None, "its price isn't owed because it is still marked"
    assert roll_over(studio) == {"payment": 1}
    assert (view(studio, held).payment, view(studio, held).status) == ("due", "cancelled")
    assert debt(studio, dana) is None


def debt(studio: Studio, member_id: UUID) -> int | None:
    """What they owe, told the same by whoever tells it."""
    day = studio.day(0)
    with studio.act() as session:
        found = desk.owed(session, session.get_one(Member, member_id), day)
        asked = Audience(AudienceFilter(unpaid=True))
        group = messages.members(session, studio.owner, asked, studio.now)
        listed = {
            one.member_id: one.amount for one in unpaid(session, day, zone=ZONE, cut=Cut()).rows
        }
        minor = found.minor if found else None
        assert listed == queries.owed(session, day) == ({member_id: minor} if minor else {})
        assert [one.id for one in group] == [*listed]
        assert queries.in_debt(session, member_id, day) == bool(minor)
    return minor
