"""Finding by words, sounds, likeness and meaning, and guessing who a sentence means."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.core.actor import Actor
from app.core.embedding import Meanings
from app.desk.queries import Thing
from app.leads import service as leads
from app.leads.service import NewLead
from app.leads.terms import LeadSource
from app.people import service as people
from app.schedule import service as schedule
from app.schedule.service import NewClassType
from app.search import queries
from app.search.embedders import LocalE5
from app.search.queries.finding import fused
from app.search.service import renew
from app.workouts.service import workouts
from app.workouts.service.workouts import NewWorkout
from app.workouts.terms import Visibility
from tests.studio import Studio


def found(studio: Studio, text: str, *things: Thing, actor: Actor | None = None) -> list[str]:
    studio.db.meanings.ahead(text)
    who = actor or studio.owner
    with studio.act() as session:
        hits = queries.search(session, who, text, things=things, now=studio.now, limit=9)
    return [hit.name for hit in hits]


def guessed(studio: Studio, text: str) -> list[tuple[str, str]]:
    studio.db.meanings.ahead(text)
    with studio.act() as session:
        told = queries.candidates(session, studio.owner, text, now=studio.now)
    return [(one.kind, one.name) for one in told]


def class_type(studio: Studio, name: str, name_he: str | None = None) -> None:
    with studio.act() as session:
        new = NewClassType(name, 12, name_he)
        studio.class_type_id = schedule.create_class_type(session, studio.org_id, new)


def workout(
    studio: Studio, actor: Actor, title: str, visibility: Visibility = Visibility.ORG
) -> None:
    with studio.act() as session:
        workouts.create(session, actor, NewWorkout(title, (), visibility=visibility))


def test_without_a_model_a_search_knows_sounds_typing_errors_and_stems(studio: Studio) -> None:
    studio.db.meanings = Meanings()
    studio.person("Dana Levi")
    studio.person("Shlomo Abrahami")
    class_type(studio, "Приседания для всех")
    studio.session()
    assert found(studio, "дана леви") == ["Dana Levi"]
    assert found(studio, "Shlmo Abrahmi") == ["Shlomo Abrahami"]
    assert found(studio, "приседаний") == ["Приседания для всех"]
    assert found(studio, "xyz") == []
    with studio.act() as session:
        gone = people.locked(session, studio.person("Shlomi Abrahamov"))
        gone.retire(studio.now)
    assert found(studio, "Abrahamow") == ["Shlomo Abrahami"]


def test_what_is_meant_is_found_in_another_language_and_only_by_who_may_see_it(
    studio: Studio,
) -> None:
    studio.db.meanings = Meanings(LocalE5())
    class_type(studio, "Kids gymnastics")
    studio.session()
    class_type(studio, "Open gym")
    for title in ("5 km run", "Sprint intervals on the rower", "Handstand skills", "Bench press"):
        workout(studio, studio.owner, title)
    workout(studio, studio.coach, "A 5 km run of mine", Visibility.PRIVATE)
    for name in ("Дарья Иванова", "Марина Орлова", "Tali Segal", "Adam Harel", "יואב מזרחי"):
        studio.person(name)
    renew(studio.db, studio.org_id)
    assert found(studio, "тренировка для детей") == ["Kids gymnastics"]
    assert found(studio, "бег на 5 км", Thing.WORKOUT) == ["5 km run"]
    either = "תעביר את הריצה של 5 קמ לחמישי"
    assert found(studio, either, Thing.WORKOUT) == ["5 km run"]
    mine = found(studio, either, Thing.WORKOUT, actor=studio.coach)
    assert mine == ["5 km run", "A 5 km run of mine"]
    assert ("workout", "5 km run") in guessed(studio, "перенеси бег 5 км на четверг")
    studio.db.meanings = Meanings()
    assert found(studio, "тренировка для детей", Thing.CLASS_SESSION) == []


def test_a_sentence_in_any_language_gives_the_people_and_classes_it_names(studio: Studio) -> None:
    studio.db.meanings = Meanings()
    for name in ("Dana Levi", "Tom Cohen", "Noa Katz", "דנה מזרחי"):
        studio.person(name)
    class_type(studio, "Open gym", name_he="אופן ג׳ים")
    new = NewLead("Elena", "+972541234567", LeadSource.WEBSITE, last_name="Sokolova")
    with studio.act() as session:
        leads.create(session, studio.owner, new, now=studio.now)
    dana = ("member", "Dana Levi")
    assert guessed(studio, "Book Dana Levi's place in open gym, now!") == [
        dana,
        ("class_type", "Open gym"),
    ]
    assert guessed(studio, "תעביר את דנה לוי לאופן ג׳ים")[0] == dana
    assert guessed(studio, "перенеси Дану Леви к Тому")[:2] == [dana, ("member", "Tom Cohen")]
    assert {name for _, name in guessed(studio, "תבטל לדנה")} == {"Dana Levi", "דנה מזרחי"}
    assert guessed(studio, "позвони Елене Соколовой") == [("lead", "Elena Sokolova")]
    for nobody in ("what is on today", "", "\x00 \ud83d .", "_ ' - ׳s"):
        assert guessed(studio, nobody) == []
    assert guessed(studio, f"{'and ' * 60} Dana Levi") == []


def test_a_name_of_too_many_is_nobodys_and_one_of_them_is_told_by_more(studio: Studio) -> None:
    studio.db.meanings = Meanings()
    for last in ("Levi", "Cohen", "Katz", "Mizrahi", "Biton", "Peretz"):
        studio.person(f"Dana {last}")
    assert guessed(studio, "cancel Dana") == []
    assert guessed(studio, "cancel Dana Katz") == [("member", "Dana Katz")]


lists = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=6), max_size=4)


@given(lists)
def test_fused_lists_hold_each_once_and_never_turn_agreement_around(many: list[list[int]]) -> None:
    one = fused(many)
    assert sorted(one) == sorted({key for each in many for key in each})
    for first, second in pairwise(one):
        before = [second in each and first not in each for each in many]
        assert not (all(before) and before)
    if len({tuple(each) for each in many}) == 1:
        assert one == many[0]
