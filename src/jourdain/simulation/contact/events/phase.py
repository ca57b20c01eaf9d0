"""The smooth phase that lasts in a run from event to event, and its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jourdain.solvers import Record, Run


@dataclass
class Phase:
    """A phase that is to begin, or that lasts.

    Parameters
    ----------
    begun : Record or None
        Memory of its integration, if it has begun in an earlier run.
    run : Run or None
        Its integration, if it lasts.
    behind : mapping
        Counts of what lay behind when it began.
    """

    begun: Record | None = None
    run: Run | None = None
    behind: Mapping[str, Any] = field(default_factory=dict)

    def memory(self) -> dict[str, Any]:
        """Memory of a phase that lasts: before a step that its end cut short."""
        if self.run is None:
            return {}
        found, behind = self.run.mark or self.run.memory(), self.behind
        return {
            **found.contents, "counts": behind["counts"],
            "n_events": behind["n_events"] + found.n_events,
            "n_samples": behind["n_samples"] + found.n_samples, "present": [],
        }  # fmt: skip
