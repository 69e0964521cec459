"""The stand-in's planner: rules that turn a sentence into tool calls; no language model."""
