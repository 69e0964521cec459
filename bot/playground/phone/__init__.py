"""The playground page: the dashboard beside a phone on WhatsApp and SMS, in any language."""

from bot.playground.phone.pages import Playground, playground

__all__ = ["Playground", "playground"]
