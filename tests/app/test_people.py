"""Finding people by any spelling, phone or e-mail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.people import queries, service
from app.people.contacts import BadPhone, phone_e164
from app.people.names import grade, name_keys
from app.people.terms import MemberStatus
from app.studio.paging import Cut
from i18n.letters import fold, skeletons
from tests.studio import Studio, open_studio

SAME = """
Dana דנה Дана | Levi לוי Леви | Cohen כהן Коэн | Noa נועה Ноа | Yael יעל Яэль | Omer עומר Омер
Lior ליאור Лиор | Michal מיכל Михаль | Itai איתי Итай | Maya מאיה Майя | Tamar תמר Тамар
David דוד Давид | Shira שירה Шира | Moshe משה Моше | Uri אורי Ури | Sarah שרה Сара
Daniel דניאל Даниэль | Yosef יוסף Йосеф | Yulia יוליה Юлия | Chen חן Хен | Eyal אייל Эяль
Avi אבי Ави | Hadas הדס Хадас | Shlomo שלמה Шломо | Mike מייק Майк | Sergey סרגיי Сергей
Natasha נטשה Наташа | Gil גיל Гиль | Nir ניר Нир | Yoav יואב Йоав | Peretz פרץ Перец
Friedman פרידמן Фридман | Katz כץ Кац | Ivanov איבנוב Иванов | Shai שי Шай | Keren קרן Керен
Svetlana סבטלנה Светлана | Zhenya ז׳ניה Женя | Misha מישה Миша | Mizrahi מזרחי Мизрахи
"""
OTHERS = """
Dana Dan | Dana Dina | Dana Daniel | Omer Mor | Noa Noam | Tal Tali | Gal Gil | Or Uri | דינה Дана
"""


def groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.replace("\n", "|").split("|") if group.strip()]


@pytest.mark.parametrize("spellings", groups(SAME), ids=lambda group: group[0])
def test_spellings_of_one_name_meet(spellings: list[str]) -> None:
    for one in spellings:
        for other in spellings:
            assert skeletons(one) & skeletons(other), (one, other)


@pytest.mark.parametrize("pair", groups(OTHERS), ids=" ".join)
def test_other_names_do_not(pair: list[str]) -> None:
    assert not skeletons(pair[0]) & skeletons(pair[1])


@given(st.text(max_size=30))
def test_any_text_folds_once_and_meets_itself(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert grade(text, frozenset(name_keys(text))) >= 0
    skeletons(text)


def found(studio: Studio, query: str, *statuses: MemberStatus) -> list[str]:
    with studio.act() as session:
        page = queries.find_members(session, query, statuses=statuses, cut=Cut())
    return [one.member.name for one in page.rows]


def test_a_first_name_finds_all_its_spellings_the_one_as_written_first(studio: Studio) -> None:
    for name in ("דנה כהן", "Дана Левина", "Dana Levi", "Daniel Or", "Dina Gal"):
        studio.person(name)
    assert found(studio, "Dana")[0] == "Dana Levi"
    assert set(found(studio, "Dana")) == {"Dana Levi", "דנה כהן", "Дана Левина"}
    assert found(studio, "дана")[0] == "Дана Левина"
    assert found(studio, "דנה כהן") == ["דנה כהן"]
    assert found(studio, "dana kohen") == ["דנה כהן"]


def test_nicknames_and_beginnings_are_found_behind(studio: Studio) -> None:
    for name in ("Michael Stone", "מיכאל רוזן", "Mike Or"):
        studio.person(name)
    assert found(studio, "Mike")[0] == "Mike Or"
    assert len(found(studio, "Миша")) == 3
    assert found(studio, "Sto") == ["Michael Stone"]


@pytest.mark.parametrize("typed", ["050-1234567", "972501234567", "+972 50-123-4567", "4567"])
def test_a_phone_is_found_however_it_is_typed(studio: Studio, typed: str) -> None:
    studio.person("Dana Levi", phone="0501234567", email="Dana@Example.com")
    studio.person("Noa Katz", phone="0527654321")
    assert found(studio, typed) == ["Dana Levi"]
    assert found(studio, "dana@ex") == ["Dana Levi"]


def test_what_no_phone_can_be_is_refused() -> None:
    assert phone_e164("00972-50-1234567") == "+972501234567"
    with pytest.raises(BadPhone):
        phone_e164("12")


def test_archived_people_are_found_only_when_asked_for(studio: Studio) -> None:
    dana = studio.person("Dana Levi")
    with studio.act() as session:
        service.archive(session, studio.owner, dana, now=studio.now)
    assert found(studio, "Dana") == []
    assert found(studio, "Dana", MemberStatus.ARCHIVED) == ["Dana Levi"]


def test_signs_of_a_pattern_mean_themselves(studio: Studio) -> None:
    studio.person("Dana Levi")
    assert found(studio, "%") == []
    assert found(studio, "_ana") == []


def test_people_of_another_gym_are_not_found(studio: Studio, database_url: str) -> None:
    studio.person("Dana Levi")
    elsewhere = open_studio(database_url)
    assert found(elsewhere, "Dana") == []
    elsewhere.db.close()
