"""One step of many bodies in contact: loops in plain Python that become machine code."""
