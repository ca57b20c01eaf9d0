"""Compiled systems: model in, functions on arrays out."""

from jourdain.system.execution import Execution, Looped, Plain, Unrolled
from jourdain.system.system import System, compile

__all__ = ["Execution", "Looped", "Plain", "System", "Unrolled", "compile"]
