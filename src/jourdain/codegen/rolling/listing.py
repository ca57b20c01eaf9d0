"""An expression graph as a list of assignments: every value is made once, equal ones are one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca

_COMMUTATIVE = (ca.OP_ADD, ca.OP_MUL)
_SAME = (ca.OP_ASSIGN, ca.OP_LIFT, ca.OP_PRINTME)  # give their first argument


@dataclass
class Listing:
    """Values in an order in which arguments come first.

    Parameters
    ----------
    operations : list of int
        Operation of each value, by CasADi's numbers.
    arguments : list of tuple of int
        Values it is made of; of an input its place among the inputs.
    constants : dict of int to float
        Numbers of the values that are constants.
    outputs : list of (int, int)
        Place among the outputs, and value.
    """

    operations: list[int] = field(default_factory=list)
    arguments: list[tuple[int, ...]] = field(default_factory=list)
    constants: dict[int, float] = field(default_factory=dict)
    outputs: list[tuple[int, int]] = field(default_factory=list)

    def add(self, operation: int, arguments: tuple[int, ...]) -> int:
        """Append a value."""
        self.operations.append(operation)
        self.arguments.append(arguments)
        return len(self.operations) - 1

    def add_constant(self, number: float) -> int:
        """Append a number."""
        value = self.add(ca.OP_CONST, ())
        self.constants[value] = number
        return value

    def __len__(self) -> int:
        return len(self.operations)


def listed(graph: Any) -> Listing:
    """Listing of an SX function of one column that gives one column.

    Equal operations on equal values become one. CasADi's own elimination of them is not used: with
    ``cse=True`` version 3.8.2 gives other numbers for some graphs.
    """
    found = Listing()
    operations, arguments = found.operations, found.arguments
    work: dict[int, int] = {}  # element of CasADi's work vector → value
    done: dict[tuple[Any, ...], int] = {}
    numbers: dict[str, int] = {}
    operation, given, to = (
        graph.instruction_id, graph.instruction_input, graph.instruction_output,
    )  # fmt: skip
    for k in range(graph.n_instructions()):
        op = operation(k)
        i, o = given(k), to(k)
        if op == ca.OP_OUTPUT:
            found.outputs.append((o[1], work[i[0]]))
            continue
        if op == ca.OP_CONST:
            number = graph.instruction_constant(k)
            text = float(number).hex()
            if text not in numbers:
                numbers[text] = found.add_constant(number)
            work[o[0]] = numbers[text]
            continue
        if op in _SAME:
            work[o[0]] = work[i[0]]
            continue
        if op == ca.OP_INPUT:
            values: tuple[int, ...] = (i[1],)
        else:
            values = (work[i[0]],) if len(i) == 1 else (work[i[0]], work[i[1]])
        is_turned = op in _COMMUTATIVE and values[0] > values[1]
        key = (op, values[1], values[0]) if is_turned else (op, *values)
        value = done.get(key)
        if value is None:
            value = done[key] = len(operations)
            operations.append(op)
            arguments.append(values)
        work[o[0]] = value
    return found
