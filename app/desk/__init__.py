"""The front desk: what one act means for what members bought, booked and are."""
