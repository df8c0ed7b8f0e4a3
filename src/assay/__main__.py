"""`python -m assay`: how the installed hooks call the tool."""

from assay.cli.main import run

run()
