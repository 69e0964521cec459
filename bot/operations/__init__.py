"""Running Spotter: crews of workers, the steady pulse, the web process."""
