"""How names sound: Hebrew, Latin and Cyrillic spellings of a name reduced to one skeleton."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

Sounds = tuple[str, ...]
"""What a letter may stand for; '' is silence. The first is the likeliest."""

MOST = 24
"""Readings kept of one word; a long one may have more, the likeliest come first."""


def _table(rows: str) -> dict[str, Sounds]:
    """Letters and what they stand for, as `c:k,c`; a dash is silence."""
    pairs = (row.split(":") for row in rows.split())
    return {
        letters: tuple(sound.strip("-") for sound in sounds.split(",")) for letters, sounds in pairs
    }


_LATIN_GROUPS = _table("""
    tch:C sch:S shch:S tsh:C sh:S zh:J kh:h ch:h,C ts:c tz:c ph:p th:t ck:k gh:g dj:J ee:i oo:o
    ou:o uy:i,oi
""")
_LATIN = _table("""
    b:v v:v w:v c:k,c k:k q:k d:d f:p p:p g:g h:-,h j:y,J l:l m:m n:n r:r s:s t:t x:ks z:z y:i,-
    a:- e:- i:i o:o,- u:o
""")
_CYRILLIC = _table("""
    б:v в:v г:g,h д:d ж:J з:z к:k л:l м:m н:n п:p р:r с:s т:t ф:p х:h,- ц:c ч:C ш:S щ:S ъ:- ь:-
    а:- е:- э:- я:- и:i ы:i й:i,- о:o,- у:o ю:o ё:o,-
""")
_HEBREW = _table("""
    א:- ע:- ב:v ג:g ד:d ה:-,h ו:o,v ז:z ח:h ט:t י:i כ:k,h ך:h,k ל:l מ:m ם:m נ:n ן:n ס:s פ:p ף:p
    צ:c ץ:c ק:k ר:r ש:S,s ת:t
""")
_HEBREW_GROUPS = _table("""
    ג׳:J ז׳:J צ׳:C ץ׳:C וו:v
""")
_MOTHERS = _table("יי:i,- אי:i,- יא:i,- יע:i,- עי:i,-")
"""Inside a word these are a vowel, or the glide between two."""
_FIRST = _table("""
    a:* e:* i:* o:* u:* а:* э:* и:* ы:* о:* у:* y:y j:y,J h:h е:*,y я:y ю:yo ё:y й:y א:* ע:*
    י:y,* ה:h ו:v אי:* או:* עי:* עו:* איי:* ee:* oo:* х:h яэ:y ye:y ya:y yu:yo yo:yo,y
""")
_LAST = _table("""
    a:a ah:a ia:ia,a ya:a,ia e:e,- eh:e i:i y:i ie:i ey:i,e o:o u:o oh:o ai:i ay:i а:a я:a,ia
    ия:ia,a ья:ia,a е:e э:e и:i ы:i й:i о:o у:o ю:o ий:i ей:i,e ה:a,e,o א:a י:i ו:o,v יה:ia,a
    יא:ia,a אי:i ע:a וי:vi,oi
""")
_IRREGULAR = {
    word: sounds[0]
    for word, sounds in _table("""
    דוד:david דויד:david מרים:miriam יצחק:itzhak אסתר:ester רבקה:rivka צפורה:tsipora
    שמעון:shimon אהרן:aharon בנימן:binyamin מזרחי:mizrahi גיא:guy
""").items()
}
"""Names whose customary Hebrew spelling leaves a vowel out."""


def fold(text: str) -> str:
    """A text as it is compared: lower case, no niqqud or accents, ё as е, one apostrophe."""
    composed = unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE)
    return "".join(map(_bare, composed))


def _bare(letter: str) -> str:
    """A letter without its marks; й is a letter of its own."""
    if letter == "й":
        return letter
    parts = unicodedata.normalize("NFD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))


_ALIKE = str.maketrans({"ё": "е", "'": "׳", "’": "׳", "`": "׳", "״": None, '"': None})


@lru_cache(maxsize=4_096)
def skeletons(word: str) -> frozenset[str]:
    """The ways a word may sound, few letters each; two spellings of one name share at least one."""
    folded = fold(word)
    folded = _IRREGULAR.get(folded, folded)
    if not folded:
        return frozenset()
    readings = {"".join(reading) for reading in _first(product(*_split(folded)))}
    return frozenset(map(_squeeze, readings)) - {"", "*"}


def _first(readings: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [reading for _, reading in zip(range(MOST), readings, strict=False)]


def _split(word: str) -> list[Sounds]:
    """Cut a word into letters and groups, the longest first; its ends have their own readings."""
    sounds: list[Sounds] = []
    start = 0
    while start < len(word):
        size, found = _longest(word, start)
        sounds.append(found)
        start += size
    return sounds


def _longest(word: str, start: int) -> tuple[int, Sounds]:
    for size in (4, 3, 2, 1):
        piece = word[start : start + size]
        if len(piece) < size:
            continue
        found = _reading(piece, first=start == 0, last=start + size == len(word))
        if found is not None:
            return size, found
    return 1, ("",)


def _reading(piece: str, *, first: bool, last: bool) -> Sounds | None:
    if first and piece in _FIRST:
        return _FIRST[piece]
    if last and not first and piece in _LAST:
        return _LAST[piece]
    if not first and piece in _MOTHERS:
        return _MOTHERS[piece]
    for table in (_LATIN_GROUPS, _HEBREW_GROUPS, _LATIN, _CYRILLIC, _HEBREW):
        if piece in table:
            return table[piece]
    return None


def _squeeze(sounds: str) -> str:
    """Doubled sounds count once: Anna, Ana."""
    return "".join(one for at, one in enumerate(sounds) if at == 0 or sounds[at - 1] != one)
