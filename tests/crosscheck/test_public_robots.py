"""All robots of the package ``example-robot-data`` (extra ``robots``) against Pinocchio."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import FormatError

RTOL = 1e-12
REFUSED = {  # files that are wrong, and why
    "alex_psyonic_hands.urdf": "mimics 'index_q1', which is no joint",
    "ur3.urdf": "has no links",
}


def files():
    try:
        found = importlib.metadata.files("example-robot-data") or ()
    except importlib.metadata.PackageNotFoundError:
        return []
    return sorted(Path(f.locate()) for f in found if f.suffix == ".urdf")


@pytest.mark.thorough
def test_the_robots_are_there():
    assert len(files()) >= 60, "pip install 'jourdain[robots]'"


@pytest.mark.thorough
@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_a_public_robot_is_that_of_pinocchio(file):
    pin = pytest.importorskip("pinocchio")
    if file.name in REFUSED:
        with pytest.raises(FormatError, match=REFUSED[file.name]):
            jd.read_urdf(file, inertia="repair")
        return
    try:
        robot = jd.read_urdf(file)
    except FormatError as error:
        if 'inertia="repair"' not in str(error):
            raise
        robot = jd.read_urdf(file, inertia="repair")
    is_repaired = any("no body has" in note for note in robot.notes)
    system = jd.compile(robot.model())
    theirs = pin.buildModelFromUrdf(str(file), mimic=False)
    old = {
        n.split("'")[3]: n.split("'")[1]
        for n in robot.notes
        if n.startswith("joint '") and " is called " in n
    }
    rng, to = np.random.default_rng(0), []
    q, there = rng.uniform(-1, 1, len(system.names.q)), pin.neutral(theirs)
    for x, name in zip(q, (n.rpartition(".")[0] for n in system.names.q), strict=True):
        joint = theirs.joints[theirs.getJointId(old.get(name, name))]
        there[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else (np.cos(x), np.sin(x))
        to.append(joint.idx_v)
    assert len(to) == theirs.nv
    if not to:
        return
    M = pin.crba(theirs, theirs.createData(), there)
    M = np.triu(M) + np.triu(M, 1).T
    difference = np.abs(system.mass_matrix(q) - M[np.ix_(to, to)]).max() / np.abs(M).max()
    assert difference < (2e-2 if is_repaired else RTOL)
