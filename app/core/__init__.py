"""What every domain stands on: database, settings, actor, clock, errors, money, ids, outbox."""
