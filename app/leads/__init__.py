"""Leads: people who may join, how far they have come and what was done about it."""
