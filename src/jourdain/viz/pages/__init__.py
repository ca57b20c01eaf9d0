"""Pages: the 3-D view as one HTML file."""
