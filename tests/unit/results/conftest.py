"""Solutions of small machines, integrated by scipy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.results import Solution


@pytest.fixture(scope="session")
def integrate():
    """Integrate a system to 1e-12 by an eighth-order Runge-Kutta method; return a solution."""

    def run(system, start, times, *, tau=None, parameters=None, **more):
        times = np.asarray(times, dtype=float)
        q, v = system.state(start)
        n_q = len(q)

        def forces(t, y):
            return np.zeros(len(v)) if tau is None else system.forces(tau(t, y[:n_q], y[n_q:]))

        def rates(t, y):
            q, v = y[:n_q], y[n_q:]
            vdot = system.forward_dynamics(q, v, forces(t, y), t, parameters=parameters)
            return np.concatenate((system.coordinate_rates(q, v, t, parameters=parameters), vdot))

        y = solve_ivp(
            rates,
            (times[0], times[-1]),
            np.concatenate((q, v)),
            "DOP853",
            rtol=1e-12,
            atol=1e-13,
            t_eval=times,
        ).y.T
        given = np.array([forces(t, row) for t, row in zip(times, y, strict=True)])
        return Solution(
            system, times, y[:, :n_q], y[:, n_q:], None, given, parameters=parameters, **more
        )

    return run


class Pendulum:
    """Physical pendulum about y: mass, distance of the centre of mass, moment about the hinge."""

    mass, arm, moment, g = 0.8, 0.35, 0.06, 9.81
    about_hinge = moment + mass * arm**2

    def model(self, driven=None):
        model = jd.Model("pendulum")
        inertia = jd.Inertia(self.mass, (0, 0, -self.arm), (0.05, self.moment, 0.03))
        body = model.add_body("body", inertia)
        model.add_joint(
            "hinge", model.world.at(0.3, 0.1, 2.0), body, jd.Revolute("y"), driven=driven
        )
        model.add_frame("tip", body.at(0, 0, -0.9))
        return model

    def force(self, angle, rate, acceleration):
        """Force on the pendulum at the hinge, world axes."""
        s, c = np.sin(angle), np.cos(angle)
        x = -self.arm * (c * acceleration - s * rate**2)
        z = self.arm * (s * acceleration + c * rate**2)
        return self.mass * np.stack((x, np.zeros_like(x), z + self.g), axis=-1)


@pytest.fixture(scope="session")
def pendulum():
    return Pendulum()


@pytest.fixture(scope="session")
def swing(pendulum, integrate):
    """Half a second of the free pendulum."""
    system = jd.compile(pendulum.model())
    start = {"hinge.angle": 1.1, "hinge.rate": -0.4}
    return integrate(system, start, np.linspace(0.0, 0.5, 51))


@pytest.fixture(scope="session")
def mixture(integrate):
    """A machine with every family of names: hinge, ball joint, floating body, drive, shaft."""
    model = jd.Model("mixture")
    length = jd.Parameter("length", 0.5, "m")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world.at(0, 0, 1), rod, jd.Revolute("y"))
    model.add_frame("tip", rod.at(0, 0, -length))
    arm = model.add_body("arm", jd.solid.box(0.7, (0.1, 0.2, 0.3)))
    model.add_joint("elbow", "tip", arm.at(0, 0, 0.1), jd.Spherical())
    model.add_body("ball", jd.solid.box(0.7, (0.1, 0.2, 0.3)))
    drum = model.add_body("drum", jd.solid.cylinder(0.7, 0.1, 0.2))
    turn = jd.Table((0.0, 0.2, 0.4, 0.6), (0.0, 0.1, 0.5, 0.4), kind="cubic")
    place = drum.at(0.1, 0, 0)
    model.add_joint("spin", model.world, place, jd.Cylindrical("x"), driven={"angle": turn})
    model.add_coordinate("shaft", 0.1)
    start = {
        "hinge.angle": 1.0,
        "elbow.angular_velocity": (1, 0, 2),
        "ball.velocity": (1, 0, 3),
        "ball.angular_velocity": (1, 2, 3),
        "spin.velocity": 0.2,
    }

    def tau(t, q, v):
        return {"hinge.angle": 0.5 - 0.1 * v[6], "shaft.rate": 0.3}

    times = np.linspace(0.0, 0.5, 26)
    return integrate(jd.compile(model), start, times, tau=tau, parameters={"length": 0.6})
