"""What reductions know about a system: the dependence between events, and what each process can do from each place."""
