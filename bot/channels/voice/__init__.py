"""Voice notes, by the vendor that the operator names."""
