"""Large systems in loops: state equations, constraint rows, dense matrices."""
