"""Pictures, animations, films and reports."""

from jourdain.viz.pages.animate import animate, show
from jourdain.viz.pages.page import Page
from jourdain.viz.pictures.film import render
from jourdain.viz.report import report

__all__ = ["Page", "animate", "render", "report", "show"]
