"""Taking a studio over from Arbox: one way, with a preview, and back again if need be."""
