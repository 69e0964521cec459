"""What Spotter says beside cards: about questions, undo, limits, phones and ended turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.render.reader import Look, Reader
from bot.render.voice import Values, Voice
from bot.turn.events import DayLimit, Ended
from i18n import Language, Shown, Variant, has, opened, phrase
from i18n.formats import name
from tools.kit.cards import Confirm, QuestionCard
from tools.kit.values import Code, Count, Instant, Name, Value

Where = Literal["web", "whatsapp", "sms"]
Decided = Literal["approved", "declined", "chosen", "none"]


@dataclass(frozen=True, slots=True)
class Speech:
    """Lines for one reader. `look` is None on the dashboard, which sets directions itself."""

    reader: Reader
    look: Look | None = None

    def say(self, key: str, values: Values | None = None) -> str:
        text = self.voice.say(key, values)
        return text if self.look is None else opened(text, self.reader.language)

    @property
    def voice(self) -> Voice:
        return Voice(self.reader, self._variant())

    def unclear(self) -> str:
        """Stands above the open card, shown again."""
        return self.say("unclear")

    def declined(self) -> str:
        return self.say("declined")

    def superseded(self) -> str:
        return self.say("superseded")

    def expired(self, card: QuestionCard, until: datetime) -> str:
        """The answer to a question that has closed; names its class where it is about one."""
        named = isinstance(card, Confirm) and {"class", "when"} <= card.values.keys()
        values = card.values if isinstance(card, Confirm) and named else {}
        key = "expired" if named else "expired.unnamed"
        return self.say(key, {**values, "until": self._instant(until)})

    def answered(self, decided: Decided, at: datetime, where: Where) -> str:
        """Another answer came first."""
        when = self._instant(at)
        today = at.astimezone(self.reader.here.tzinfo).date() == self.reader.today
        return self.say(
            "answered" if today else "answered.before",
            {
                "decision": Shown(self._word(f"decision.{decided}")),
                "at": when,
                "where": Shown(self._word(f"where.{where}")),
            },
        )

    def no_undo(self, number: int, at: datetime, editor: str) -> str:
        """Somebody changed it since."""
        return self.say(
            "no_undo",
            {"no": Shown(str(number)), "at": self._instant(at), "editor": Name(text=editor)},
        )

    def error(self, reason: str, wait_minutes: int) -> str:
        """A part of ours was away: `reason` is the key of a clause, as 'reason.schedule'."""
        return self.say(
            "error",
            {
                "reason": Shown(self._word(reason)),
                "wait": Count(n=wait_minutes, of="minutes"),
            },
        )

    def budget(self, limit: DayLimit) -> str:
        """The day's limit is used up: until when, and where or by whom it is raised."""
        values = self._limit(limit)
        if limit.asks_owner:
            return self.say("budget.ask_owner", values)
        if not limit.link:
            return self.say("budget.plain", values)
        return self.say("budget", {**values, "link": Code(text=limit.link)})

    def budget_near(self, limit: DayLimit) -> str:
        """Most of the day's limit is used."""
        return self.say("budget.near", self._limit(limit))

    def no_right(self, label: str, admin: str) -> str:
        """`label` is the tool's, in English as declared; `admin` a name, who could do it."""
        return self.say(
            "no_right",
            {"action": Shown(action(label, self.reader.language)), "admin": Name(text=admin)},
        )

    def ended(self, ended: Ended) -> str | None:
        """Why a turn ended early; None where its own words have said it."""
        match ended:
            case Ended(reason="over_budget", limit=DayLimit() as limit):
                return self.budget(limit)
            case Ended(reason="done" | "superseded"):
                return None
            case Ended(reason=reason):
                return self.say(f"ended.{reason}")

    def which_question(self) -> str:
        """Several are open where a bare answer came."""
        return self.say("which_question")

    def help(self, gym: str) -> str:
        return self.say("help", {"gym": Name(text=gym)})

    def link_phone(self, code_: str, number: str, minutes: int) -> str:
        """On the dashboard: how to link a phone."""
        return self.say(
            "link.how",
            {
                "code": Code(text=code_),
                "number": Code(text=number),
                "ttl": Count(n=minutes, of="minutes"),
            },
        )

    def linked(self, gym: str) -> str:
        return self.say("link.done", {"gym": Name(text=gym)})

    def bad_code(self, tries_left: int) -> str:
        return self.say("bad_code" if tries_left else "bad_code.locked", {"tries": tries_left})

    def unknown_number(self) -> str:
        return self.say("unknown")

    def member_notice(self, notice: str, *classes: Values, undone: bool = False) -> str:
        """What a member is told: `notice` as 'session_cancelled', or when undone its correction.

        Of one class or several. Values of each: gym Name, class Name, when Moment; `was` Moment
        for a class that moved.
        """
        key = f"notice.{notice}.undone" if undone else f"notice.{notice}"
        if len(classes) == 1:
            return self.say(key, classes[0])
        lines = [self.say("notice.class", values) for values in classes]
        return "\n".join([self.say(f"{key}.many", classes[0]), *lines])

    def choose_gym(self, gyms: list[str]) -> str:
        """A numbered list of the person's gyms."""
        return self.numbered("choose_gym", [self.say_name(gym) for gym in gyms])

    def numbered(self, key: str, options: Sequence[str]) -> str:
        """A list to choose from by number, below its heading."""
        lines = [f"{n} {option}" for n, option in enumerate(options, 1)]
        text = "\n".join([self.say(key), *lines])
        return text if self.look is None else opened(text, self.reader.language)

    def gym_chosen(self, gym: str) -> str:
        return self.say("choose_gym.chosen", {"gym": Name(text=gym)})

    def say_name(self, text: str) -> str:
        return phrase("just", self.reader.language, {"value": name(text)})

    def _variant(self) -> Variant:
        return "web" if self.look is None else self.look.value

    def _word(self, key: str) -> str:
        return phrase(key, self.reader.language, variant=self._variant())

    def _limit(self, limit: DayLimit) -> dict[str, Value | Shown]:
        tier = Shown(limit.tier.capitalize(), "ltr")
        return {"tier": tier, "reset": self._instant(limit.reset)}

    def _instant(self, at: datetime) -> Instant:
        return Instant(at=at, zone=self.reader.zone)


def action(label: str, language: Language) -> str:
    """A tool's label inside a sentence: 'cancel a class'."""
    words = label_in(label, language)
    return words[:1].lower() + words[1:]


def label_in(label: str, language: Language) -> str:
    """A tool's label in a language; as declared, in English, where it has no words yet."""
    return phrase(label, language) if has(label, language) else label
