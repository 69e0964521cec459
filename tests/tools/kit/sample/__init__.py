"""A small studio of lockers, to try the kit on."""
