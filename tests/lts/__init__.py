"""Labelled transition systems, read and compared by means that share nothing with scrimp's own."""
