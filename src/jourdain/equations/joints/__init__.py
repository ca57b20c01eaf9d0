"""What a joint contributes to the equations: motion, mode vectors, drives."""
