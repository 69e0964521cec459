"""Who is meant: filters, saved groups, and what a coach may not ask for."""

from typing import Any

import pytest

from app.core.errors import NotAllowed
from app.messages import queries, service
from app.messages.filters import AudienceFilter
from app.messages.views import Audience
from tests.reachable import reachable
from tests.studio import Studio


def test_filters_find_who_is_meant(studio: Studio) -> None:
    ids = {
        "tagged": reachable(studio, "Tag Ged", tags=("vip",), language="ru"),
        "new": reachable(studio, "New Comer", joined_on=studio.day(-3)),
        "old": reachable(studio, "Old Timer", joined_on=studio.day(-100)),
    }
    ends, card = studio.plan(), studio.plan(2)
    studio.sell(ids["old"], ends, until=5)
    studio.sell(ids["new"], card)
    session_id = studio.session()
    studio.booking(ids["new"], session_id)
    expected: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"tagged", "new", "old"}),
        ({"tags": ("vip",)}, {"tagged"}),
        ({"without_tags": ("vip",), "joined_from": studio.day(-7)}, {"new"}),
        ({"languages": ("ru",)}, {"tagged"}),
        ({"plan_ids": (card,)}, {"new"}),
        ({"joined_to": studio.day(-50)}, {"old"}),
        ({"absent_days": 30}, {"old"}),
        ({"visited_days": 30}, set()),
        ({"expires_days": 7}, {"old"}),
        ({"credits_at_most": 1}, {"new"}),
        ({"class_session_id": session_id}, {"new"}),
        ({"frozen": True}, set()),
        ({"frozen": False}, {"tagged", "new", "old"}),
        ({"health_form_missing": True}, {"tagged", "new", "old"}),
        ({"unpaid": True}, set()),
        ({"status": ("prospect",)}, set()),
    ]
    for wanted, names in expected:
        asked = AudienceFilter(**wanted)
        with studio.act() as session:
            found = queries.members(session, studio.owner, Audience(asked), studio.now)
            counted = queries.count(session, studio.org_id, asked, studio.now)
        assert {one.id for one in found} == {ids[one] for one in names}, wanted
        assert counted == len(names), wanted


def test_who_has_not_paid_is_told_to_admins_alone(studio: Studio) -> None:
    asked = [
        Audience(AudienceFilter(unpaid=True)),
        Audience(segment_id=queries.system_id(studio.org_id, "unpaid")),
    ]
    with studio.act() as session:
        for audience in asked:
            queries.members(session, studio.admin, audience, studio.now)
            with pytest.raises(NotAllowed):
                queries.members(session, studio.coach, audience, studio.now)
        told = [
            queries.segments(session, studio.org_id, counts=False, unpaid=paid, now=studio.now)
            for paid in (True, False)
        ]
        assert len(told[0]) == len(told[1]) + 1


def test_a_saved_group_is_counted_and_written_to(studio: Studio) -> None:
    vip = reachable(studio, tags=("vip",))
    other = reachable(studio, "Noa Bar")
    with studio.act() as session:
        wanted = AudienceFilter(tags=("vip",))
        saved = service.save_segment(session, studio.owner, "Best", wanted, now=studio.now)
        found = queries.segments(session, studio.org_id, counts=True, unpaid=True, now=studio.now)
        assert {one.name or one.slug: one.members for one in found}["Best"] == 1
        assert {one.slug: one.members for one in found}["active"] == 2
        meant = queries.members(session, studio.owner, Audience(segment_id=saved), studio.now)
        both = Audience(segment_id=saved, member_ids=(other,))
        assert [one.id for one in meant] == [vip]
        assert queries.members(session, studio.owner, both, studio.now) == []
