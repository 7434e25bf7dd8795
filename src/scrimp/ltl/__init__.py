"""Linear temporal logic: formulas, their meaning on words, and automata that accept the words of a formula."""
