"""Absurd steps, spacings, sizes and NaN: an error with the remedy, never a hang."""

import re
import time

import numpy as np
import pytest

import jourdain as jd
from jourdain.io import dumps, loads


def pendulum(driven=None):
    model = jd.Model("pendulum")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1, at=(0, 0, -1)))
    drive = {"driven": {"angle": driven}} if driven else {}
    model.add_joint("j", model.world, ball, jd.Revolute("y"), **drive)
    return model


@pytest.fixture(scope="module")
def system():
    return jd.compile(pendulum())


@pytest.fixture(scope="module")
def stopped():
    model = pendulum()
    model.add_connection("stop", jd.Coordinate("j.angle"), jd.Unilateral(-2.0))
    return jd.compile(model)


# -- Steps, spacings, types ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: jd.Dop853(max_step=0), "max_step of Dop853 is 0 s: it must be positive."),
        (lambda: jd.Dop853(max_step=-1), "max_step of Dop853 is -1 s: it must be positive."),
        (lambda: jd.Radau5(max_step="a"), "max_step of Radau5 is 'a': give a number."),
        (lambda: jd.Dop853(rtol="a"), "rtol of Dop853 is 'a': give a number."),
        (lambda: jd.Dop853(rtol=True), "rtol of Dop853 is True: give a number."),
        (lambda: jd.Tsit5(atol="a"), "atol of Tsit5 is 'a': give a number."),
        (lambda: jd.RungeKutta4(dt=True), "step dt of RungeKutta4 is True: give a number."),
        (lambda: jd.RungeKutta4(dt=10**400), "step dt of RungeKutta4 is inf: give a finite"),
        (lambda: jd.Sampled(abs, period="a"), "period of Sampled is 'a': give a number."),
        (lambda: jd.Unilateral(restitution=True), "Unilateral has the restitution True: give"),
        (lambda: jd.Coulomb(0.1, 10**400), "Coulomb has the restitution"),
    ],
)
def test_settings_that_cannot_be(make, text):
    with pytest.raises(jd.ModelError, match=re.escape(text)):
        make()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"method": jd.RungeKutta4(1e-15)}, "dt = 1e-15 s: a run of 1 s takes 1e+15 steps then."),
        (
            {"method": jd.Gauss4(1e300)},
            "has the step dt = 1e+300 s, for a run of 1 s. Give dt=0.01",
        ),
        ({"method": jd.Dop853(max_step=1e-14)}, "max_step = 1e-14 s: a run of 1 s takes 1e+14"),
        ({"sample": 1e-12}, "sample is 1e-12 s: a run of 1 s has 1e+12 samples then. Give 5e-08 s"),
        ({"sample": True}, "sample is True; give a spacing"),
        ({"sample": 10**400}, "give a spacing in seconds"),
        ({"inputs": {"j.angle": jd.Sampled(lambda t: 0.0, 1e-12)}}, "calls it 1e+12 times"),
        ({"inputs": {"j.angle": True}}, "input 'j.angle' is True; give a number"),
        ({"t": 10**400}, "give a duration in seconds"),
    ],
    ids=lambda x: None if isinstance(x, str) else "-".join(x),
)
def test_runs_that_would_never_end(system, options, text):
    began = time.perf_counter()
    with pytest.raises(jd.ModelError, match=re.escape(text)):
        jd.simulate(system, options.pop("t", 1.0), **options)
    assert time.perf_counter() - began < 1.0


@pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_endless_steps_with_contacts(stopped, kind):
    for dt in (1e300, 1e-15):
        with pytest.raises(jd.ModelError, match=f"{kind.__name__} has (the step )?dt"):
            jd.simulate(stopped, 1.0, method=kind(dt))


def test_steps_of_the_phases_between_events(stopped):
    with pytest.raises(jd.ModelError, match="takes 1e\\+15 steps"):
        jd.simulate(stopped, 1.0, method=jd.EventDriven(jd.RungeKutta4(1e-15)))


@pytest.mark.parametrize("sample", [1e9, 0.1, 0.03, [0.02, 0.05]])
@pytest.mark.parametrize("method", [None, jd.RungeKutta4(1e-3), jd.RungeKutta4(0.3)], ids=str)
def test_the_first_and_the_last_time_are_there(system, sample, method):
    sol = jd.simulate(system, 0.1, sample=sample, method=method)
    ends = (0.02, 0.05) if isinstance(sample, list) else (0.0, 0.1)
    assert (sol.time[0], sol.time[-1]) == ends


# -- NaN -------------------------------------------------------------------------------------------


def root(t):
    return jd.sqrt(0.05 - t)


LAW = jd.Law(lambda x, v, at: root(at.t))
FORMULA = jd.Formula(lambda at: root(at.t), unit="m")
ANGLE = jd.Coordinate("j.angle")
FAULTS = {
    "drive": (lambda m: None, {}, "the drive of 'j.angle' is"),
    "input": (
        lambda m: None,
        {"inputs": {"j.angle": root}},
        "input 'j.angle' gives nan at t = 0.0",
    ),
    "event": (lambda m: None, {"events": {"top": root}}, "event 'top' gives nan at t = 0.05"),
    "law": (lambda m: m.add_connection("c", ANGLE, LAW), {}, "connection 'c': its law Law gives"),
    "formula": (lambda m: m.add_connection("c", FORMULA, jd.Spring(1.0)), {}, "connection 'c'"),
    "idle formula": (lambda m: m.add_connection("c", FORMULA, jd.Force(0.0)), {}, "connection 'c'"),
}
WAYS = {
    "Dop853": (False, jd.Dop853()),
    "Radau5": (False, jd.Radau5()),
    "RungeKutta4": (False, jd.RungeKutta4(1e-3)),
    "GeneralizedAlpha": (False, jd.GeneralizedAlpha(1e-3)),
    "EventDriven": (True, None),
    "MoreauJean": (True, jd.MoreauJean(1e-3)),
    "NonsmoothAlpha": (True, jd.NonsmoothAlpha(1e-3)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", FAULTS)
def test_nan_names_its_source_and_the_time(fault, way):
    add, options, text = FAULTS[fault]
    has_stop, method = WAYS[way]
    model = pendulum(root if fault == "drive" else None)
    add(model)
    if fault == "drive":
        model.add_coordinate("a", 1.0)
    if has_stop:
        model.add_connection("stop", jd.Coordinate("a" if fault == "drive" else "j.angle"),
                             jd.Unilateral(-2.0))  # fmt: skip
    with pytest.raises(jd.IntegrationError, match=re.escape(text)) as caught:
        jd.simulate(model, 0.1, method=method, **options)
    sol = caught.value.solution
    assert 0.048 <= sol.time[-1] <= 0.0501
    assert not sol.is_complete
    assert np.isfinite(sol.q).all()
    assert np.isfinite(sol.vdot).all()


# -- Numbers beyond all measure --------------------------------------------------------------------


@pytest.mark.parametrize("rate", [1e300, -1e300])
def test_start_rates_beyond_all_measure(system, rate):
    with pytest.raises(jd.JourdainError):
        jd.simulate(system, 1.0, start={"j.rate": rate}, method=jd.Dop853())


def test_a_box_beyond_all_measure():
    with pytest.raises(jd.ModelError, match="not finite"):
        jd.solid.box(1.0, (1e308, 1.0, 1.0))


def test_a_path_that_no_system_takes(system):
    with pytest.raises(jd.JourdainError, match="null"):
        jd.simulate(system, 0.01).save("a\0b")


# -- Files -----------------------------------------------------------------------------------------


def test_long_sums_in_files_are_bounded():
    model = jd.Model("sum")
    model.add_coordinate("a", 1.0)
    model.add_connection("c", 1.5 * jd.Coordinate("a") + 2.5 * jd.Coordinate("a"), jd.Spring(1.0))
    text = dumps(model)
    term = re.search(r"\{[^{}]*factor = 2\.5[^{}]*\}", text).group()
    began = time.perf_counter()
    with pytest.raises(jd.FormatError, match="operations; at most 100000 are read"):
        loads(text.replace(term, ", ".join([term] * 3000)))
    assert time.perf_counter() - began < 5.0
    assert loads(text.replace(term, ", ".join([term] * 20)))


def test_long_expressions_in_files_are_bounded():
    model = jd.Model("sum")
    mass = jd.Parameter("mass", 1.0)
    model.add_coordinate("a", mass + 1.0)
    text = dumps(model)
    long = text.replace("mass + 1.0", "mass" + " + 1.0" * 100_001)
    with pytest.raises(jd.FormatError, match="operations; at most 100000 are read"):
        loads(long)
