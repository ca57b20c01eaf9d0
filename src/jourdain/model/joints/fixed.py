"""Fixed joint: no motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.model.joints.joint import Joint


class Fixed(Joint):
    """Weld: the child frame stays on the parent frame.

    It has no coordinates.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Fixed().coordinates
    {}
    """

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Identity."""
        return np.eye(3), np.zeros(3)
