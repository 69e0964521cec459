"""The inbox: what members and leads write to the gym, and what the gym answers."""
