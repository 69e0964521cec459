"""Events on their way to whoever watches: Redis streams written by workers, read by pages."""
