"""What every name means: from the parser's nodes to the program."""
