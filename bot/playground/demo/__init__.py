"""The demo gym: enough of a studio to try everything on, in three languages."""

from bot.playground.demo.gym import DemoGym, build
from bot.playground.demo.next_door import NextDoor

__all__ = ["DemoGym", "NextDoor", "build"]
