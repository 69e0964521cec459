"""The rules of workouts: making and changing them, results, records and the gym's exercises."""
