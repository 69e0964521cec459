"""The language model behind the turn's port: transcript, prompt, streaming, cost of each call."""
