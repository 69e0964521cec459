"""What may be asked of the studio: the one way in for the model, the dashboard and a job."""
