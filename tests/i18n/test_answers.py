"""Every word of the bare-answer table, what it decides on each card, and that no text breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from i18n import answers
from i18n.answers import (
    All,
    Approve,
    CancelWord,
    Choose,
    Decline,
    Help,
    Kind,
    Language,
    Message,
    More,
    NeverApproval,
    New,
    No,
    NoneOfThem,
    Numbers,
    OptIn,
    OptOut,
    Reading,
    Stop,
    Unclear,
    Undo,
    Yes,
    carrier_keyword,
    commands,
    fold,
    interpret,
    may_be_asked_by_sms,
    read_answer,
    same_words,
)
from tests.each import each

YES = """
yes, y, yep, yup, yeah, yes please, approve, approved, confirm, confirmed, go ahead,
yess, yse, טקד, нуы, כן, כן כן, כן בבקשה, לאשר, מאשר, מאשרת, תאשר, תאשרי, אשר, אישור,
מאושר, כנ, כןן, ken, кен, fi, да, да да, дада, даа, да пожалуйста, подтверждаю,
подтвердить, подтверди, подтверждено, одобряю, da, lf
"""
NO = """
no, n, nope, nah, no thanks, decline, don't, dont, leave it, keep it, לא, לאא, לא לא, לא
תודה, ממש לא, לא לאשר, לא מאשר, לא מאשרת, עזוב, עזבי, להשאיר, lo, ло, kt, нет, не, неа,
не надо, не нужно, нет спасибо, отклонить, отклоняю, оставить, оставь, net, ytn
"""
ALL = """
all, everything, all of them, הכול, הכל, את הכול, את הכל, כולם, כולן, לאשר הכול, все,
всё, всех, все сразу, подтвердить все
"""
BOTH = "both, שניהם, שתיהן, оба, обе"
NONE = """
none, none of them, nothing, neither, zero, אף אחד, אף אחת, אף אחד מהם, כלום, שום דבר,
לא ברשימה, אפס, никого, никто, ничего, ни одного, ни одной, ни один, нет в списке, ноль
"""
UNDO = """
undo, undo it, undo that, udno, להחזיר, תחזיר, תחזירי, להחזיר למצב הקודם, תחזיר אחורה,
אנדו, вернуть, верни, верните, вернуть как было, верни как было, откат, откати, анду
"""
STOP = "stop, סטופ, עצור, עצרי, תעצור, תעצרי, стоп, стой, остановись"
OPT_OUT = """
stop, stopall, unsubscribe, end, quit, revoke, optout, הסר, הסרה, להסיר, הסירו אותי,
תסירו אותי, стоп, отписаться, отпишите, отпишите меня
"""
OPT_IN = "start, unstop, להצטרף, старт, подписаться"
NEW = """
new, new chat, start over, חדש, שיחה חדשה, מההתחלה, новый, новый чат, новый разговор,
заново
"""
MORE = "more, next, עוד, המשך, ещё, дальше, далее"
HELP = "help, ?, עזרה, помощь, хелп"
CANCEL = "cancel, בטל, לבטל, ביטול, תבטל, отмена, отменить, отмени"
NEVER = """
ok, okay, k, sure, cool, great, fine, thanks, got it, maybe, אוקיי, אוקי, בסדר, סבבה,
אחלה, יאללה, טוב, בטח, ברור, מעולה, סגור, הבנתי, תודה, אולי, כנראה, ок, окей, ага, угу,
хорошо, ладно, давай, го, норм, понял, поняла, принято, супер, класс, конечно, спасибо,
ну да, да нет, наверное, +, 👍, 👌, 🙏, ✅, ❤️, 👍🏽, 👍👍
"""
MESSAGES = """
no problem, אין בעיה, не против, yes?, yes but, כן אבל, да но, stop please, wait, די,
רגע, хватит, подожди, דחה, לדחות, 1 please, 1 and 3, 1-3, option 1, 123456, 054 123
4567, 1+, ++, 007, undo 0, undo the last 3, the help, ok?
"""


def _each(words: str, reading: Reading) -> list[tuple[str, Reading]]:
    return [(word.strip(), reading) for word in words.split(",")]


TABLE = [
    *_each(YES, Yes()),
    *_each(NO, No()),
    *_each(ALL, All()),
    *_each(BOTH, All(of=2)),
    *_each(NONE, NoneOfThem()),
    *_each(UNDO, Undo()),
    *_each(STOP, Stop()),
    *_each(OPT_OUT, OptOut()),
    *_each(OPT_IN, OptIn()),
    *_each(NEW, New()),
    *_each("lang, language, שפה, язык", Language()),
    *_each("english, אנגלית, английский", Language("en")),
    *_each("hebrew, עברית, иврит", Language("he")),
    *_each("russian, רוסית, русский, по-русски", Language("ru")),
    *_each(MORE, More()),
    *_each(HELP, Help()),
    *_each(CANCEL, CancelWord()),
    *_each(NEVER, NeverApproval()),
]
BOTH_STOP_AND_OPT_OUT = {"stop", "стоп"}
KINDS: list[Kind] = [
    "confirm",
    "consent",
    "confirm_batch",
    "pick",
    "choose_gym",
    "typed",
    "secure_form",
]


@each(TABLE)
def test_a_word_of_the_table_is_read_in_one_way(word: str, reading: Reading) -> None:
    both: set[Reading] = {Stop(), OptOut()}
    expected = both if word in BOTH_STOP_AND_OPT_OUT else {reading}

    assert read_answer(word) == expected


@each(TABLE)
def test_case_marks_and_stray_punctuation_change_nothing(word: str, reading: Reading) -> None:
    for typed in (
        word.upper(),
        f"\u200f {word}. ",
        f"\u2068{word}\u2069!",
        f"«{word}»",
        f"{word}),",
    ):
        assert reading in read_answer(typed), typed


@each(word.strip() for word in MESSAGES.split(","))
def test_a_text_that_only_begins_with_an_answer_is_a_message(word: str) -> None:
    assert read_answer(word) == frozenset()


@each(TABLE)
def test_any_further_word_makes_it_a_message(word: str, reading: Reading) -> None:
    assert reading not in read_answer(f"{word} dana")
    assert reading not in read_answer(f"{word}?") or word == "?"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1", (1,)),
        ("2.", (2,)),
        ("1)", (1,)),
        ("1\ufe0f\u20e3", (1,)),
        ("\uff11", (1,)),
        ("\u0661", (1,)),
        ("\u200f1\u200f", (1,)),
        ("1,3", (1, 3)),
        ("1, 3", (1, 3)),
        ("1 , 3,", (1, 3)),
        ("1 3", (1, 3)),
        ("1+3", (1, 3)),
        ("3,1,1", (1, 3)),
        ("\uff11\uff0c\uff13", (1, 3)),
        ("\u20661,3\u2069", (1, 3)),
        ("1\ufe0f\u20e3 3\ufe0f\u20e3", (1, 3)),
        ("0", (0,)),
        ("13", (13,)),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, values: tuple[int, ...]) -> None:
    assert read_answer(text) == {Numbers(values)}


@pytest.mark.parametrize("text", ["undo 3", "UNDO 3.", "להחזיר 3", "״להחזיר 3״", "«вернуть 3»"])
def test_undo_takes_a_number(text: str) -> None:
    assert read_answer(text) == {Undo(3)}


def test_niqqud_yo_commas_and_apostrophes_fold_away() -> None:
    assert read_answer("כֵּן") == {Yes()}
    assert read_answer("Всё!") == read_answer("все") == {All()}
    assert read_answer("да, пожалуйста") == read_answer("yes,please") == {Yes()}
    assert read_answer("don’t") == {No()}


def test_a_full_label_counts_as_its_number() -> None:
    labels = {1: "Dana Levi", 2: "Dana Cohen", 0: "Not on this list"}

    assert read_answer("dana cohen", labels) == {Numbers((2,))}
    assert read_answer("2 Dana Cohen", labels) == {Numbers((2,))}
    assert read_answer("not on this list.", labels) == {Numbers((0,))}
    assert read_answer("dana", labels) == frozenset()


def test_a_label_that_two_options_share_tells_nothing() -> None:
    assert read_answer("Dana Levi", {1: "Dana Levi", 2: "dana levi"}) == frozenset()


def test_a_cancel_word_is_unclear_on_a_card_that_cancels_even_as_its_label() -> None:
    readings = read_answer("Отменить", {1: "Отменить", 2: "Оставить"})

    assert interpret(readings, "confirm", 2, cancels=True) == Unclear()
    assert interpret(readings, "confirm", 2, cancels=False) == Decline()


@pytest.mark.parametrize(
    ("text", "kind", "options", "decision"),
    [
        ("1", "confirm", 2, Approve()),
        ("2", "confirm", 2, Decline()),
        ("0", "confirm", 2, Unclear()),
        ("3", "confirm", 2, Unclear()),
        ("1,2", "confirm", 2, Unclear()),
        ("כן", "confirm", 2, Approve()),
        ("нет", "confirm", 2, Decline()),
        ("none", "confirm", 2, Decline()),
        ("all", "confirm", 2, Unclear()),
        ("both", "confirm", 2, Unclear()),
        ("ok", "confirm", 2, Unclear()),
        ("👍", "confirm", 2, Unclear()),
        ("yes", "consent", 2, Approve()),
        ("1,3", "confirm_batch", 3, Choose((1, 3))),
        ("2", "confirm_batch", 3, Choose((2,))),
        ("1,4", "confirm_batch", 3, Unclear()),
        ("0,1", "confirm_batch", 3, Unclear()),
        ("0", "confirm_batch", 3, Decline()),
        ("все", "confirm_batch", 3, Approve()),
        ("both", "confirm_batch", 2, Approve()),
        ("both", "confirm_batch", 3, Unclear()),
        ("all", "confirm_batch", 1, Unclear()),
        ("yes", "confirm_batch", 2, Unclear()),
        ("yes", "confirm_batch", 1, Approve()),
        ("no", "confirm_batch", 3, Decline()),
        ("כלום", "confirm_batch", 3, Decline()),
        ("2", "pick", 3, Choose((2,))),
        ("4", "pick", 3, Unclear()),
        ("1,2", "pick", 3, Unclear()),
        ("0", "pick", 3, Decline()),
        ("no", "pick", 3, Decline()),
        ("никто", "pick", 3, Decline()),
        ("yes", "pick", 3, Unclear()),
        ("all", "pick", 3, Unclear()),
        ("cancel", "pick", 3, Decline()),
        ("1", "choose_gym", 2, Choose((1,))),
        ("yes", "typed", 0, Unclear()),
        ("1", "typed", 0, Unclear()),
        ("no", "typed", 0, Decline()),
        ("yes", "secure_form", 0, Unclear()),
        ("cancel", "secure_form", 0, Decline()),
        ("undo", "confirm", 2, Message()),
        ("stop", "confirm", 2, Message()),
        ("move it to six", "confirm", 2, Message()),
    ],
)
def test_what_an_answer_decides(
    text: str, kind: Kind, options: int, decision: answers.Decision
) -> None:
    assert interpret(read_answer(text), kind, options) == decision


@each((kind, word.strip()) for kind in KINDS for word in NEVER.split(","))
def test_an_acknowledgement_never_approves(kind: Kind, word: str) -> None:
    assert interpret(read_answer(word), kind, 2) == Unclear()
    assert interpret(read_answer(word, {1: word}), kind, 2) == Unclear()


def test_commands_are_told_from_answers() -> None:
    assert commands(read_answer("stop")) == {Stop(), OptOut()}
    assert commands(read_answer("yes")) == frozenset()


def test_typed_words_must_be_whole() -> None:
    assert same_words(" Erase dana levi. ", "erase Dana Levi")
    assert not same_words("erase dana", "erase Dana Levi")
    assert not same_words("", "")


@pytest.mark.parametrize("word", ["CANCEL", "end", "Revoke", "STOP "])
def test_the_carrier_opts_out_on_one_word(word: str) -> None:
    assert carrier_keyword(word) == OptOut()
    assert carrier_keyword(f"{word} please") is None


def test_the_carrier_opts_in_and_helps() -> None:
    assert carrier_keyword("yes") == OptIn()
    assert carrier_keyword("info") == Help()
    assert carrier_keyword("1") is None


def test_words_that_carriers_act_on_are_never_asked_for_by_sms() -> None:
    assert not any(
        map(may_be_asked_by_sms, ("Yes", "no", "CANCEL", "info", "הסר", "стоп", "старт"))
    )
    assert all(map(may_be_asked_by_sms, ("1", "ALL", "הכול", "все")))


TEXTS = st.text() | st.text(alphabet="0123456789, +.!)\u200f\u20e3\ufe0f\uff11yesכןда?")


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(text=TEXTS, kind=st.sampled_from(KINDS), options=st.integers(0, 20), cancels=st.booleans())
def test_no_text_breaks_reading_or_deciding(
    text: str, kind: Kind, options: int, *, cancels: bool
) -> None:
    decision = interpret(read_answer(text), kind, options, cancels=cancels)

    if isinstance(decision, Choose):
        assert all(1 <= number <= options for number in decision.numbers)


@given(st.text(min_size=1), st.sampled_from(KINDS), st.integers(1, 9))
def test_only_the_words_of_the_table_or_numbers_approve(
    text: str, kind: Kind, options: int
) -> None:
    decision = interpret(read_answer(text), kind, options)

    if decision == Approve():
        assert read_answer(text) & {Yes(), All(), All(of=2), Numbers((1,))}
