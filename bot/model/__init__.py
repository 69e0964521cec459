"""The Anthropic adapter of the Model port: transcript, prompt layout, streaming, usage."""
