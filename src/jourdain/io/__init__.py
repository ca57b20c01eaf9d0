"""Models as files: ``jd.read_model("crank.toml")`` and ``jd.write_model(model, "crank.toml")``."""

from jourdain.io.toml import loads, read, write
from jourdain.io.writing import dumps

read_model, write_model = read, write

__all__ = ["dumps", "loads", "read", "read_model", "write", "write_model"]
