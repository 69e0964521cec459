"""Tasks and reminders of the staff."""
