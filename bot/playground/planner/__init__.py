"""The stand-in's planner: rules that turn a sentence into tool calls; no language model."""

from bot.playground.planner.brain import Planner

__all__ = ["Planner"]
