"""Islands of many contacts: sweeps without a matrix of all of them."""
