"""What people typed has no power over the text around it, and never flips it."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from i18n import Language, isolate, opened, ranges_kept
from i18n.marks import FSI, PDI, RLM, balanced, bare, hidden, isolate_ltr, neutral, shown

OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
TYPED = st.text() | st.text(alphabet=f"{OVERRIDES}אבД7 -*_\n\r\t\u2028\u0085\x00")


@given(TYPED)
def test_a_name_is_one_line_without_directions_or_controls(text: str) -> None:
    name = neutral(text)

    assert name.strip()
    assert len(name.splitlines()) == 1
    assert not set(name) & set(OVERRIDES)
    assert not any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in name)


@given(TYPED)
def test_an_isolated_name_leaves_no_isolate_open(text: str) -> None:
    for language in Language:
        assert balanced(isolate(neutral(text), language))
    assert isolate(neutral(text), Language.HE) == f"{FSI}{neutral(text)}{PDI}"


def test_english_and_russian_isolate_only_what_runs_the_other_way() -> None:
    assert isolate("Dana", Language.EN) == "Dana"
    assert isolate("Дана", Language.RU) == "Дана"
    assert isolate("דנה לוי", Language.EN) == f"{FSI}דנה לוי{PDI}"
    assert isolate_ltr("13:00", Language.RU) == "13:00"
    assert shown(isolate_ltr("13:00", Language.HE)) == "⟨LRI⟩13:00⟨PDI⟩"


def test_a_range_in_hebrew_prose_is_one_run_from_left_to_right() -> None:
    assert ranges_kept("מחר 7:00–8:00, כיתה א–ב", Language.HE) == (
        "מחר 7:00\u200e–\u200e8:00, כיתה א–ב"
    )
    assert ranges_kept("завтра 7:00–8:00", Language.RU) == "завтра 7:00–8:00"


def test_each_hebrew_line_says_its_direction_once() -> None:
    assert opened("1 דנה\n2 Tom", Language.HE) == f"{RLM}1 דנה\n{RLM}2 Tom"
    assert opened(opened("1 דנה", Language.HE), Language.HE) == f"{RLM}1 דנה"
    assert opened("1 Dana", Language.EN) == "1 Dana"


@given(st.text())
def test_visible_marks_become_real_ones_and_back(text: str) -> None:
    assert hidden(shown(hidden(text))) == hidden(text)
    assert shown(bare(hidden(f"⟨RLM⟩{text}"))) == bare(hidden(text))
