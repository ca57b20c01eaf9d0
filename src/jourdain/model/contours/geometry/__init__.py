"""Geometry that contours share: convex hulls, nearest points, poles."""
