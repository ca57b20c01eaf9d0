"""What is found out about a compiled system before it is trusted."""
