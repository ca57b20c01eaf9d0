"""What formulations have in common."""

from __future__ import annotations

import dataclasses

import pytest

from jourdain.formulations import Formulation, Recursive, VelocityTransformation, all_formulations


def test_the_registry_holds_every_formulation_once():
    found = all_formulations()
    kinds = {type(formulation).__name__ for formulation in found}
    assert kinds == {kind.__name__ for kind in Formulation.__subclasses__()}
    assert len(set(found)) == len(found)
    assert found[0] == Recursive()


@pytest.mark.parametrize("formulation", all_formulations(), ids=repr)
def test_formulations_are_values(formulation):
    assert dataclasses.is_dataclass(formulation)
    assert formulation == dataclasses.replace(formulation)
    with pytest.raises((dataclasses.FrozenInstanceError, TypeError, AttributeError)):
        formulation.coordinates = "others"


def test_the_contract_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Formulation()
    assert VelocityTransformation().coordinates == "twists"
