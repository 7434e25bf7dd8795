"""`python -m scrimp.cli`."""

from scrimp.cli import main

main()
