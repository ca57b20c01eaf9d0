"""Groups of contours as a source of contact points of a step."""
