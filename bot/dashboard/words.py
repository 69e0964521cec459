"""Which words the pages and the chat component get: catalogue keys, in the reader's language."""

from collections.abc import Iterable
from typing import Final

from bot.render.reader import Reader
from bot.render.voice import Voice
from i18n import Language, phrase

CHAT_KEYS: Final = (
    "ui.chat",
    "ui.conversations",
    "ui.no_conversations",
    "ui.untitled",
    "ui.new_chat",
    "ui.message",
    "ui.placeholder",
    "ui.send",
    "ui.stop",
    "ui.undo_short",
    "ui.retry",
    "ui.close",
    "ui.open",
    "ui.remove",
    "ui.submit",
    "ui.question",
    "ui.keys",
    "ui.latest",
    "ui.working",
    "ui.elsewhere",
    "ui.offline",
    "ui.failed",
    "ui.empty_title",
    "ui.empty_text",
    "ui.examples",
    "ui.ideas",
)
PAGE_KEYS: Final = (
    "ui.app",
    "ui.ask_about",
    "ui.booked_of",
    "ui.cancelled",
    "ui.coach",
    "ui.close",
    "ui.full",
    "ui.language",
    "ui.language.en",
    "ui.language.he",
    "ui.language.ru",
    "ui.link_new_code",
    "ui.link_phone",
    "ui.next_week",
    "ui.no_classes",
    "ui.no_classes_day",
    "ui.previous_week",
    "ui.schedule",
    "ui.settings",
    "ui.sign_in",
    "ui.sign_in_as",
    "ui.sign_in_bad",
    "ui.sign_in_enter",
    "ui.sign_in_how",
    "ui.sign_out",
    "ui.skip_to_content",
    "ui.today",
    "ui.waitlist_count",
)
JOIN_KEYS: Final = ("ui.join", "ui.join_bad", "ui.join_done", "ui.join_how", "ui.join_title")
FORM_KEYS: Final = (
    "ui.form_bad",
    "ui.form_done",
    "ui.form_missing",
    "ui.form_no",
    "ui.form_once",
    "ui.form_send",
    "ui.form_signature",
    "ui.form_title",
    "ui.form_yes",
)
ARBOX_KEYS: Final = (
    "ui.arbox_title",
    "ui.arbox_how",
    "ui.arbox_key",
    "ui.arbox_save",
    "ui.arbox_done",
    "ui.arbox_next",
    "ui.arbox_closed",
)
KEYS: Final = tuple(dict.fromkeys(CHAT_KEYS + PAGE_KEYS + JOIN_KEYS + FORM_KEYS + ARBOX_KEYS))
"""All of them, for the test that every one has words."""


def page_words(keys: Iterable[str], language: Language) -> dict[str, str]:
    """Words that a page's template asks for, by the last part of their keys."""
    return {key.removeprefix("ui."): phrase(key, language, variant="web") for key in keys}


def chat_words(reader: Reader) -> dict[str, str]:
    """The component's words by their short names, as 'send'."""
    voice = Voice(reader, "web")
    return {key.removeprefix("ui."): voice.say(key) for key in CHAT_KEYS}
