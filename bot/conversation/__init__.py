"""Keeping conversations: mailbox, turns, leases, answers, identities, deliveries."""
