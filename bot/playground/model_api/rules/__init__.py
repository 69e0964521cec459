"""What the API refuses, rule by rule."""
