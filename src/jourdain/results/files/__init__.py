"""Solutions as files, and what is checked before a file is believed."""
