"""Help articles: the same ones in each language, found by what people ask."""

import pytest

from app.core.errors import NotFound
from app.help import queries
from i18n import Language

EN, HE, RU = Language.EN, Language.HE, Language.RU


def test_every_article_is_there_in_every_language() -> None:
    slugs = {language: [one.slug for one in queries.articles(language)] for language in Language}
    assert len(slugs[EN]) >= 12
    assert slugs[EN] == slugs[HE] == slugs[RU]
    for language in Language:
        for one in queries.articles(language):
            assert one.title
            assert len(one.body) > 200, one.slug
            assert len(one.tags) > 3, one.slug


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("undo", "approvals-and-undo"),
        ("how can I freeze a membership?", "memberships-and-freezes"),
        ("link my phone to whatsapp", "phone-and-channels"),
        ("what is the waiting list", "bookings-and-waitlist"),
        ("import from arbox", "arbox"),
        ("איך מקפיאים מנוי?", "memberships-and-freezes"),
        ("רשימת המתנה", "bookings-and-waitlist"),
        ("שעות שקטות", "messages-and-consent"),
        ("הצהרת בריאות", "forms"),
        ("как заморозить абонемент", "memberships-and-freezes"),
        ("лист ожидания", "bookings-and-waitlist"),
        ("удалить данные клиента", "roles-and-privacy"),
        ("рассылка", "messages-and-consent"),
    ],
)
def test_what_people_ask_finds_the_article_among_the_first(question: str, slug: str) -> None:
    assert slug in [one.slug for one in queries.search(question, EN, limit=3)]


@pytest.mark.parametrize("question", ["zzzz", "??", "12345", "קק", "ыыыы"])
def test_what_has_nothing_to_do_with_it_finds_nothing(question: str) -> None:
    assert queries.search(question, HE, limit=5) == []


def test_an_unknown_article_is_not_found() -> None:
    with pytest.raises(NotFound):
        queries.article("no-such", EN)
