"""Wheels with more than their teeth: elastic rings, split wheels, splines, planetary sets."""
