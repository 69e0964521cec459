"""The import from Arbox: what a preview promises, what comes in, and how it goes out again."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.arbox import queries
from app.arbox import service as arbox
from app.arbox.errors import (
    AlreadyConnected,
    AlreadyRolledBack,
    FormClosed,
    NotConnected,
    NothingRead,
    NothingToImport,
    WrongTarget,
)
from app.arbox.models import ArboxConnection, ArboxKey, ArboxRecord
from app.arbox.terms import Act, Entity, Kind, MappingKind, Policy
from app.core.erasing import Gone, erase_rows
from app.core.errors import NotFound
from app.leads.models import Lead
from app.leads.terms import LeadStage
from app.memberships.models import (
    CreditEntry,
    Membership,
    MembershipFreeze,
    MembershipPlan,
    PaymentEntry,
)
from app.memberships.terms import MembershipStatus, PaymentState, PaymentStatus
from app.people import service as people
from app.people.models import Member
from app.people.service import MemberChanges
from app.people.terms import MemberStatus
from app.schedule.models import ClassType
from bot.playground.arbox_api.server import DEMO_KEY
from tests.arbox import (
    connected,
    gym_of,
    imported,
    mapping,
    preview,
    read,
    record,
    rolled_back,
    rows,
)
from tests.studio import Studio

PEOPLE = 4


def acts(found: Any, entity: Entity) -> dict[Act, int]:  # noqa: ANN401 - a preview
    return {act: found.count(entity, act) for act in Act if found.count(entity, act)}


class TestConnecting:
    def test_the_key_is_sealed_and_only_its_end_is_ever_shown(self, studio: Studio) -> None:
        connected(studio)
        (key,) = rows(studio, ArboxKey)
        assert DEMO_KEY not in key.sealed
        assert key.last4 == DEMO_KEY[-4:]
        with studio.act() as session:
            assert arbox.key_of(session) == DEMO_KEY
            assert queries.status(session).last4 == DEMO_KEY[-4:]

    def test_a_link_opens_once_and_for_a_quarter_of_an_hour(self, studio: Studio) -> None:
        with studio.act() as session:
            word = arbox.begin(session, studio.owner, now=studio.now)
        assert arbox.org_of(word) == studio.org_id
        assert word not in str(vars(rows(studio, ArboxConnection)[0]))
        with studio.act() as session, pytest.raises(FormClosed):
            arbox.enter_key(session, word + "x", DEMO_KEY, now=studio.now)
        with studio.act() as session, pytest.raises(FormClosed):
            arbox.enter_key(session, word, DEMO_KEY, now=studio.now + arbox.FORM_LIFE)
        with studio.act() as session:
            arbox.enter_key(session, word, DEMO_KEY, now=studio.now)
        with studio.act() as session, pytest.raises(FormClosed):
            arbox.enter_key(session, word, DEMO_KEY, now=studio.now)
        with studio.act() as session, pytest.raises(AlreadyConnected):
            arbox.begin(session, studio.owner, now=studio.now)

    def test_disconnecting_deletes_the_key_and_keeps_what_was_imported(
        self, studio: Studio
    ) -> None:
        read(studio, gym_of(studio, PEOPLE))
        imported(studio)
        with studio.act() as session:
            arbox.disconnect(session, keep_mappings=True)
        assert rows(studio, ArboxKey) == []
        assert len(rows(studio, Member)) == PEOPLE
        assert mapping(studio, MappingKind.PLAN, 1).local_id is not None
        with studio.act() as session:
            with pytest.raises(NotConnected):
                arbox.key_of(session)
            with pytest.raises(NotConnected):
                arbox.disconnect(session, keep_mappings=True)

    def test_before_anything_was_read_there_is_nothing_to_preview(self, studio: Studio) -> None:
        with pytest.raises(NotConnected):
            preview(studio)
        connected(studio)
        with pytest.raises(NothingRead):
            preview(studio)


class TestPreview:
    def test_it_counts_what_would_happen_and_does_nothing(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        found = preview(studio)
        assert acts(found, Entity.CLASS_TYPES) == {Act.CREATE: 1, Act.SAME: 1}
        assert acts(found, Entity.PLANS) == {Act.CREATE: 2}
        assert acts(found, Entity.MEMBERS) == {Act.CREATE: PEOPLE}
        assert acts(found, Entity.MEMBERSHIPS) == {Act.CREATE: PEOPLE + 1}
        assert acts(found, Entity.PAYMENTS) == {Act.CREATE: PEOPLE}
        assert acts(found, Entity.LEADS) == {Act.CREATE: 3, Act.SKIP: 1}
        assert rows(studio, Member) == []

    def test_its_id_stands_until_something_changes(self, studio: Studio) -> None:
        gym = gym_of(studio, PEOPLE)
        read(studio, gym)
        since = studio.day(-30)
        found = preview(studio, frozenset({Entity.MEMBERS, Entity.LEADS}), since)
        with studio.act() as session:
            again = arbox.recalled(session, studio.org_id, found.id, now=studio.now)
        assert (again.id, again.entities) == (found.id, found.entities)
        studio.person("Dana Levi", phone=gym.of("users")[0]["phone"])
        with studio.act() as session, pytest.raises(NotFound):
            arbox.recalled(session, studio.org_id, found.id, now=studio.now)

    def test_another_reading_is_another_preview(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        first = preview(studio)
        read(studio, gym_of(studio, PEOPLE))
        assert preview(studio).id != first.id

    def test_a_phone_that_is_known_is_the_same_person_only_with_the_same_name(
        self, studio: Studio
    ) -> None:
        gym = gym_of(studio, PEOPLE)
        first, second = gym.of("users")[:2]
        same = studio.person(f"{first['first_name']} {first['last_name']}", phone=first["phone"])
        other = studio.person("Somebody Else", phone=second["phone"])
        read(studio, gym)
        found = {one.name: one for one in preview(studio).planned if one.kind is Kind.MEMBER}
        known = found[f"{first['first_name']} {first['last_name']}"]
        assert (known.act, known.local_id) == (Act.UPDATE, same)
        clash = found[f"{second['first_name']} {second['last_name']}"]
        assert (clash.act, clash.why, clash.local_id) == (
            Act.CONFLICT,
            "arbox_same_address",
            other,
        )

    def test_what_is_ignored_is_left_out_with_what_hangs_on_it(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        with studio.act() as session:
            arbox.ignore(session, mapping(studio, MappingKind.PLAN, 1).id)
        found = preview(studio)
        assert acts(found, Entity.PLANS) == {Act.CREATE: 1, Act.SKIP: 1}
        left = [one for one in found.planned if one.why == "arbox_ignored"]
        assert sum(one.kind is Kind.MEMBERSHIP for one in left) == PEOPLE - 1


class TestImport:
    def test_all_of_it_comes_in_as_it_stood_there(self, studio: Studio) -> None:
        gym = gym_of(studio, PEOPLE)
        read(studio, gym)
        _, done = imported(studio)
        assert len(done) == 1 + 2 + PEOPLE + PEOPLE + 1 + PEOPLE + 3
        member = record(studio, Kind.MEMBER, 5001)
        with studio.act() as session:
            row = session.get_one(Member, member.local_id)
            assert (row.first_name, row.phone) == ("Dana", "+972524000001")
            assert (row.birth_date, row.source) == (None, "arbox")
        plans = {row.name: row for row in rows(studio, MembershipPlan)}
        assert plans["10 sessions"].credits_per_period == 10
        bought = rows(studio, Membership)
        assert {row.payment_status for row in bought} == {PaymentStatus.EXTERNAL}
        assert sum(row.status is MembershipStatus.FROZEN for row in bought) == 1
        assert len(rows(studio, MembershipFreeze)) == 1
        left = sorted(one["sessions_left"] for one in gym.of("sessionsReport"))
        assert sorted(row.delta for row in rows(studio, CreditEntry)) == left
        paid = [row.status for row in rows(studio, PaymentEntry)]
        assert paid.count(PaymentState.FAILED) == 1
        assert paid.count(PaymentState.SUCCEEDED) == PEOPLE - 1
        assert {row.method_last4 for row in rows(studio, PaymentEntry)} == {"4242"}

    def test_imported_again_it_changes_nothing(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        imported(studio)
        read(studio, gym_of(studio, PEOPLE))
        with pytest.raises(NothingToImport):
            imported(studio)

    def test_a_status_of_theirs_is_a_stage_of_ours_where_it_is_mapped(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        status = mapping(studio, MappingKind.STATUS, "Trial booked")
        with studio.act() as session:
            with pytest.raises(WrongTarget):
                arbox.map_to(session, status.id, stage=LeadStage.WON)
            with pytest.raises(WrongTarget):
                arbox.map_to(session, status.id, local_id=studio.class_type_id)
            arbox.map_to(session, status.id, stage=LeadStage.CONTACTED)
        imported(studio)
        stages = [row.stage for row in rows(studio, Lead)]
        assert sorted(stages) == [LeadStage.CONTACTED, LeadStage.NEW, LeadStage.NEW]

    @pytest.mark.parametrize("policy", Policy)
    def test_conflicts_go_as_the_owner_says(self, studio: Studio, policy: Policy) -> None:
        gym = gym_of(studio, PEOPLE)
        theirs = gym.of("users")[1]
        ours = studio.person("Somebody Else", phone=theirs["phone"])
        read(studio, gym)
        imported(studio, policy)
        with studio.act() as session:
            name = session.get_one(Member, ours).first_name
        linked = record(studio, Kind.MEMBER, theirs["user_id"]).local_id
        assert linked == (None if policy is Policy.SKIP else ours)
        assert name == ("Dana" if policy is Policy.TAKE_THEIRS else "Somebody")

    def test_a_family_that_shares_a_phone_stays_several_people(self, studio: Studio) -> None:
        gym = gym_of(studio, PEOPLE)
        gym.of("users")[1]["phone"] = gym.of("users")[0]["phone"]
        read(studio, gym)
        imported(studio)
        assert len(rows(studio, Member)) == PEOPLE


class TestAfterwards:
    def test_what_only_they_changed_is_taken_and_what_both_changed_waits(
        self, studio: Studio
    ) -> None:
        gym = gym_of(studio, PEOPLE)
        read(studio, gym)
        imported(studio)
        self.change(studio, 5002, first_name="Josef")
        gym.of("users")[1]["last_name"] = "Married"
        gym.of("users")[2]["first_name"] = "Yosef"
        read(studio, gym)
        with studio.act() as session:
            done = arbox.follow(session, studio.owner, Entity.MEMBERS, now=studio.now)
        assert (done.made, done.changed) == (0, 1)
        assert self.name(studio, 5001) == "Dana Married"
        assert self.name(studio, 5002).startswith("Josef")
        (conflict,) = preview(studio).of(Act.CONFLICT)
        assert (conflict.why, conflict.fields) == ("arbox_both_changed", ("first_name",))

    def test_a_lead_that_left_their_list_is_closed_here_as_it_was_there(
        self, studio: Studio
    ) -> None:
        gym = gym_of(studio, PEOPLE)
        read(studio, gym)
        imported(studio)
        lost, joined = gym.lists["leads"][:2]
        del gym.lists["leads"][:2]
        gym.add("leads/lost", {"lead_id": lost["user_id"], "lost_reason_name": "price"})
        gym.add("leads/converted", {"user_id": joined["user_id"]})
        read(studio, gym)
        with studio.act() as session:
            arbox.follow(session, studio.owner, Entity.LEADS, now=studio.now)
        stages = {row.phone: row.stage for row in rows(studio, Lead)}
        assert stages[lost["phone"]] is LeadStage.LOST
        assert stages[joined["phone"]] is LeadStage.WON

    def test_whoever_was_erased_here_never_comes_back(self, studio: Studio) -> None:
        gym = gym_of(studio, PEOPLE)
        read(studio, gym)
        imported(studio)
        erased = record(studio, Kind.MEMBER, 5003).local_id
        assert erased is not None
        with studio.act() as session:
            erase_rows(session, studio.org_id, Gone(erased, addresses=("+972524000003",)))
        read(studio, gym)
        left = record(studio, Kind.MEMBER, 5003)
        assert (left.ignored, left.name, left.facts) == (True, "", {})
        assert acts(preview(studio), Entity.MEMBERS) == {Act.SAME: PEOPLE - 1, Act.SKIP: 1}

    @staticmethod
    def change(studio: Studio, user: int, **changes: Any) -> None:  # noqa: ANN401 - as MemberChanges
        member_id = record(studio, Kind.MEMBER, user).local_id
        assert member_id is not None
        with studio.act() as session:
            people.update_member(
                session, studio.owner, member_id, MemberChanges(**changes), today=studio.day(0)
            )

    @staticmethod
    def name(studio: Studio, user: int) -> str:
        with studio.act() as session:
            return session.get_one(Member, record(studio, Kind.MEMBER, user).local_id).name


class TestRollback:
    def test_what_a_batch_made_goes(self, studio: Studio) -> None:
        types = len(rows(studio, ClassType))
        read(studio, gym_of(studio, PEOPLE))
        batch_id, done = imported(studio)
        assert rolled_back(studio, batch_id) == (len(done), [])
        assert {row.status for row in rows(studio, Member)} <= {MemberStatus.ARCHIVED}
        assert {row.status for row in rows(studio, Membership)} == {MembershipStatus.CANCELLED}
        assert sum(row.delta for row in rows(studio, CreditEntry)) == 0
        assert {row.status for row in rows(studio, PaymentEntry)} == {PaymentState.VOID}
        assert rows(studio, Lead) == []
        assert len(rows(studio, ClassType)) == types
        assert not any(row.active for row in rows(studio, MembershipPlan))
        with pytest.raises(AlreadyRolledBack):
            rolled_back(studio, batch_id)

    def test_what_was_touched_since_stays(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        batch_id, done = imported(studio, entities=frozenset({Entity.MEMBERS, Entity.LEADS}))
        TestAfterwards.change(studio, 5001, first_name="Dina")
        gone, stayed = rolled_back(studio, batch_id)
        assert (gone, stayed) == (len(done) - 1, ["arbox_touched_since"])
        assert [row.first_name for row in rows(studio, Member)] == ["Dina"]

    def test_what_it_changed_is_as_before(self, studio: Studio) -> None:
        gym = gym_of(studio, PEOPLE)
        theirs = gym.of("users")[1]
        ours = studio.person("Somebody Else", phone=theirs["phone"])
        read(studio, gym)
        batch_id, _ = imported(studio, Policy.TAKE_THEIRS, frozenset({Entity.MEMBERS}))
        rolled_back(studio, batch_id)
        with studio.act() as session:
            row = session.get_one(Member, ours)
            assert (row.first_name, row.status) == ("Somebody", MemberStatus.ACTIVE)

    def test_it_can_be_imported_once_more(self, studio: Studio) -> None:
        read(studio, gym_of(studio, PEOPLE))
        batch_id, done = imported(studio, entities=frozenset({Entity.MEMBERS}))
        rolled_back(studio, batch_id)
        assert len(imported(studio, entities=frozenset({Entity.MEMBERS}))[1]) == len(done)


def test_what_is_kept_of_a_record_is_what_an_import_needs(studio: Studio) -> None:
    read(studio, gym_of(studio, PEOPLE))
    with studio.act() as session:
        kept = session.scalars(select(ArboxRecord).where(ArboxRecord.kind == Kind.FREEZE)).one()
    assert set(kept.facts) == {"membership", "since", "until"}
    assert kept.seen_at - studio.now < timedelta(seconds=1)
