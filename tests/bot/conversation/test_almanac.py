"""What the model finds Hebrew dates and holidays by."""

from datetime import date, timedelta

from app.schedule import holidays
from app.studio import queries as studio
from bot.conversation import gym as gyms
from bot.conversation.accept import open_conversation
from bot.conversation.almanac import almanac
from bot.conversation.models import Surface
from bot.model.prompt import gym_block
from tests.floor import Gym


def test_a_hebrew_date_is_counted_from_the_day_its_month_begins() -> None:
    _, months = almanac(date(2026, 11, 30))
    assert "1 Kislev = 2026-11-11" in months
    assert date(2026, 11, 11) + timedelta(days=24) == holidays.gregorian(5787, 9, 25)
    assert "1 Adar 1 = 2027-02-08; 1 Adar 2 = 2027-03-10; 1 Nisan = 2027-04-08" in months


def test_holidays_are_told_with_their_last_day() -> None:
    told, _ = almanac(date(2026, 11, 30))
    assert "Hanukkah 2026-12-05 to 2026-12-12; Purim 2027-03-23;" in told


def test_the_lines_are_the_same_all_month() -> None:
    assert almanac(date(2026, 11, 1)) == almanac(date(2026, 11, 30))
    assert almanac(date(2026, 11, 30)) != almanac(date(2026, 12, 1))


def test_a_gym_in_israel_is_told_and_one_elsewhere_is_not(gym: Gym) -> None:
    with gym.studio.act() as session:
        conversation = open_conversation(session, gym.owner, Surface.WEB)
        block = gym_block(gyms.facts(session, conversation, gym.owner))
        assert "1 Kislev = 2026-11-11" in block
        assert block == gym_block(gyms.facts(session, conversation, gym.owner))
        studio.org(session, gym.org_id).phone_region = "CY"
        conversation.facts = None
        assert "Kislev" not in gym_block(gyms.facts(session, conversation, gym.owner))
