"""The stand-in's behaviour without HTTP: send, phone in, callbacks out."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from bot.playground.twilio_api.accept import Draft, accept
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.delivery import Delivery
from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.phone import (
    PhoneSend,
    carrier_reply,
    inbound,
    reasons,
    webhook_form,
)
from bot.playground.twilio_api.records import Message, bare, new_sid
from bot.playground.twilio_api.rules import Rule, Rules
from bot.playground.twilio_api.schedule import Schedule
from bot.playground.twilio_api.store import Store
from bot.playground.twilio_api.webhook import Attempt, deliver


@dataclass(slots=True)
class Service:
    config: TwilioConfig
    store: Store = field(default_factory=Store)
    rules: Rules = field(default_factory=Rules)
    schedule: Schedule = field(default_factory=Schedule)

    def point_at(self, webhook_url: str, fallback_url: str = "") -> None:
        """Set where inbound messages go, once the application knows its own port."""
        self.config = replace(self.config, webhook_url=webhook_url, fallback_url=fallback_url)

    def send(self, form: Mapping[str, str]) -> Message:
        """Take one Messages.json form; raises `ApiError`, also where a rule wants it so."""
        draft = accept(form, self.config, self.store)
        is_content = bool(draft.content_sid)
        rule = self.rules.take(bare(draft.to), draft.channel, content=is_content)
        self._refuse(rule)
        message = self._accepted(draft, rule)
        if rule.outcome == "accept_then_500":
            raise ApiError(20500)
        if rule.outcome == "hang":
            self.schedule.pause(rule.seconds)
        return message

    def _refuse(self, rule: Rule) -> None:
        if rule.outcome == "refuse":
            raise ApiError(rule.code or 21211, rule.http_status)
        if rule.outcome == "hang_unaccepted":
            self.schedule.pause(rule.seconds)
        if rule.outcome in {"refuse_500", "hang_unaccepted"}:
            raise ApiError(20500)

    def _accepted(self, draft: Draft, rule: Rule) -> Message:
        now = self.config.clock.now()
        message = Message(
            sid=new_sid("MM" if draft.content_sid else "SM"),
            direction="outbound-api",
            sender=draft.sender,
            to=draft.to,
            look=draft.look,
            status="queued",
            created=now,
            updated=now,
            callback=draft.callback,
            content_sid=draft.content_sid,
        )
        self.store.add(message)
        Delivery(self.config, self.store, self.schedule).start(message, draft, rule)
        return message

    def phone_sends(self, send: PhoneSend) -> dict[str, Any]:
        """A person writes or taps: our webhook is called, as often as Twilio would."""
        if send.sid and send.sid in self.store.messages:
            message = self.store.message(send.sid)
        else:
            message = inbound(send, self.config, self.store)
            self._carrier_acts(message)
        form = webhook_form(message, send, self.config, self.store)
        with ThreadPoolExecutor(send.copies) as pool:
            deliveries = list(pool.map(lambda _: self._post(form), range(send.copies)))
        attempts = [attempt for delivery in deliveries for attempt in delivery]
        return {
            "sid": message.sid,
            "accepted": all(delivery and delivery[-1].ok for delivery in deliveries),
            "attempts": [attempt.on_wire() for attempt in attempts],
        }

    def _carrier_acts(self, message: Message) -> None:
        reply = carrier_reply(message, self.store, self.config.clock.now())
        if reply is not None:
            self.store.add(reply)

    def _post(self, form: Mapping[str, str]) -> list[Attempt]:
        """Call the webhook, then, if it failed for good, the fallback with the reason."""
        url, fallback = self.config.webhook_url, self.config.fallback_url
        attempts = deliver(self.config, url, form) if url else []
        if not attempts or attempts[-1].ok or not fallback:
            return attempts
        form = {**form, **reasons(attempts[-1].url, attempts[-1].error or 11200)}
        return attempts + deliver(self.config, fallback, form)

    def close_window(self, our_address: str, phone_address: str) -> None:
        """Let WhatsApp's 24 hours be over for one phone."""
        self.store.last_inbound.pop((our_address, phone_address), None)
