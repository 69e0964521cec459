"""What members bought: plans, memberships, freezes and the ledger of credits."""
