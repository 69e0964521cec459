"""The conversation: a person's words in, cards out."""
