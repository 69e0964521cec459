"""The demo gym's names: people in three scripts, and what the gym calls its things."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Person:
    first: str
    last: str
    language: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


DANAS = (
    Person("Dana", "Levi", "en"),
    Person("דנה", "כהן", "he"),
    Person("Дана", "Левина", "ru"),
    Person("Dana", "Mizrahi", "en"),
)
"""The first three can be booked into tomorrow's open gym."""

COACHES = (
    Person("Omer", "Katz", "he"),
    Person("Lior", "Shalev", "en"),
    Person("Anna", "Petrova", "ru"),
)
OWNER = Person("Tamar", "Golan", "he")
ADMIN = Person("Noa", "Friedman", "en")

_WORDS = """
en first: Mike Tom Yael Rami Adam Maya Gal Ben Shira Roni Itai Lea Guy Tali Eden Max
en last: Stone Peretz Katz Bar Segal Harel Dahan Amir Klein Sasson Navon Regev
he first: נועה עומר יעל איתי מיכל שירה אורי תמר גיא רוני עידו הילה יואב ליאת אסף קרן
he last: לוי כהן מזרחי פרץ ביטון דהן אזולאי פרידמן שלום אברהם חדד גבאי
ru women: Юлия Ольга Марина Светлана Ирина Наталья Катя Вера
ru men: Сергей Дмитрий Миша Алексей Игорь Павел Антон Лев
ru last: Иванов Петров Смирнов Волков Соколов Орлов Новиков Морозов
"""

CLASS_NAMES = {
    "open_gym": ("Open gym", "אופן ג׳ים", "Open gym"),
    "wod": ("WOD", "WOD", "WOD"),
    "weightlifting": ("Weightlifting", "הנפות", "Тяжёлая атлетика"),
    "gymnastics": ("Gymnastics", "ג׳ימנסטיקס", "Гимнастика"),
}
"""English, Hebrew, Russian."""

PLAN_NAMES = {
    "unlimited": {"en": "Monthly unlimited", "he": "חודשי ללא הגבלה", "ru": "Безлимит на месяц"},
    "card": {"en": "10-class card", "he": "כרטיסייה 10", "ru": "Абонемент на 10"},
    "twice": {"en": "Twice a week", "he": "פעמיים בשבוע", "ru": "Два раза в неделю"},
}

GYM_NAMES = {"en": "CrossFit Yarkon", "he": "קרוספיט ירקון", "ru": "КроссФит Яркон"}


def members(rng: Random, count: int) -> list[Person]:
    """Danas first, then so many others of three languages, no two with one name."""
    words = _words()
    pool = [*_english(words), *_hebrew(words), *_russian(words)]
    rng.shuffle(pool)
    return [*DANAS, *pool[: count - len(DANAS)]]


def _words() -> dict[str, list[str]]:
    lines = (line.partition(": ") for line in _WORDS.strip().splitlines())
    return {key: names.split() for key, _, names in lines}


def _english(words: dict[str, list[str]]) -> list[Person]:
    return [Person(first, last, "en") for first in words["en first"] for last in words["en last"]]


def _hebrew(words: dict[str, list[str]]) -> list[Person]:
    return [Person(first, last, "he") for first in words["he first"] for last in words["he last"]]


def _russian(words: dict[str, list[str]]) -> list[Person]:
    """Surnames agree with the first name."""
    lasts = words["ru last"]
    women = [Person(first, f"{last}а", "ru") for first in words["ru women"] for last in lasts]
    men = [Person(first, last, "ru") for first in words["ru men"] for last in lasts]
    return [*women, *men]
