"""Single steps of a model, for tests of what a step is made of."""

import numpy as np

import jourdain as jd
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.many_steps import ManySteps
from jourdain.simulation.contact.steps.one_step import OneStep
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.solvers.timestep.results import BEGIN, DONE, START
from jourdain.system.contact.modal import contact_kernels
from jourdain.system.contact.step_kernels import step_kernels


class SingleSteps:
    """Steps of h from a state, one after the other."""

    def __init__(self, model, h, kind=jd.MoreauJean, **settings):
        self.system = system = jd.compile(model)
        self.method = kind(h, **settings)
        kernels = contact_kernels(system, {}, {}, {})
        contacts = Contacts(system, kernels, system.one_parameter_set(None))
        own = step_kernels(system, {}, {})
        self.one = OneStep(contacts, own, system.names.quaternions, self.method)
        self.loop = ManySteps(self.one, Watch(system, {}, {}))
        self.machine, self.step = self.one.machine, self.one.step
        self.step.h, self.t = h, 0.0

    def start(self, q, v):
        """Take a state."""
        self.step.y[:-1] = np.concatenate([q, v])
        self.step.start_gaps[: self.machine.n_points] = self.loop.rows(q, v, [], self.t)[0]
        if self.step.is_alpha:
            self.step.phi[:] = self.step.a[:] = self.step.now = 0.0
            assert self.loop.step(START) == DONE

    def take(self):
        """One step; returns its result."""
        self.step.now = self.t
        result = self.loop.step(BEGIN)
        self.t += self.method.dt
        return result

    @property
    def q(self):
        return self.step.y[: self.machine.n_q].copy()

    @property
    def v(self):
        return self.step.y[self.machine.n_q : -1].copy()
