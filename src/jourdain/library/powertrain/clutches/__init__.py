"""Clutches, brakes and freewheels."""
