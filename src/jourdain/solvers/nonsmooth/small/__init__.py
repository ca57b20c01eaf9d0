"""Small problems with a dense matrix, solved in machine code."""
