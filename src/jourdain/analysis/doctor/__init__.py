"""What can be said about a machine in one position: freedoms, self-stress, shaky positions."""
