"""Whether slow free bodies rest: impulses that hold them are looked for, and proven."""
