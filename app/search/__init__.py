"""Looking things up across the studio by letters, words and meaning."""
