"""The tools of the sample."""
