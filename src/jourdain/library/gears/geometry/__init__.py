"""Geometry of involute teeth, phases of meshes, stress and oil film."""
