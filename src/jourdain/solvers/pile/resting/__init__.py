"""Whether slow bodies of a pile rest: impulses that hold them are looked for, and proven."""
