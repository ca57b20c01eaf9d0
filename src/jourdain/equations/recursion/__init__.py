"""Algorithms on trees: kinematics, inverse and forward dynamics, mass matrices."""
