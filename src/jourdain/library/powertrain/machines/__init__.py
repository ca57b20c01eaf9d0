"""Engine, torque converter and vehicle."""
