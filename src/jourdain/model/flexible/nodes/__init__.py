"""Flexible bodies of nodes: from modes, in files, and the meshes between their nodes."""
