"""Results of a step, and where one begins or goes on."""

DONE, NOT_FINITE, SINGULAR, NEEDS_IMPACT, UNSOLVED, UNSETTLED, BAD_RESTITUTION = range(7)
"""Results; after NEEDS_IMPACT and UNSOLVED a step goes on with what it is given."""
BEGIN, WITH_IMPACT, WITH_IMPULSES, MANY, TERMS_ONLY, START = range(6)
"""Where a step begins or goes on; many steps; the terms at a state; accelerations at a state."""
