"""Expression graphs to machine code: lowering, loops, SIMD lanes, cache."""
