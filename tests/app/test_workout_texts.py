"""Workout texts in three languages become the structure that they state; nothing is lost."""

import csv
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import StudioError
from app.workouts.library.shelf import Known, library
from app.workouts.structure import Reading
from app.workouts.terms import WeightUnit
from app.workouts.text.lexicon import TIGHT, folded, phrases_of, raw_of
from app.workouts.text.reading import LONGEST, read

PAYLOADS = Path(__file__).parents[1] / "payloads" / "workouts"
GIVEN = json.loads((PAYLOADS / "texts.json").read_text(encoding="utf8"))["items"]
OWN = json.loads((PAYLOADS / "more_texts.json").read_text(encoding="utf8"))["items"]
SAID: dict[str, list[str]] = {
    "wod_03": ["rounds_without_clock"],
    "wod_05": ["percent_of_1rm"],
    "wod_15": ["miles"],
    "wod_16": ["build_without_target"],
    "wod_24": ["load_missing"],
    "wod_35": ["alias_ambiguous"],
    "wod_36": ["load_missing"],
}
"""What is said of the given texts beside their structure, in the order of their lists."""


def written(text: str, unit: WeightUnit = WeightUnit.KG) -> dict[str, Any]:
    return read(text, unit).model_dump(mode="json")


def codes(reading: dict[str, Any]) -> list[str]:
    return [one["code"] for one in (*reading["assumptions"], *reading["ambiguities"])]


@pytest.mark.parametrize("item", GIVEN, ids=lambda one: one["id"])
def test_a_text_of_the_collection_is_read_as_it_states(item: dict[str, Any]) -> None:
    got, expected = written(item["text"]), item["expected"]

    for part in ("title", "sections", "tags"):
        assert got[part] == expected[part]
    assert codes(got) == SAID.get(item["id"], [])
    for part in ("assumptions", "ambiguities"):
        assert len(got[part]) == len(expected[part])
    assert "unread" not in got


@pytest.mark.parametrize("item", OWN, ids=lambda one: one["id"])
def test_a_text_that_nobody_had_in_mind_is_read_as_well(item: dict[str, Any]) -> None:
    got = written(item["text"])
    got |= {part: [one["code"] for one in got[part]] for part in ("assumptions", "ambiguities")}

    assert got.pop("benchmark", None) in {None, "nancy", "murph"}
    assert got == item["expected"]


def test_there_are_enough_texts_of_our_own_in_each_language() -> None:
    hebrew = [one for one in OWN if any("א" <= letter <= "ת" for letter in one["text"])]
    russian = [one for one in OWN if any("а" <= letter <= "я" for letter in one["text"])]

    assert len(OWN) >= 55
    assert len(hebrew) >= 12
    assert len(russian) >= 12


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("AMRAP 10\n10 burpees\n12 flurbs", [(3, "12 flurbs")]),
        ("3 rounds for time\nwobble the wibble\n10 burpees", [(2, "wobble the wibble")]),
        ("על זמן:\n20 בלורפים\n10 ברפי", [(2, "20 בלורפים")]),
    ],
)
def test_what_cant_be_read_is_reported_with_its_line(
    text: str, unread: list[tuple[int, str]]
) -> None:
    found = read(text, WeightUnit.KG)

    assert [(one.line, one.text) for one in found.unread] == unread
    assert any(one.exercise == "burpee" for one in found.sections[0].movements)


def test_an_unknown_movement_keeps_its_place_and_its_amount() -> None:
    movements = read("AMRAP 10\n10 burpees\n12 flurbs", WeightUnit.KG).sections[0].movements

    assert [(one.exercise, one.name, one.reps) for one in movements] == [
        ("burpee", None, 10),
        (None, "flurbs", 12),
    ]


def test_the_gyms_own_exercise_is_known_by_its_aliases() -> None:
    flurb = Known("flurb", {"en": "Flurb"}, aliases=("FLB", "פלורב"), custom=True)
    found = read("AMRAP 10\n12 FLB\n5 פלורב", WeightUnit.KG, [flurb])

    assert [one.exercise for one in found.sections[0].movements] == ["flurb", "flurb"]
    assert found.unread == ()


def test_bare_weights_are_in_the_gyms_unit_and_that_is_said() -> None:
    pounds = read("21-15-9 for time\nthrusters 95/65\npull ups", WeightUnit.LB)

    load = pounds.sections[0].movements[0].load
    assert load is not None
    assert (load.unit, load.rx_m, pounds.unit) == (WeightUnit.LB, 95, WeightUnit.LB)
    assert read("thrusters 43/30 kg, 21-15-9 for time", WeightUnit.LB).unit is None


@pytest.mark.parametrize("text", ["", "  \n\n", "🙂🙂", "..."])
def test_a_text_without_a_word_is_refused(text: str) -> None:
    with pytest.raises(StudioError) as refused:
        read(text, WeightUnit.KG)
    assert refused.value.code == "nothing_to_read"


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(StudioError) as refused:
        read("10 burpees\n" * LONGEST, WeightUnit.KG)
    assert refused.value.code == "text_too_long"


def test_figures_that_cant_be_are_left_out_and_named() -> None:
    found = read("AMRAP 999999\n0 burpees\n10 sit ups", WeightUnit.KG)

    assert [one.reps for one in found.sections[0].movements] == [None, 10]
    assert {one.code for one in found.ambiguities} == {"out_of_range"}


WORDS = [form.removeprefix(TIGHT) for form, _ in phrases_of("words.csv")]
NAMES = [name for one in library().values() for name in one.names.values()]
FIGURES = (
    "21-15-9",
    "12/10",
    "2:30",
    "1:1",
    "22.5",
    "42,5",
    "30X1",
    "1+",
    "5/3/1",
    "8/8",
    "2-4-6...",
)
SIGNS = (
    " ",
    " ",
    " ",
    "\n",
    ", ",
    " - ",
    "-",
    ": ",
    "/",
    " / ",
    " + ",
    "+",
    ". ",
    " (",
    ") ",
    "@ ",
)
pieces = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(NAMES),
    st.sampled_from(FIGURES),
    st.integers(0, 10**8).map(str),
    st.sampled_from(("A. ", "B1) ", "1. ", "x", "%", '"', "'", "#")),
)
near_texts = st.lists(st.tuples(pieces, st.sampled_from(SIGNS)), max_size=20).map(
    lambda parts: "".join(piece + sign for piece, sign in parts)
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(near_texts, near_texts, st.text(max_size=200)))
def test_any_text_is_read_or_refused_plainly(text: str) -> None:
    try:
        found = read(text, WeightUnit.KG)
    except StudioError:
        return
    assert Reading.model_validate(found.model_dump(mode="json")) == found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(sorted(library())), min_size=1, max_size=6), st.integers(1, 60))
def test_every_exercise_is_read_by_each_of_its_names(slugs: list[str], minutes: int) -> None:
    known = [library()[slug] for slug in slugs if slug not in {"rest", "complex"}]
    for language in ("en", "he", "ru"):
        lines = [f"{at + 2} {one.name(language)}" for at, one in enumerate(known)]
        found = read("\n".join((f"AMRAP {minutes} min", *lines)), WeightUnit.KG)

        movements = found.sections[0].movements
        assert [one.exercise for one in movements] == [one.slug for one in known]
        assert [one.reps for one in movements] == [at + 2 for at in range(len(known))]


def forms() -> Iterator[tuple[str, str, str]]:
    """Every phrase of the words and the library: its file, what it means, how it is written."""
    for form, sense in phrases_of("words.csv"):
        if not form.startswith(TIGHT):
            yield "words", f"{sense.terminal} {sense.value}", form
    with files("app.workouts.library").joinpath("exercises.csv").open(encoding="utf8") as lines:
        for row in csv.DictReader(lines):
            if row["slug"] not in {"rest", "complex"}:
                cells = (row[f"name_{one}"] for one in ("en", "he", "ru"))
                aliases = ";".join((row["en"], row["he"], row["ru"])).split(";")
                yield from (("library", row["slug"], form) for form in (*cells, *aliases) if form)


def test_no_phrase_means_two_things() -> None:
    meant: dict[tuple[str, ...], set[str]] = {}
    for _, meaning, form in forms():
        key = tuple(folded(piece.text) for piece in raw_of(form))
        meant.setdefault(key, set()).add(meaning)

    assert {key: found for key, found in meant.items() if len(found) > 1} == {}
