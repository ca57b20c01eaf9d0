"""The command ``jourdain``. Heavy modules are loaded by the commands that need them."""

from jourdain.cli.app import app

__all__ = ["app"]
