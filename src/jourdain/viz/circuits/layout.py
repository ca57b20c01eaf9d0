"""Drawing of a circuit from beginning to end: rows, columns, lines."""

from __future__ import annotations

from jourdain.viz.circuits.columns import place_columns
from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.rows import arranged
from jourdain.viz.circuits.wires import Layout, routed


def laid_out(circuit: Netlist) -> Layout:
    """Circuit on paper: what is fed stands above what feeds it, lines are upright or level."""
    rows = arranged(circuit)
    place_columns(rows, circuit)
    return routed(rows, circuit)
