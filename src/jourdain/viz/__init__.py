"""Pictures, animations, films and reports."""

from jourdain.viz.animate import animate, show
from jourdain.viz.film import render
from jourdain.viz.page import Page
from jourdain.viz.report import report

__all__ = ["Page", "animate", "render", "report", "show"]
