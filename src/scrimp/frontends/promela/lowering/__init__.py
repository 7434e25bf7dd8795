"""State machines to a system."""
