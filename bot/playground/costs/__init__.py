"""What a gym's conversations would cost: a week replayed through our requests and the cache."""
