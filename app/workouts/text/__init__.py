"""Workout texts as coaches write them, in three languages, read into the structure."""
