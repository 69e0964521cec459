"""The studio: its rules and tables. It knows no bot, no model, no channel."""
