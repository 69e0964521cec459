"""Everything local: embedded servers, stand-ins for the vendors, the phone page, the demo gym."""
