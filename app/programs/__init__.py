"""Programs: what is to be trained over weeks, who was given it, and the workout of each day."""
