"""What a run is checked for: its limits, its numbers, its energy."""
