"""The gym itself: the org, its places and its rules of booking."""
