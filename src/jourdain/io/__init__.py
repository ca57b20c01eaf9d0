"""Models as files: ``jd.read_model("crank.toml")`` and ``jd.write_model(model, "crank.toml")``."""

from jourdain.io.robots.mjcf.reading import read_mjcf
from jourdain.io.robots.urdf import read_urdf
from jourdain.io.robots.writing import write_urdf
from jourdain.io.toml import loads, read, write
from jourdain.io.writing import dumps

read_model, write_model = read, write

__all__ = [
    "dumps",
    "loads",
    "read",
    "read_mjcf",
    "read_model",
    "read_urdf",
    "write",
    "write_model",
    "write_urdf",
]
