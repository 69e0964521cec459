"""The catalogues against the rules of the voice: complete, alike, without the known mistakes."""

import re

import pytest

from bot.render.text.segments import encoding
from i18n import Language, MissingWordsError, phrase
from i18n.catalogues import FORMS, entries
from i18n.marks import VISIBLE, balanced, bare
from i18n.phrases import Shown, places, words_under
from i18n.sms_english import plain_english

EN, HE, RU = Language.EN, Language.HE, Language.RU
# English says 'Reply 1 to approve' in a sentence, the others list their options.
LISTED_ELSEWHERE = {"card.confirm": {"approve", "keep"}}
NOT_FOR_SMS = re.compile(r"@(chat|web)$|^ui\.")


def texts(language: Language) -> list[tuple[str, str]]:
    """Every form of every entry that people see, with its key."""
    return [
        (key, form)
        for key, entry in entries(language).items()
        if not key.endswith(".asked")
        for form in (entry if isinstance(entry, tuple) else (entry,))
    ]


def plain_keys(language: Language) -> set[str]:
    return {key for key in entries(language) if "@" not in key}


def test_every_key_is_in_every_language() -> None:
    assert plain_keys(EN) == plain_keys(HE) == plain_keys(RU)


@pytest.mark.parametrize("language", list(Language))
def test_a_variant_varies_an_entry_and_brings_no_new_values(language: Language) -> None:
    found = entries(language)
    for key in found:
        base = key.partition("@")[0]
        assert base in found, key
        if isinstance(found[key], str) and base != key:
            known = places(str(found[base])) | {"approve", "keep", "until"}
            assert places(str(found[key])) <= known, key


def test_every_text_has_the_same_places_in_every_language() -> None:
    for key in plain_keys(EN):
        by_language = {one: entries(one)[key] for one in Language}
        if all(isinstance(entry, str) for entry in by_language.values()):
            optional = LISTED_ELSEWHERE.get(key, set())
            named = [places(str(entry)) - optional for entry in by_language.values()]
            assert named[0] == named[1] == named[2], key


@pytest.mark.parametrize("language", list(Language))
def test_every_count_has_all_forms_of_its_language(language: Language) -> None:
    counts = {key: entry for key, entry in entries(language).items() if key.startswith("count.")}

    assert len(counts) > 10
    for key, forms in counts.items():
        assert isinstance(forms, tuple), key
        assert len(forms) == len(FORMS[language]), key
        assert all(forms), key


@pytest.mark.parametrize("language", list(Language))
def test_marks_are_closed_and_only_hebrew_has_them(language: Language) -> None:
    for key, text in texts(language):
        assert balanced(text), key
        assert not any(name in text for name in VISIBLE), key
        assert language is HE or bare(text) == text, key


FORBIDDEN = {
    EN: (
        r"\bplease\b|oops|invalid|ambiguous|successful|\breserved?\b|\brefund|\bOK\b"
        r"|error occurred|are you sure"
    ),
    HE: (
        r"\bבוק\b|בוקינג|הזמנת שיעור|סשן|קלאס|רוסטר|נו שואו|קפסיטי|קיבולת|פאנץ|פריז|קנסל"
        r"|נדחה|לדחות|פג תוקפ|בהצלחה|\bהאם\b|נדרש|הינך|וכולל|\bאנא\b|אופס|אתה|לחץ|הקלד/"
        r"|תכנית|\bהכל\b|וואצאפ|זיכוי|\bדו\"ח|שגיאה|אליך|אלייך|יום ש׳|אובר|להשעות"
    ),
    RU: (
        r"\bкласс|сесси[яию]|\bслот|брон[ьи]|букинг|забук|мембер|вейтлист|ноу-шоу|капасити"
        r"|апгрейд|закэнсел|успешно|\bупс|некорректн|корректное|недостаточно прав|юзер|коуч"
        r"|пожалуйста|произвести|ошибка|еще\b|отчет\b|подтвержден\b|платеж\b|придет|вернется"
        r"|идет\b|темная|\bтренёр|вместимост|членств|отменил\b|отменила"
    ),
}


@pytest.mark.parametrize("language", list(Language))
def test_none_of_the_common_mistakes_is_made(language: Language) -> None:
    forbidden = re.compile(FORBIDDEN[language], re.IGNORECASE)

    assert not [(key, text) for key, text in texts(language) if forbidden.search(text)]


@pytest.mark.parametrize("language", list(Language))
def test_nothing_shouts_and_nothing_is_a_picture(language: Language) -> None:
    for key, text in texts(language):
        assert "!" not in text, key
        assert not re.search(r"[\U0001f000-\U0001faff\u2600-\u27bf]", text), key


def test_hebrew_has_its_own_quotes_no_slashes_and_no_letter_on_a_value() -> None:
    for key, text in texts(HE):
        plain = bare(text)
        assert not re.search(r"[\"'“”’«»]", plain), key
        assert not re.search(r"[א-ת]/[א-ת]", plain), key
        assert not re.search(r"(^|[\s(״])[בלמשהוכ][-־]?\*?\{", plain), key
        assert not re.search(r"(^|[\s(])[בלמשהוכ][A-Za-z0-9]", plain), key


def test_fixed_latin_words_and_times_are_isolated_in_hebrew() -> None:
    for key, text in texts(HE):
        if not re.search("[א-ת]", text):
            continue  # a name in its own language: nothing to flip
        outside = re.sub("\u2066[^\u2069]*\u2069|\\{[^}]*\\}", "", text)
        assert not re.search(r"[A-Za-z]|\d:\d|\d,\d", outside), key


def test_russian_has_its_own_quotes_and_names_in_the_nominative() -> None:
    people = "member|coach|name|editor|admin|class|class_from"
    for key, text in texts(RU):
        assert not re.search(r"[\"“”'’]", text), key
        assert not re.search(rf"\b(для|у|к|от|с|на|за) \*?\{{({people})\}}", text), key


def test_english_for_sms_stays_in_gsm_7() -> None:
    for key, text in texts(EN):
        if not NOT_FOR_SMS.search(key):
            assert encoding(plain_english(re.sub(r"[{}]", "", text))) == "gsm7", key


def test_options_never_begin_with_a_word_that_carriers_act_on() -> None:
    carriers = r"(yes|no|stop|cancel|end|quit|start|help|info|unsubscribe)\.?"
    for key, text in texts(EN):
        if re.search(r"\.(approve|keep|none)(@|$)|^card\.(approve|keep|none)", key):
            assert not re.fullmatch(carriers, text, re.IGNORECASE), key


def test_an_unknown_key_and_a_missing_value_are_told() -> None:
    with pytest.raises(MissingWordsError, match="no_such_key"):
        phrase("no_such_key", EN)
    with pytest.raises(MissingWordsError, match="until"):
        phrase("expired.unnamed", EN, {"at": Shown("13:00")})
    with pytest.raises(MissingWordsError, match=r"until\.time"):
        phrase("expired.unnamed", EN, {"until": Shown("13:00")})


def test_a_part_without_its_value_is_left_out() -> None:
    when = Shown("", forms={"date": Shown("Tue 1 Dec"), "time": Shown("9:00")})
    values = {"class": Shown("HIIT", "typed"), "when": when}

    assert phrase("target.class_session", EN, values, "chat") == "*HIIT* · Tue 1 Dec 9:00"


def test_a_page_gets_all_its_words_at_once() -> None:
    words = words_under("ui.", HE)

    assert words["send"] == "לשלוח"
    assert "app" in words
    assert not any(key.startswith("ui.") for key in words)
