"""What is shown while something takes long: in notebooks a line, in terminals a bar."""

from jourdain.analysis.progress.shown import shown_progress, tells_phases

__all__ = ["shown_progress", "tells_phases"]
