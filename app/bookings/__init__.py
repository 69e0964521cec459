"""Bookings: who has a place, who waits, who may book, what a changed class means for them."""
