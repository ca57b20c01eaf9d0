"""How equations are compiled: by size, from measured costs."""

from __future__ import annotations

from jourdain.system.execution import Execution, Looped, Unrolled

UNROLLED_UP_TO = 20
"""Links; beyond, loops are as fast and compile several times sooner."""
STRAIGHT_ROWS_UP_TO = 60
"""Links; rows of closed loops are three times as fast in straight-line code."""
LANES_UP_TO = 60
"""Connections; the code of their derivatives takes 50 ms each to compile in lanes, else 26 ms."""
CHECKED_UP_TO = 300
"""Links; a search for coordinates without inertia takes 1 ms per link."""
COMPILED_CONSTRAINTS_UP_TO = 60
"""Links of systems with loops, whose code takes 0.1 s a loop to compile."""

COMPILED_FROM = 2000
"""States a quantity is asked for; interpreting these takes as long as to compile it."""


def execution_for(n_links: int) -> Execution:
    """Straight-line code for small systems, loops over tables for large ones."""
    if n_links <= UNROLLED_UP_TO:
        return Unrolled()
    return Looped(loops_constraints=n_links > STRAIGHT_ROWS_UP_TO)


def execution_reason(n_links: int, execution: Execution) -> str:
    """Sentence that says how equations run, and why."""
    word = f"{n_links} link{'s' * (n_links != 1)}"
    if not isinstance(execution, Looped):
        kind = type(execution).__name__
        how = "straight-line code" if isinstance(execution, Unrolled) else kind
        limit = f"up to {UNROLLED_UP_TO} by default" if n_links <= UNROLLED_UP_TO else "as asked"
        return f"{how}: {word}, {limit}"
    rows = "loops" if execution.loops_constraints else "straight-line code"
    return f"loops over tables: {word}, more than {UNROLLED_UP_TO}; constraint rows in {rows}"
