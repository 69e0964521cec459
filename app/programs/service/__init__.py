"""The rules of programs, of what is assigned of them, and of the workout of the day."""
