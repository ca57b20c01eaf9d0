"""The command line by ``python -m jourdain``."""

from jourdain.cli import app

app(prog_name="jourdain")
