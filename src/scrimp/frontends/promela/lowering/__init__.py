"""From state machines to a system."""
