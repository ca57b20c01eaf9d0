"""The memory of a model and the table of its variables as constants of a library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jourdain.export.fmu.description import Variable
from jourdain.solvers.coupled.image import Image

LOOP, CODE = "jourdain_loop", "jourdain_code_{}"


@dataclass(frozen=True)
class Places:
    """Where things lie in the memory [bytes].

    Parameters
    ----------
    records : tuple of int
        Records of the loop; the first is that of the run.
    start : int
        Start values of the state.
    t, t_work : int
        Time of the run, and the time that compiled functions look at.
    output_arguments, output_code : int
        Arguments of the outputs, and the number of their code.
    """

    records: tuple[int, ...]
    start: int
    t: int
    t_work: int
    output_arguments: int
    output_code: int


def data_module(
    image: Image, places: Places, variables: Sequence[Variable], n_states: int, token: str
) -> str:
    """Text of an LLVM module with everything that the functions of FMI look at."""
    numbers = (
        len(image.data), len(image.pointers), len(image.calls), len(variables), n_states,
        places.records[0], places.start, places.t, places.t_work,
        places.output_arguments, places.output_code,
    )  # fmt: skip
    rows = [k for x in variables for k in (int(x.kind), x.place, x.start_place)]
    codes = [CODE.format(k) for k in range(len(image.kernels))]
    listed = ", ".join(f"ptr @{name}" for name in codes)
    return "\n".join(
        [
            _integers("numbers", numbers),
            _bytes("image", image.data),
            _bytes("token", token.encode() + b"\0"),
            _integers("pointers", [k for pair in image.pointers for k in pair] or [0, 0]),
            _integers("calls", [k for pair in image.calls for k in pair] or [0, 0]),
            _integers("variables", rows),
            *(f"declare void @{name}(ptr)" for name in codes),
            f"@jourdain_codes = constant [{len(codes)} x ptr] [{listed}]",
            _step(places.records),
        ]
    )


def _integers(name: str, values: Sequence[int]) -> str:
    listed = ", ".join(f"i64 {k}" for k in values)
    return f"@jourdain_{name} = constant [{len(values)} x i64] [{listed}]"


def _bytes(name: str, data: bytes) -> str:
    text = "".join(f"\\{byte:02X}" for byte in data)
    return f'@jourdain_{name} = constant [{len(data)} x i8] c"{text}", align 64'


def _step(records: Sequence[int]) -> str:
    """Function that calls the loop with its records in the memory of an instance."""
    lines = [
        f"%r{k} = getelementptr i8, ptr %memory, i64 {place}" for k, place in enumerate(records)
    ]
    arguments = ", ".join(f"ptr %r{k}" for k in range(len(records)))
    kinds = ", ".join(["ptr"] * len(records))
    return "\n".join(
        [
            f"declare i64 @{LOOP}({kinds})",
            "define i64 @jourdain_step(ptr %memory) {",
            *lines,
            f"%status = call i64 @{LOOP}({arguments})",
            "ret i64 %status\n}",
        ]
    )
