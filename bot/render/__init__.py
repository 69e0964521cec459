"""A card in words or widgets, for each channel and language. Pure."""
