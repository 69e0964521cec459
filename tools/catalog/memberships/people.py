"""Tools for members and invitations."""
