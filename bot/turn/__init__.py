"""The turn: events, plan, advance and the Model port. Pure."""
