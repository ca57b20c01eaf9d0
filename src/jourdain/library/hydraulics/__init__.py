"""Hydraulics: oil and mechanics as one system.

A column of oil is a coordinate with inertia, a junction is a constraint whose multiplier is the
pressure, a check valve a one-sided law, a valve that closes a lock. So pistons, pumps and oil are
solved together, event-driven or in time steps, and one audit closes over both. Nodes are added
first (`Tank`, `PressureSource`, `Volume`, `Junction`, `Accumulator`), elements between them after.
How they find each other is told in `jourdain.library.hydraulics.nodes.node`.

Pressures are relative to the atmosphere [Pa], flows in m³/s; ``sol["oil.a.pressure", "bar"]`` and
``sol["oil.hose.flow", "l/min"]`` convert.
"""

from jourdain.library.hydraulics.fluid import ATMOSPHERE, Fluid
from jourdain.library.hydraulics.frequencies import HydraulicFrequencies, hydraulic_frequencies
from jourdain.library.hydraulics.lines.elastic_line import ElasticLine
from jourdain.library.hydraulics.lines.gap import Gap
from jourdain.library.hydraulics.lines.leakage import Leakage
from jourdain.library.hydraulics.lines.line import Line
from jourdain.library.hydraulics.machines.bent_axis import BentAxis
from jourdain.library.hydraulics.machines.chain_tensioner import ChainTensioner
from jourdain.library.hydraulics.machines.cylinder import Cylinder
from jourdain.library.hydraulics.machines.flow_source import FlowSource
from jourdain.library.hydraulics.machines.piston_machine import PistonMachine
from jourdain.library.hydraulics.machines.pump import Motor, Pump
from jourdain.library.hydraulics.nodes.accumulator import Accumulator
from jourdain.library.hydraulics.nodes.cavitating_junction import CavitatingJunction
from jourdain.library.hydraulics.nodes.junction import Junction
from jourdain.library.hydraulics.nodes.node import Element, End, Node
from jourdain.library.hydraulics.nodes.tank import PressureSource, Tank
from jourdain.library.hydraulics.nodes.volume import Volume
from jourdain.library.hydraulics.oils import Oil, standard_oil
from jourdain.library.hydraulics.valves.ball_check_valve import BallCheckValve, BallSeat
from jourdain.library.hydraulics.valves.check_valve import CheckValve
from jourdain.library.hydraulics.valves.directional_valve import DirectionalValve, ServoValve
from jourdain.library.hydraulics.valves.orifice import Orifice
from jourdain.library.hydraulics.valves.reducing_valve import ReducingValve
from jourdain.library.hydraulics.valves.relief_valve import ReliefValve
from jourdain.library.hydraulics.valves.spool_valve import Edge, SpoolValve

__all__ = [
    "ATMOSPHERE",
    "Accumulator",
    "BallCheckValve",
    "BallSeat",
    "BentAxis",
    "CavitatingJunction",
    "ChainTensioner",
    "CheckValve",
    "Cylinder",
    "DirectionalValve",
    "Edge",
    "ElasticLine",
    "Element",
    "End",
    "FlowSource",
    "Fluid",
    "Gap",
    "HydraulicFrequencies",
    "Junction",
    "Leakage",
    "Line",
    "Motor",
    "Node",
    "Oil",
    "Orifice",
    "PistonMachine",
    "PressureSource",
    "Pump",
    "ReducingValve",
    "ReliefValve",
    "ServoValve",
    "SpoolValve",
    "Tank",
    "Volume",
    "hydraulic_frequencies",
    "standard_oil",
]
