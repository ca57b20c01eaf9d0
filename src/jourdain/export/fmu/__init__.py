"""FMUs: models as libraries that other simulation programs step (FMI 3.0, co-simulation)."""
