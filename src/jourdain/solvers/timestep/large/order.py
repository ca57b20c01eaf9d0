"""Order of the contacts of a large island: from below to above, as they carry each other."""

from __future__ import annotations


def sort_island(s, first, last):
    """Sort the points of an island by height, those of equal height as they come."""
    points, height = s.island_points, s.height
    width = 1
    while width < last - first:
        for start in range(first, last, 2 * width):
            i, j = start, min(start + width, last)
            middle, end = j, min(start + 2 * width, last)
            for k in range(start, end):
                if i < middle and (j >= end or height[points[i]] <= height[points[j]]):
                    s.spare[k] = points[i]
                    i += 1
                else:
                    s.spare[k] = points[j]
                    j += 1
        for k in range(first, last):
            points[k] = s.spare[k]
        width *= 2
