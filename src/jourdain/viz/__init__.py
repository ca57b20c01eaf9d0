"""Pictures and animations of systems."""

from jourdain.viz.page import page
from jourdain.viz.picture import picture

__all__ = ["page", "picture"]
