"""Automations: what happens by itself when something becomes so, at most once each time."""
