"""Results of a step, and where one begins or goes on."""

(
    DONE, NOT_FINITE, SINGULAR, NEEDS_IMPACT, UNSOLVED, UNSETTLED, BAD_RESTITUTION, NEEDS_ROOM,
    NEEDS_POINTS, NO_SOLUTION, NOT_HELD,
) = range(11)  # fmt: skip
"""Results; after NEEDS_IMPACT, UNSOLVED and NEEDS_POINTS a step goes on with what it is given;
after NEEDS_ROOM it begins anew."""
(
    BEGIN, WITH_IMPACT, WITH_IMPULSES, MANY, TERMS_ONLY, START, WITH_POINTS, LOOK, TAKE_LOOK,
    SAMPLE,
) = range(10)  # fmt: skip
"""Where a step begins or goes on; many steps; the terms at a state; accelerations at a state;
groups of contours: a look at a state, in two parts, and what they tell of the last step."""
