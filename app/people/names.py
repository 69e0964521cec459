"""Keys that names are looked up by: as written, as they sound in any script, and by nickname."""

from functools import cache

from i18n.letters import fold, skeletons

_NICKNAMES = """
michael mike miki mikhail misha mischa
alexander alexandra alex sasha sanya alexandr aleks
daniel dani danny dan
dmitri dima dmitry mitya
yosef yossi joseph joe sefi
avraham avi abraham
yaakov kobi jacob yankele
mordechai moti
gabriel gabi gavriel
benjamin beni ben binyamin
ekaterina katya katerina kate
maria masha mariya
anastasia nastya anastasiya
elena lena yelena alyona
tatiana tanya tatyana
natalia natasha natalya natali
olga olya
svetlana sveta
vladimir vova volodya
nikolai kolya
evgeny zhenya evgenia eugene
shlomo shlomi
moshe moishe moti
yitzhak itzik tsahi itzhak
shimon shimi
yehonatan yoni jonathan yonatan
menachem meni
eliyahu eli elijah
rivka riki rebecca
tamar tami tamara
michal miki
rachel racheli
samuel shmuel sam shmulik
thomas tom
nathaniel netanel nati
david dudi dave
matan mati
anna anya annushka
irina ira
sergey seryozha
pavel pasha
yekaterina katya
"""
"""One group a line, the full names first; spellings in other scripts meet them by sound."""

SOUND, NICK = "~", "="
"""What marks a key that isn't the word as written."""


def name_keys(*words: str | None) -> list[str]:
    """All keys of a name's words, for the column `member.name_keys`."""
    return sorted({key for word in words_of(*words) for key in keys_of_word(word)})


def keys_of_word(word: str) -> list[str]:
    return sorted({word} | _sounds(word) | _nicks(word))


def grade(query: str, keys: frozenset[str]) -> int:
    """How well a name meets a query: the sum over its words, 0 where one of them meets nothing.

    A word counts 4 as written, 3 by sound, 2 by nickname, 1 where a written word begins with it.
    """
    words = words_of(query)
    grades = [_grade(word, keys) for word in words]
    return sum(grades) if words and all(grades) else 0


def exact(query: str, keys: frozenset[str]) -> bool:
    """Whether every word of the query is written so in the name."""
    return all(word in keys for word in words_of(query))


def _grade(word: str, keys: frozenset[str]) -> int:
    if word in keys:
        return 4
    if _sounds(word) & keys:
        return 3
    if _nicks(word) & keys:
        return 2
    return int(any(key.startswith(word) for key in keys if key[0] not in SOUND + NICK))


def words_of(*texts: str | None) -> list[str]:
    """The words of names or of a query, folded."""
    return [word for text in texts if text for word in fold(text).replace("-", " ").split()]


def _sounds(word: str) -> set[str]:
    return {SOUND + sound for sound in skeletons(word)}


def _nicks(word: str) -> set[str]:
    groups = _groups()
    return {NICK + group for sound in skeletons(word) for group in groups.get(sound, ())}


@cache
def _groups() -> dict[str, set[str]]:
    """The nickname groups by the sound of each name in them."""
    groups: dict[str, set[str]] = {}
    for line in _NICKNAMES.split("\n"):
        for name in line.split():
            for sound in skeletons(name):
                groups.setdefault(sound, set()).add(line.split()[0])
    return groups
