"""What things look like: bodies, joints, connections, outlines."""
