"""The interior-point method, and the algebra of cones that it needs."""
