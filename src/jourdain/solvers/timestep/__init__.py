"""One nonsmooth time step in machine code, for any mixture of trees, loops, springs, contacts."""
