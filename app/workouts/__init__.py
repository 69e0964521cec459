"""Workouts: the exercise library, structured workouts, what members scored and can lift."""
