"""Messages to members: templates, audiences, broadcasts and announcements."""
