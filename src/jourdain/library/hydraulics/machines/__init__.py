"""Pumps, motors and cylinders."""
