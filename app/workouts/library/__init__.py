"""The exercises that every gym knows: data of the product, in three languages, not rows."""
