"""Whatever people call themselves: cards keep their lines, numbers, marks and budget."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render.card import render
from bot.render.chat import LIST_LINES
from bot.render.reader import Look, Rendered
from bot.render.sms import BUDGET, cut_marked
from bot.render.speech import Speech
from bot.render.text.graphemes import utf16_units
from bot.render.text.segments import encoding
from bot.render.web import view
from i18n import Language
from i18n.marks import FSI, LRI, PDI, RLM, balanced, bare, neutral
from tests.bot.render import samples
from tools.kit.cards import AnyCard, Confirm, ConfirmBatch, Option, Pick
from tools.kit.values import Line, Moment, Name, Names, Value

NASTY = "\u202e\u202d\u2066\u2067\u2068\u2069\u200f\n\r\u2028*_~`0123456789.,·דنАa 😀👨‍👩‍👧🇮🇱\u0301"
TYPED = st.text(max_size=80) | st.text(alphabet=NASTY, max_size=60)
LANGUAGES = st.sampled_from(list(Language))
LOOKS = st.sampled_from(list(Look))


def _renamed(card: AnyCard, names: list[str]) -> AnyCard:
    """The same card, every name in it replaced."""
    supply = iter(names * 200)

    def new(value: object) -> object:
        match value:
            case {"t": "name", **rest}:
                return {"t": "name", **rest, "text": next(supply)}
            case {"t": "names", **rest}:
                return {"t": "names", **rest, "all": (names * 6)[:6]}
            case dict():
                return {key: new(one) for key, one in value.items()}
            case list():
                return [new(one) for one in value]
            case _:
                return value

    return type(card).model_validate(new(card.model_dump(mode="json")))


def _rendered(card: AnyCard, look: Look, language: Language) -> Rendered:
    return render(card, look, samples.reader(language), until=samples.UNTIL, link=samples.LINK)


def _named(name: str, language: Language) -> Confirm:
    card = samples.cancel_class(language)
    return card.model_copy(update={"values": {**card.values, "class": Name(text=name)}})


CARDS = st.sampled_from(list(samples.cards(Language.EN)))


@given(title=CARDS, names=st.lists(TYPED, min_size=1, max_size=4), language=LANGUAGES, look=LOOKS)
@settings(max_examples=150, deadline=None)
def test_marks_lines_and_budget_hold(
    title: str, names: list[str], language: Language, look: Look
) -> None:
    plain = _rendered(samples.cards(language)[title], look, language)
    got = _rendered(_renamed(samples.cards(language)[title], names), look, language)

    text = got.texts[0]
    assert balanced(text)
    assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2067\u200e\r\u2028")
    if language is Language.HE:
        assert all(line.startswith(RLM) for line in text.split("\n"))
    if look is Look.CHAT:
        assert text.count("\n") == plain.texts[0].count("\n")
    else:
        assert utf16_units(text) <= BUDGET


@given(title=CARDS, names=st.lists(TYPED, min_size=1, max_size=4), language=LANGUAGES, look=LOOKS)
@settings(max_examples=100, deadline=None)
def test_an_option_stands_on_its_own_line_under_its_number(
    title: str, names: list[str], language: Language, look: Look
) -> None:
    got = _rendered(_renamed(samples.cards(language)[title], names), look, language)
    lines = [line.removeprefix(RLM) for line in got.texts[0].split("\n")]
    listed = [line for line in lines if re.match(r"\d+ ", line)]
    in_a_sentence = look is not Look.CHAT and language is Language.EN and title[:7] == "confirm"

    if got.choices and not in_a_sentence and title != "confirm_batch of three":
        numbers = [str(choice.number) for choice in got.choices]
        assert [line.partition(" ")[0] for line in listed][-len(numbers) :] == numbers


@given(names=st.lists(TYPED, min_size=1, max_size=4), title=CARDS)
@settings(max_examples=80, deadline=None)
def test_no_typed_word_stands_bare_in_hebrew(names: list[str], title: str) -> None:
    """Each name that is shown whole stands in an isolate of its own."""
    got = _rendered(_renamed(samples.cards(Language.HE)[title], names), Look.CHAT, Language.HE)
    outside = re.sub(f"[{FSI}{LRI}][^{PDI}]*{PDI}", "", got.texts[0])
    words = _rendered(samples.cards(Language.HE)[title], Look.CHAT, Language.HE).texts[0]

    assert outside == re.sub(f"[{FSI}{LRI}][^{PDI}]*{PDI}", "", words)


@given(TYPED)
def test_a_name_opens_no_markup_in_a_chat(name: str) -> None:
    card = _named(name, Language.EN)
    target = _rendered(card, Look.CHAT, Language.EN).texts[0].split("\n")[1]

    assert target.count("*") == 2
    assert not set(target) & set("_~`")


@given(st.text(alphabet="abc -:,.()", min_size=1, max_size=30))
def test_an_english_sms_of_plain_names_is_gsm_7_without_marks(name: str) -> None:
    card = _named(name, Language.EN)
    text = _rendered(card, Look.SMS, Language.EN).texts[0]

    assert encoding(text) == "gsm7"
    assert bare(text) == text


@given(st.integers(1, 9), st.lists(TYPED, min_size=9, max_size=9), LANGUAGES)
@settings(deadline=None)
def test_a_long_pick_becomes_a_link_by_sms_and_stays_whole_in_a_chat(
    n: int, names: list[str], language: Language
) -> None:
    options = tuple(
        Option(id=str(i), label=Name(text=name), sublabel=Name(text=name[::-1]))
        for i, name in enumerate(names[:n])
    )
    card = Pick(ask=Line(key="pick.class_session"), options=options)
    by_sms = _rendered(card, Look.SMS, language)

    assert len(_rendered(card, Look.CHAT, language).choices) == n + 1
    assert utf16_units(by_sms.texts[0]) <= BUDGET
    assert bool(by_sms.choices) != (samples.LINK in by_sms.texts[0])


@given(st.lists(TYPED, min_size=1, max_size=6), LANGUAGES, st.integers(2, 6))
@settings(deadline=None)
def test_a_batch_by_sms_names_each_deed_or_sends_a_link(
    names: list[str], language: Language, n: int
) -> None:
    card = _renamed(samples.batch(language, n), names)
    got = _rendered(card, Look.SMS, language)

    assert utf16_units(got.texts[0]) <= BUDGET
    assert len(got.choices) == (0 if samples.LINK in got.texts[0] else n)
    assert n > 3 or got.choices
    if got.choices and language is not Language.EN:
        assert all("13:00" in choice.label for choice in got.choices)


@given(st.text(alphabet=f"אa{FSI}", max_size=30), st.integers(2, 20))
def test_cutting_closes_what_it_leaves_open(text: str, limit: int) -> None:
    whole = "".join(f"{FSI}{part}{PDI}" for part in text.split(FSI))
    cut = cut_marked(whole, limit)

    assert balanced(cut)
    assert utf16_units(cut) <= limit


@given(TYPED, LANGUAGES, st.sampled_from([*Look, None]))
def test_what_spotter_says_holds_with_any_name(
    name: str, language: Language, look: Look | None
) -> None:
    speech = Speech(samples.reader(language), look)
    for text in (
        speech.help(name),
        speech.linked(name),
        speech.no_undo(12, samples.NOW, name),
        speech.no_right("Cancel a class", name),
        speech.choose_gym([name, name]),
    ):
        assert balanced(text)
        assert (language is Language.HE and look is not None) == text.startswith(RLM)


@pytest.mark.parametrize("language", list(Language))
def test_more_shows_the_rest_of_a_list(language: Language) -> None:
    reader = samples.reader(language)
    first = render(samples.schedule(language, 13), Look.CHAT, reader)
    second = render(samples.schedule(language, 13), Look.CHAT, reader, start=first.rest or 0)

    assert first.rest == LIST_LINES
    assert second.rest is None
    rows = [bare(got.texts[0]).count("- ") for got in (first, second)]
    assert rows == [10, 3]


def test_no_card_of_the_dashboard_needs_a_second_look_at_names() -> None:
    """Names stay as they are written; only what could reorder the page is gone."""
    values: dict[str, Value] = {"class": Name(text="a*b_c\u202e"), "when": samples.WHEN}
    drawn = view(Confirm(of="new_tool.act", values=values), samples.reader(Language.EN))

    assert drawn["lines"][0].startswith("a*b_c · ")
    assert "until" not in drawn


def test_a_moment_without_an_end_is_a_time() -> None:
    when = Moment(date=samples.WHEN.date, start=samples.WHEN.start)
    card = Confirm(of="new_tool.act", values={"when": when, "who": Names(all=("A", "B"))})

    assert "Tue 1 Dec 13:00 · A and B" in _rendered(card, Look.CHAT, Language.EN).texts[0]


def test_a_batch_with_a_call_that_needs_a_sign_in_is_a_link() -> None:
    always = samples.cancel_class(Language.EN).model_copy(update={"always": True})
    card = ConfirmBatch(items=(samples.cancel_class(Language.EN), always))
    got = _rendered(card, Look.SMS, Language.EN)

    assert got.choices == ()
    assert got.texts[0] == f"Approve?\nTo answer, sign in: {samples.LINK}"


@given(TYPED)
def test_a_name_in_sms_is_cut_between_graphemes(name: str) -> None:
    text = _rendered(_named(name, Language.RU), Look.SMS, Language.RU).texts[0]
    shown = bare(text.partition("«")[2].partition("», вт")[0])

    assert utf16_units(shown) <= 20
    assert shown == neutral(name) or shown.endswith(("…", ".."))
