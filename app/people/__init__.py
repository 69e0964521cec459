"""People: logins, staff and members, and finding them by any spelling."""
