"""The processes, channels and variables for which a system has room."""
