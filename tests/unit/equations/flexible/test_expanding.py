"""Flexible bodies taken apart: sections are shared, names are kept, frames are found again."""

import pickle

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.flexible.expanding import expanded

SECTION = jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02)


def _model():
    model = jd.Model("two")
    arm = model.add_body("arm", jd.flexible.beam(1.0, SECTION, modes=2))
    model.add_joint("hub", model.world, arm, jd.Revolute("z"))
    for k in range(2):
        tip = model.add_body(f"tip{k}", jd.Inertia(1.0, moments=(1, 1, 1)))
        model.add_joint(f"grip{k}", arm.at(1.0, 0, 0), tip, jd.Revolute("x"))
    return model, arm


def test_models_without_flexible_bodies_stay_as_they_are():
    model = jd.Model("rigid")
    model.add_body("ball", jd.Inertia(1.0))
    assert expanded(model, ()).model is model


def test_one_section_serves_all_that_is_fastened_there():
    model, _ = _model()
    found = expanded(model, ())
    ends = {found.model.joints[f"grip{k}"].parent.body for k in range(2)}
    assert len(ends) == 1
    assert ends <= set(found.sections.values())
    assert found.model.joints["hub"].child.body == "arm.root"
    assert {"arm.elastic.y1", "arm.elastic.z1"} & set(jd.compile(model).names.q)


def test_names_that_are_taken_are_told():
    model, _ = _model()
    group = model.group("arm2")
    group.add_body("root", jd.Inertia(1.0))
    other = model.copy()
    other.tables()["body"]["arm.root"] = other.bodies["arm2.root"]
    with pytest.raises(jd.ModelError, match=r"'arm.root' has a name that a flexible body needs"):
        expanded(other, ())


def test_frames_that_were_not_compiled_are_refused():
    model, arm = _model()
    gauge = model.add_frame("gauge", arm.at(0.4, 0, 0))
    system = jd.compile(model)
    q = system.state({"arm.elastic.y1": 0.01})[0]
    assert np.ndim(system.jacobian(gauge, q)) == 2
    with pytest.raises(jd.ModelError, match="was not there when the model was compiled"):
        system.jacobian(arm.at(0.41, 0, 0), q)
    back = pickle.loads(pickle.dumps(system))
    assert back.names.q == system.names.q


def test_what_is_not_there_for_flexible_bodies_says_so():
    model, _ = _model()
    system = jd.compile(model)
    q, v = system.state({})
    with pytest.raises(jd.ModelError, match="derivatives of inverse dynamics"):
        system.inverse_dynamics_derivatives(q, v, v)


def test_derivatives_and_solutions_of_forward_dynamics():
    model, _ = _model()
    system = jd.compile(model)
    rng = np.random.default_rng(0)
    q, v = 0.01 * rng.normal(size=(2, len(system.names.q)))
    x = rng.normal(size=(3, len(v)))
    assert np.allclose(system.solve_mass_matrix(q, x) @ system.mass_matrix(q), x, atol=1e-9)
    found, step = system.forward_dynamics_derivatives(q, v), 1e-6
    for k in range(len(q)):
        change = step * np.eye(len(q))[k]
        pair = [system.forward_dynamics(q + s * change, v) for s in (1, -1)]
        slope = (pair[0] - pair[1]) / (2.0 * step)
        assert np.allclose(found.q[:, k], slope, atol=1e-6 * np.abs(found.q).max())


def test_too_large_deformations_are_named():
    model, _ = _model()
    with pytest.raises(jd.JourdainError, match="body 'arm' of model 'two' is deformed too much"):
        jd.simulate(model, 0.1, start={"arm.elastic.y1": 0.8})
