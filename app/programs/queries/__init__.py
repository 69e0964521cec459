"""Reading programs, templates, assignments and the workout of the day."""
