"""A stand-in for Twilio: its REST API for the official library, and phones that write to us."""
