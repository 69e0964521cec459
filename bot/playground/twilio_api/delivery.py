"""A message's way to the phone: states in time, reported to the status callback."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.playground.twilio_api.accept import Draft
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.content import refused_by_whatsapp
from bot.playground.twilio_api.records import Message, bare
from bot.playground.twilio_api.rules import Rule
from bot.playground.twilio_api.schedule import Schedule
from bot.playground.twilio_api.store import Store
from bot.playground.twilio_api.webhook import deliver

_WINDOW = timedelta(hours=24)
_OUTSIDE_THE_WINDOW, _INVALID_CONTENT, _UNDELIVERABLE = 63016, 63021, 30003


@dataclass(frozen=True, slots=True)
class Step:
    status: str
    error_code: int | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    config: TwilioConfig
    store: Store
    schedule: Schedule

    def start(self, message: Message, draft: Draft, rule: Rule) -> None:
        steps = self._steps(draft, rule)
        pause = self.config.step_seconds if rule.delay is None else rule.delay
        if rule.order == "reversed":
            self._after(pause, lambda: self._backwards(message.sid, steps, rule))
        else:
            self._forwards(message.sid, steps, rule, pause)

    def _steps(self, draft: Draft, rule: Rule) -> list[Step]:
        failure = draft.failure or (
            self._whatsapp_failure(draft) if draft.channel != "sms" else None
        )
        match rule.outcome:
            case "stay_queued":
                return []
            case "fail":
                return [Step("sent"), Step(rule.status, rule.code or _UNDELIVERABLE)]
            case _ if failure:
                return [Step("failed", failure)]
            case "stay_sent":
                return [Step("sent")]
            case "read":
                return [Step("sent"), Step("delivered"), Step("read")]
            case _:
                reads = self.config.read_receipts and draft.channel == "whatsapp"
                return [Step("sent"), Step("delivered"), *([Step("read")] if reads else [])]

    def _whatsapp_failure(self, draft: Draft) -> int | None:
        content = self.store.content(draft.content_sid)
        if content is not None and refused_by_whatsapp(draft.look):
            return _INVALID_CONTENT
        if content is not None and content.approved:
            return None
        return None if self._window_is_open(draft) else _OUTSIDE_THE_WINDOW

    def _window_is_open(self, draft: Draft) -> bool:
        if not self.config.enforce_window:
            return True
        last = self.store.last_inbound.get((draft.sender, draft.to))
        return last is not None and self.config.clock.now() - last < _WINDOW

    def _after(self, seconds: float, call: Callable[[], None]) -> None:
        self.schedule.after(seconds, call)

    def _forwards(self, sid: str, steps: list[Step], rule: Rule, pause: float) -> None:
        """One step, its report, then the next: in order, since each waits for the one before."""
        if not steps:
            return

        def step() -> None:
            self._advance(sid, steps[0])
            self._report(sid, steps[0], rule.copies)
            self._forwards(sid, steps[1:], rule, pause)

        self._after(pause, step)

    def _backwards(self, sid: str, steps: list[Step], rule: Rule) -> None:
        for step in steps:
            self._advance(sid, step)
        for step in reversed(steps):
            self._report(sid, step, rule.copies)

    def _advance(self, sid: str, step: Step) -> None:
        self.store.advance(sid, step.status, self.config.clock.now(), step.error_code)

    def _report(self, sid: str, step: Step, copies: int) -> None:
        message = self.store.message(sid)
        if message.callback:
            form = _callback_form(message, step, self.config.account_sid)
            for _ in range(copies):
                deliver(self.config, message.callback, form)


def _callback_form(message: Message, step: Step, account_sid: str) -> dict[str, str]:
    form = {
        "ApiVersion": "2010-04-01",
        "AccountSid": account_sid,
        "MessageSid": message.sid,
        "SmsSid": message.sid,
        "MessageStatus": step.status,
        "SmsStatus": step.status,
        "From": message.sender,
        "To": message.to,
    }
    if step.error_code:
        form["ErrorCode"] = str(step.error_code)
    return form | (_whatsapp_extras(message, step) if message.channel == "whatsapp" else {})


def _whatsapp_extras(message: Message, step: Step) -> dict[str, str]:
    extras = {
        "ChannelInstallSid": "XE" + "0" * 32,
        "ChannelPrefix": "whatsapp",
        "ChannelToAddress": bare(message.to),
    }
    if step.status == "read":
        extras["EventType"] = "READ"
    if step.error_code:
        extras["ErrorMessage"] = ""
    return extras
