"""Every built-in joint kind comes back from a file as it was."""

from dataclasses import replace

import numpy as np
import pytest

from jourdain.io.elements.joint_kinds import forms, kind, kind_of_table, kind_tree, short_kind_tree
from jourdain.io.text.section import ContentError, Value
from jourdain.io.text.values import UnwritableError
from jourdain.math import Table
from jourdain.model.joints import (
    Fixed,
    Joint,
    PointOnCurve,
    PointOnSurface,
    Prismatic,
    Product,
    Revolute,
    RollingDisc,
    Screw,
    Spherical,
    all_joint_kinds,
)
from jourdain.spatial.parameter import Parameter
from jourdain.testing import all_user_kinds

P = Parameter("p", 0.5)
S = np.linspace(0.0, 1.0, 5)
WIRE = Table(S, np.column_stack([S, S**2, 0 * S]), "cubic")


def writable(given):
    """The same kind with a curve that a file can hold."""
    return replace(given, curve=WIRE) if isinstance(given, PointOnCurve) else given


KINDS = [writable(k) for k in all_joint_kinds() if not isinstance(k, PointOnSurface)] + [
    Screw("-z", 2 * P),
    RollingDisc(P),
    PointOnCurve(WIRE, Revolute("-x") * Fixed() * Spherical(), "="),
    PointOnCurve(WIRE, PointOnCurve(WIRE, Fixed())),
    Product((Prismatic("y"),)),
    Screw("x", P) * PointOnCurve(WIRE, Revolute("x")),
]


def value(data):
    return Value(data, ("joint", "main"), {"p": P})


@pytest.mark.parametrize("given", KINDS, ids=lambda k: str(k)[:60])
def test_kinds_come_back(given):
    assert kind_of_table(value(kind_tree(given)), ()) == given
    assert kind(value(short_kind_tree(given))) == given


def test_every_built_in_kind_has_a_form():
    names = {type(k).__name__ for k in all_joint_kinds()} - {"Product"}
    assert set(forms()) == names


def test_short_forms():
    assert short_kind_tree(Fixed()) == "Fixed"
    assert short_kind_tree(Revolute("-y")) == {"kind": "Revolute", "axis": "-y"}
    assert kind_tree(Prismatic("x") * Fixed()) == {
        "kind": [{"kind": "Prismatic", "axis": "x"}, "Fixed"]
    }


def test_products_of_products_are_flat():
    nested = [[{"kind": "Prismatic", "axis": "x"}], {"kind": ["Fixed", "Spherical"]}]
    assert kind(value(nested)) == Prismatic("x") * Fixed() * Spherical()


class Revolute2(Revolute):
    """A subclass of a built-in kind may mean anything."""


class Impostor(Joint):
    """A kind with the name of a built-in one."""


Impostor.__name__ = "Revolute"


@pytest.mark.parametrize("given", [*all_user_kinds(), Revolute2("z"), Impostor()], ids=repr)
def test_user_kinds_are_refused(given):
    with pytest.raises(UnwritableError, match=r"its kind is .*, which is Python code"):
        kind_tree(given)


@pytest.mark.parametrize(
    "given", [PointOnSurface(lambda u, v: (u, v, 0)), PointOnCurve(lambda s: s)]
)
def test_curves_and_surfaces_in_python_are_refused(given):
    with pytest.raises(UnwritableError, match=r"of its kind PointOn.* is the function .*lambda"):
        kind_tree(given)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (3, [""]),
        ("Hinge", [""]),
        ("Revolute", ["the key 'axis' is missing"]),
        ([], ["a joint product has no factors"]),
        (["Fixed", "Hinge", 2], ["kind[1]", "kind[2]"]),
        ([{"kind": "Revolute", "axis": "w"}], ["axis of Revolute is 'w'"]),
        ([{"axis": "x"}], ["give a joint kind such as"]),
    ],
    ids=str,
)
def test_wrong_kinds(data, found):
    with pytest.raises(ContentError) as error:
        kind_of_table(value({"kind": data}), ())
    texts = [text for _, text in error.value.found]
    assert len(texts) == len(found)
    assert all(part in text for part, text in zip(found, texts, strict=True))


def test_fields_beside_a_product_are_unknown_keys():
    with pytest.raises(ContentError) as error:
        kind_of_table(value({"kind": ["Hinge"], "axis": "x", "parent": 1}), ("parent",))
    assert [path for path, _ in error.value.found] == [
        ("joint", "main", "kind", 0),
        ("joint", "main", "axis"),
    ]


def test_a_surface_cannot_be_read():
    data = {"kind": "PointOnSurface", "surface": {"function": "Table", "x": [0], "y": [0]}}
    with pytest.raises(ContentError) as error:
        kind_of_table(value(data), ())
    assert "cannot stand in a file. Build this joint in Python" in error.value.found[0][1]
