"""Forms: what members are asked to fill in and sign, and what they answered."""
