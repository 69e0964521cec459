"""Scores as coaches write them, and which is the better one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.workouts.errors import BadScore
from app.workouts.scores import Score, read_score
from app.workouts.terms import ScoreType, WeightUnit

KG, LB = WeightUnit.KG, WeightUnit.LB
TIME, REPS, LOAD = ScoreType.TIME, ScoreType.REPS, ScoreType.LOAD
ROUNDS = ScoreType.ROUNDS_REPS


@pytest.mark.parametrize(
    ("text", "kind", "score"),
    [
        ("4:32", TIME, Score(TIME, 272_000)),
        ("1:02:03", TIME, Score(TIME, 3_723_000)),
        ("12:05.4", TIME, Score(TIME, 725_400)),
        ("4 min 32 sec", TIME, Score(TIME, 272_000)),
        ("4 דק׳ 32 שנ׳", TIME, Score(TIME, 272_000)),
        ("cap+12", TIME, Score(TIME, -12, capped=True)),
        ("150 reps", TIME, Score(TIME, 150, capped=True)),
        ("7+12", ROUNDS, Score(ROUNDS, 12, rounds=7)),
        ("7 rounds 12 reps", ROUNDS, Score(ROUNDS, 12, rounds=7)),
        ("7 раундов + 12", ROUNDS, Score(ROUNDS, 12, rounds=7)),
        ("8", ROUNDS, Score(ROUNDS, 0, rounds=8)),
        ("100", LOAD, Score(LOAD, 100_000, unit=KG)),
        ("225 lb", LOAD, Score(LOAD, 102_058, unit=LB)),
        ("100 кг", LOAD, Score(LOAD, 100_000, unit=KG)),
        ("100kg x 3", LOAD, Score(LOAD, 100_000, unit=KG, reps=3)),
        ("154 חזרות", REPS, Score(REPS, 154)),
        ("5 km", ScoreType.DISTANCE, Score(ScoreType.DISTANCE, 5_000)),
        ("120 cal", ScoreType.CALORIES, Score(ScoreType.CALORIES, 120)),
        ("4:32", ScoreType.NONE, Score(TIME, 272_000)),
        ("7+3", ScoreType.NONE, Score(ROUNDS, 3, rounds=7)),
        ("102.5 kg", ScoreType.NONE, Score(LOAD, 102_500, unit=KG)),
    ],
)
def test_a_score_is_read_as_it_was_told(text: str, kind: ScoreType, score: Score) -> None:
    assert read_score(text, kind, KG) == score


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hello", TIME),
        ("5", TIME),
        ("99:99:99", TIME),
        ("4:32", REPS),
        ("43/30", LOAD),
        ("99999 kg", LOAD),
        ("1-2-3", ROUNDS),
        ("7", ScoreType.NONE),
        ("", TIME),
    ],
)
def test_what_is_no_score_of_that_kind_is_refused(text: str, kind: ScoreType) -> None:
    with pytest.raises(BadScore) as refused:
        read_score(text, kind, KG)
    assert refused.value.values == {"score": text, "wanted": kind.value}


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_a_clock_is_read_to_the_second(hours: int, minutes: int, seconds: int) -> None:
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    assert read_score(text, TIME, KG).value == ((hours * 60 + minutes) * 60 + seconds) * 1_000


@given(st.text(max_size=40), st.sampled_from(ScoreType))
def test_any_text_is_a_score_or_refused(text: str, kind: ScoreType) -> None:
    try:
        found = read_score(text, kind, KG)
    except BadScore:
        return
    assert kind in {found.type, ScoreType.NONE}


@pytest.mark.parametrize(
    ("better", "worse", "kind"),
    [
        ("3:58", "4:32", TIME),
        ("4:32", "cap+2", TIME),
        ("cap+2", "cap+12", TIME),
        ("8", "7+29", ROUNDS),
        ("7+13", "7+12", ROUNDS),
        ("102.5", "225 lb", LOAD),
    ],
)
def test_the_better_score_beats_the_other(better: str, worse: str, kind: ScoreType) -> None:
    first, second = read_score(better, kind, KG), read_score(worse, kind, KG)

    assert first.beats(second)
    assert not second.beats(first)
    assert not first.beats(first)
