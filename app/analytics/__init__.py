"""Figures of the gym: money, members, attendance, leads; read from histories, never stored."""
