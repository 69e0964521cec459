"""A large gym for measuring: written in bulk, the same for a seed and a time."""
