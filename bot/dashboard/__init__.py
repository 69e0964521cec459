"""Pages of the dashboard: chat widget, schedule, sign-in (templates and static files)."""
