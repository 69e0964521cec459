"""A stand-in for the public API of Arbox, with its habits."""
