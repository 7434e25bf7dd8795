"""Tests of property files of the Model Checking Contest."""
