"""The vocabulary of bare answers: what a text may mean, and the words for it in three languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Yes:
    """An approval; of what, the open question decides."""


@dataclass(frozen=True, slots=True)
class No:
    """A refusal."""


@dataclass(frozen=True, slots=True)
class All:
    """Every action of a batch; with `of` set, only of a batch of that size ('both')."""

    of: int | None = None


@dataclass(frozen=True, slots=True)
class NoneOfThem:
    """None of what is offered."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Option numbers, ascending, each once; 0 stands for none."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CancelWord:
    """'Cancel': the deed itself on a card that cancels, a refusal on any other."""


@dataclass(frozen=True, slots=True)
class NeverApproval:
    """An acknowledgement, thanks or an emoji: approves nothing whatever is asked."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take an action back; without a number, the last one."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the running turn or close the open question."""


@dataclass(frozen=True, slots=True)
class OptOut:
    """Write to me no more."""


@dataclass(frozen=True, slots=True)
class OptIn:
    """You may write to me again."""


@dataclass(frozen=True, slots=True)
class New:
    """Start a new conversation."""


@dataclass(frozen=True, slots=True)
class Language:
    """Change the language; without a code, ask which."""

    code: Literal["en", "he", "ru"] | None = None


@dataclass(frozen=True, slots=True)
class More:
    """Show the rest of a list."""


@dataclass(frozen=True, slots=True)
class Help:
    """Show what can be written."""


@dataclass(frozen=True, slots=True)
class Ideas:
    """Show what is worth a look."""


Answer = Yes | No | All | NoneOfThem | Numbers | CancelWord | NeverApproval
Command = Undo | Stop | OptOut | OptIn | New | Language | More | Help | Ideas
Reading = Answer | Command


# A row each for English, Hebrew and Russian; a word in two rows has two meanings.
WORDS: tuple[tuple[Reading, tuple[str, ...]], ...] = (
    (
        Yes(),
        (
            "yes, y, yep, yup, yeah, yes please, approve, approved, confirm, confirmed, go ahead",
            "yess, yse, טקד, нуы",
            "כן, כן כן, כן בבקשה, לאשר, מאשר, מאשרת, תאשר, תאשרי, אשר, אישור, מאושר",
            "כנ, כןן, ken, кен, fi",
            "да, да да, дада, даа, да пожалуйста, подтверждаю, подтвердить, подтверди",
            "подтверждено, одобряю, da, lf",
        ),
    ),
    (
        No(),
        (
            "no, n, nope, nah, no thanks, decline, don't, dont, leave it, keep it",
            "לא, לאא, לא לא, לא תודה, ממש לא, לא לאשר, לא מאשר, לא מאשרת, עזוב, עזבי, להשאיר",
            "lo, ло, kt",
            "нет, не, неа, не надо, не нужно, нет спасибо, отклонить, отклоняю, оставить, оставь",
            "net, ytn",
        ),
    ),
    (
        All(),
        (
            "all, everything, all of them",
            "הכול, הכל, את הכול, את הכל, כולם, כולן, לאשר הכול",
            "все, всё, всех, все сразу, подтвердить все",
        ),
    ),
    (All(of=2), ("both", "שניהם, שתיהן", "оба, обе")),
    (
        NoneOfThem(),
        (
            "none, none of them, nothing, neither, zero",
            "אף אחד, אף אחת, אף אחד מהם, כלום, שום דבר, לא ברשימה, אפס",
            "никого, никто, ничего, ни одного, ни одной, ни один, нет в списке, ноль",
        ),
    ),
    (
        CancelWord(),
        ("cancel", "בטל, לבטל, ביטול, תבטל", "отмена, отменить, отмени"),
    ),
    (
        NeverApproval(),
        (
            "ok, okay, k, sure, cool, great, fine, thanks, got it, maybe",
            "אוקיי, אוקי, בסדר, סבבה, אחלה, יאללה, טוב, בטח, ברור, מעולה, סגור, הבנתי, תודה",
            "אולי, כנראה",
            "ок, окей, ага, угу, хорошо, ладно, давай, го, норм, понял, поняла, принято, супер",
            "класс, конечно, спасибо, ну да, да нет, наверное, +",
        ),
    ),
    (Stop(), ("stop", "סטופ, עצור, עצרי, תעצור, תעצרי", "стоп, стой, остановись")),
    (
        OptOut(),
        (
            "stop, stopall, unsubscribe, end, quit, revoke, optout",
            "הסר, הסרה, להסיר, הסירו אותי, תסירו אותי",
            "стоп, отписаться, отпишите, отпишите меня",
        ),
    ),
    (OptIn(), ("start, unstop", "להצטרף", "старт, подписаться")),
    (
        New(),
        (
            "new, new chat, start over",
            "חדש, שיחה חדשה, מההתחלה",
            "новый, новый чат, новый разговор, заново",
        ),
    ),
    (Language(), ("lang, language", "שפה", "язык")),
    (Language("en"), ("english", "אנגלית", "английский")),
    (Language("he"), ("hebrew", "עברית", "иврит")),
    (Language("ru"), ("russian", "רוסית", "русский, по-русски")),
    (More(), ("more, next", "עוד, המשך", "ещё, дальше, далее")),
    (Help(), ("help, ?", "עזרה", "помощь, хелп")),
    (
        Ideas(),
        (
            "ideas, what now, what now?, what's worth a look",
            "רעיונות, מה עכשיו, מה עכשיו?, מה כדאי לבדוק",
            "идеи, что теперь, что теперь?, что стоит посмотреть",
        ),
    ),
)
UNDO_WORDS = (
    "undo, undo it, undo that, udno",
    "להחזיר, תחזיר, תחזירי, להחזיר למצב הקודם, תחזיר אחורה, אנדו",
    "вернуть, верни, верните, вернуть как было, верни как было, откат, откати, анду",
)
NEVER_AN_SMS_OPTION = (
    "yes, no, stop, stopall, unsubscribe, cancel, end, quit, revoke, optout, start, unstop, help",
    "info, הסר, стоп, старт",
)
