"""Names with dots: ``group.element.quantity.axis``, and the one place that takes them apart.

An element has a name of its own and, before it, the names of the groups it lies in. Groups and
elements have different names, so that no element's name begins another one's but for members of a
composite, ``star`` and ``star.leg``. The longest element's name that a full name begins with is
therefore its owner, and the only one it can have.

A name may be *short*: the element is left out where only one element of its group or part has such
a quantity, ``oil.tank.pressure`` for ``oil.tank.node.pressure``. What is named in full comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator


def joined(*names: str) -> str:
    """Full name of an element in groups; empty names are left out.

    >>> joined("oil", "hose", "flow")
    'oil.hose.flow'
    """
    return ".".join(name for name in names if name)


def owned(name: str, elements: Container[str]) -> tuple[str, str]:
    """Element that a full name belongs to, and the quantity behind it.

    Parameters
    ----------
    name : str
        Full name, ``oil.hose.force.x``.
    elements : container of str
        Names of elements.

    Returns
    -------
    element, quantity : str
        The element is empty where the name belongs to none; then the quantity is the whole name.

    Examples
    --------
    >>> owned("oil.hose.force.x", {"oil.hose", "crank"})
    ('oil.hose', 'force.x')
    """
    end = len(name)
    while end > 0:
        if name[:end] in elements:
            return name[:end], name[end + 1 :]
        end = name.rfind(".", 0, end)
    return "", name


def element_of(name: str, elements: Container[str]) -> str:
    """Element that a full name belongs to; of an unknown one what stands before the first dot."""
    return owned(name, elements)[0] or name.partition(".")[0]


def components(name: str, known: Iterable[str], elements: Container[str]) -> list[str]:
    """Known names that are components of a vector such as ``ball.position``; none of an element.

    >>> components("ball.position", ["ball.position.x", "ball.position.y", "ball.spin"], {"ball"})
    ['ball.position.x', 'ball.position.y']
    """
    if name in (element_of(name, elements), ""):
        return []
    return [full for full in known if full.rpartition(".")[0] == name]


def short(name: str, elements: Container[str]) -> str:
    """Full name without that of its element; empty where the element lies in no group.

    >>> short("oil.tank.node.pressure", {"oil.tank.node"})
    'oil.tank.pressure'
    """
    element, quantity = owned(name, elements)
    group = element.rpartition(".")[0]
    return joined(group, quantity) if group and quantity else ""


def meant(name: str, known: Iterable[str], elements: Container[str]) -> list[str]:
    """Full names that a short one may stand for.

    >>> meant("tank.pressure", ["tank.node.pressure", "tank.node.volume"], {"tank.node"})
    ['tank.node.pressure']
    """
    return [full for full in known if short(full, elements) == name]


def full_name(name: str, known: Collection[str]) -> str:
    """Full name of a state or input; itself where it is no short name of one of them."""
    if name in known:
        return name
    found = meant(str(name), known, {full.rpartition(".")[0] for full in known})
    return found[0] if len(found) == 1 else name


def groups_of(name: str) -> Iterator[str]:
    """Groups that an element lies in by its name, the outermost first.

    >>> list(groups_of("car.axle.wheel"))
    ['car', 'car.axle']
    """
    place = name.find(".")
    while place >= 0:
        yield name[:place]
        place = name.find(".", place + 1)


def is_inside(name: str, group: str) -> bool:
    """Tell whether a name lies in a group; every name lies in the group without a name."""
    return not group or name.startswith(f"{group}.")


def outermost(names: Iterable[str]) -> list[str]:
    """Names that lie in none of the others.

    >>> outermost(["box", "box.clutch", "boxes"])
    ['box', 'boxes']
    """
    known = list(names)
    around = set(known)
    return [name for name in known if not any(group in around for group in groups_of(name))]
