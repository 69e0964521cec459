"""The machinery of tools, without a domain: declare, cards, registry, runner, questions, undo."""
