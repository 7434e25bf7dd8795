"""`python -m scrimp` is the command `scrimp`."""

from scrimp.cli import main

main()
