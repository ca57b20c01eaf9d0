from __future__ import annotations

import pickle

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError


def chain(n_bodies, n_coordinates=0):
    model = jd.Model("chain")
    place = model.world.at()
    for k in range(n_bodies):
        body = model.add_body(f"b{k}", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
        model.add_joint(f"j{k}", place, body, jd.Revolute("y"))
        place = body.at(0.1, 0, 0)
    for k in range(n_coordinates):
        model.add_coordinate(f"c{k}", 1.0)
    return model


@pytest.mark.parametrize(
    ("bodies", "coordinates", "kind"),
    [(1, 0, jd.Unrolled), (20, 0, jd.Unrolled), (21, 0, jd.Looped), (2, 60, jd.Unrolled)],
)
def test_small_trees_are_unrolled_and_large_ones_looped(bodies, coordinates, kind):
    assert type(jd.compile(chain(bodies, coordinates)).execution) is kind


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(lanes=8), jd.Looped(lanes=1)])
def test_way_of_running_may_be_chosen(execution):
    assert jd.compile(chain(2), execution=execution).execution is execution


def ring():
    model = chain(3)
    model.add_joint(
        "last", model.world.at(0.1, 0, 0), model.body("b2").at(0.1, 0, 0), jd.Revolute("y")
    )
    return model


def test_cut_is_chosen_by_the_user_and_kept_in_copies():
    system = jd.compile(ring(), cut="j1")
    assert [cut.name for cut in system.topology.cuts] == ["j1"]
    assert system.names.q == ("j0.angle", "j2.angle", "last.angle", "j1.angle")
    twin = pickle.loads(pickle.dumps(system))
    assert twin.names.q == system.names.q
    assert [cut.name for cut in jd.compile(ring()).topology.cuts] == ["last"]


def test_wrong_models_are_refused():
    model = jd.Model("empty")
    with pytest.raises(ModelError, match="there is no body and no coordinate"):
        jd.compile(model)


def test_nothing_is_compiled_before_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("JOURDAIN_CACHE", str(tmp_path / "cache"))
    system = jd.compile(chain(3))
    assert not (tmp_path / "cache").exists()
    system.poses(np.zeros(3))
    assert len(list((tmp_path / "cache").iterdir())) == 1
