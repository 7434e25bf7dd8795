"""The page of `scrimp view`: a session over walks and searches, its messages, and the server."""
