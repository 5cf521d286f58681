"""`python -m culdesac`."""

from culdesac.cli import main

main()
