"""Nodes: tanks, volumes, junctions, accumulators."""
