"""Help: articles on what Spotter can do, in three languages, kept as files beside the code."""
