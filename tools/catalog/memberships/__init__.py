"""The router `memberships`: `people` has members and invitations; what they bought is beside."""
