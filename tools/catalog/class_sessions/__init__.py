"""The router `class_sessions`: one class, repeating ones, who came, and many at once."""
