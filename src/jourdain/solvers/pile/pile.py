"""Steps of many bodies in contact: bodies that hang on the world alone, and others beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.solvers.pile.arrays import Arrays
from jourdain.solvers.pile.correction import part_bodies
from jourdain.solvers.pile.matching import recall, remember
from jourdain.solvers.pile.motion import MIDDLE, place, to_end, to_middle
from jourdain.solvers.pile.rows import near_contacts, contact_sides
from jourdain.solvers.pile.sweeps import prepare, solve_islands

TOUCHES = 1e-12  # [m] gap that is none
RESTS = 1e-8  # [m] overlap that is left, so that contacts at rest stay closed


class Pile:
    def __init__(self, P, at_q, at_v, gravity, contour_unit, frames, poses, finder, mu, e, tol=1e-8, most=1000):
        self.n = n = len(P)
        self.P = np.ascontiguousarray(P)
        self.at_q = np.asarray(at_q, dtype=np.int64)
        self.at_v = np.asarray(at_v, dtype=np.int64)
        self.gravity = np.asarray(gravity, dtype=float)
        self.owner = np.asarray(contour_unit, dtype=np.int64)
        self.frames = np.ascontiguousarray(frames)
        self.poses = np.ascontiguousarray(poses)
        self.finder = finder
        self.mu, self.e, self.tol, self.most = mu, e, tol, most
        nx = 6 * n
        self.middle = np.zeros(n * MIDDLE)
        self.old, self.free, self.x, self.shift = (np.zeros(nx) for _ in range(4))
        self.radius = np.ones(nx)
        self.radius.reshape(-1, 6)[:, :3] = self.P[:, 22:23]
        self.blocks = np.zeros(1)
        self.w = np.zeros(64)
        self.at_unit = 6 * np.arange(n + 1)
        self.island, self.parent, self.members, self.at_member = (np.zeros(n + 4, dtype=np.int64) for _ in range(4))
        self.isl_report = np.zeros(2 * n + 4); self.cor_report = np.zeros(n + 4)
        self.depth = 16; self.state = np.zeros(64, dtype=np.int64)
        self.c = Arrays(dict(arms=15, A=27, c=3, r=3, mu=1, e=1, kept=3, sigma=1, ends=1, y=3, root=3, memory=3*(3+2*self.depth)+8),
                        dict(chosen=1, units=2, first=1, order=1, sides=6, key=3, old_key=3, table=4))
        self.n_old = 0
        self.table_size = 1
        self.c["table"][0] = -1
        self.times = {}

    def step(self, q, v, h, theta=0.5, corrected=True):
        D = lambda a: a.ctypes.data
        t0 = time.process_time()
        to_middle(self.n, D(self.at_q), D(self.at_v), D(q), D(v), D(self.P), D(self.gravity), h, D(self.middle), D(self.old), D(self.free), D(self.w))
        place(len(self.owner), D(self.owner), D(self.middle), D(self.frames), D(self.poses))
        t1 = time.process_time()
        near = max(TOUCHES, h * float(np.abs(self.free).max())) if corrected else TOUCHES
        pairs, features, gaps, normals, pa, pb = self.finder.find(self.poses, near)
        t2 = time.process_time()
        n = len(gaps)
        c = self.c
        c.reserve(n); 
        c["mu"][:] = self.mu; c["e"][:] = self.e
        at = c.at
        islands = near_contacts(n, near, D(gaps), D(normals), D(pairs), self.n, D(self.owner), at["chosen"], D(self.parent), at["units"], D(self.island), at["first"], at["order"], D(self.members), D(self.at_member))
        m = int(c["first"][islands]) if islands else 0
        if getattr(self, "sort", True):
            for i in range(islands):
                a, b = c["first"][i], c["first"][i + 1]
                o = c["order"][a:b]
                o[:] = o[np.argsort(pa[o, 2], kind="stable")]
        contact_sides(m, at["order"], D(pairs), D(normals), D(pa), D(pb), D(self.middle), self.n, D(self.owner), at["arms"], at["sides"])
        order = c["order"][:m]
        key = c["key"][: 3 * m].reshape(m, 3)
        key[:, :2] = pairs[order]; key[:, 2] = features[order]
        recall(m, at["key"], at["old_key"], at["table"], at["kept"], self.table_size, at["arms"], at["mu"], 1.0, at["r"])
        self.x[:] = self.free
        prepare(m, at["order"], at["sides"], at["arms"], D(self.middle), D(self.blocks), at["mu"], at["e"], D(gaps), D(self.old), at["r"], D(self.x), at["A"], at["c"], D(self.w), TOUCHES)
        t3 = time.process_time()
        solve_islands(islands, at["first"], D(self.members), D(self.at_member), D(self.at_unit), at["sides"], at["arms"], D(self.middle), D(self.blocks), at["mu"], at["A"], at["c"], at["r"], D(self.x), D(self.old), D(self.radius), D(self.w), self.tol, self.most, D(self.isl_report), self.depth, D(self.state), at["y"], at["root"], at["memory"])
        t4 = time.process_time()
        self.shift[:] = 0.0
        if corrected:
            part_bodies(islands, at["first"], at["order"], at["sides"], at["arms"], D(self.middle), D(self.blocks), at["A"], D(gaps), D(self.x), D(self.shift), at["sigma"], 0.5 * h, RESTS, 0.1 * RESTS, 200, at["ends"], D(self.cor_report), D(self.w))
        to_end(self.n, D(self.at_q), D(self.at_v), D(q), D(v), D(self.P), h, theta, D(self.middle), D(self.old), D(self.x), D(self.shift), D(self.w))
        self.table_size = 1 << max(4, (2 * m).bit_length())
        remember(m, at["key"], at["table"], at["r"], at["arms"], self.table_size, at["kept"])
        c.swap("key", "old_key")
        t5 = time.process_time()
        self.stat = (m, islands, self.isl_report[: 2 * islands].reshape(-1, 2), self.cor_report[:islands], (t1-t0, t2-t1, t3-t2, t4-t3, t5-t4), gaps.min() if n else 0)
