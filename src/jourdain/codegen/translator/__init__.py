"""Loops in plain Python, translated to LLVM IR."""
