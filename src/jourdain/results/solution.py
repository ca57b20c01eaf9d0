"""The result of a simulation: everything by name, with units."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.results.channels.catalogue import column_names, computed_channels, find
from jourdain.results.channels.channel import Channel, dataset
from jourdain.results.channels.contact_groups import columns_of_contacts
from jourdain.results.channels.listing import Listing, is_listed
from jourdain.results.files.stored import Stored
from jourdain.results.files.tables import columns_of, write_csv, write_matlab
from jourdain.results.interpolation import interpolate
from jourdain.results.ledger import Ledger, ledger
from jourdain.results.moment import Moment, State
from jourdain.results.statistics import Checkpoint, Event, Statistics
from jourdain.results.trajectory import Trajectory, checked_samples
from jourdain.spatial.units import converted, is_pair
from jourdain.system import System

if TYPE_CHECKING:
    import xarray as xr


class Solution:
    """Motion of a system over time. Made by `jourdain.simulate`.

    Quantities are asked for by name, ``sol["main.angle"]``, and are computed when they are first
    asked for; nothing is integrated again. Components have the axis behind a further dot,
    ``sol["wrist.force.x"]``, or are selected, ``sol["wrist.force"].sel(axis="x")``. Numbers are SI;
    another unit is asked for by ``sol["main.angle", "deg"]``.

    ========================  ====================================================================
    element                   quantities
    ========================  ====================================================================
    joint                     its coordinates and velocities, driven ones too (``angle``, ``rate``);
                              ``angular_acceleration``, ``acceleration`` or alike, their rates;
                              ``applied_torque``, ``applied_force``: along the coordinate, by inputs
                              or by the drive, that of an armature included; ``force``,
                              ``torque``: on the child by the parent, what an armature takes left
                              out, in parent axes, torque about the origin of the child frame
    connection                ``value``, ``rate``, ``force`` (on the bodies: it makes the value
                              grow), ``energy`` stored, states and inputs of its law
    contact, dry friction     ``gap``, ``gap_rate``, ``slip`` (sliding velocity), ``normal_force``,
                              ``friction_force`` along the tangents; each point of several by its
                              number, ``floor.3.gap``, and then the least gap and the sum of the
                              normal forces; between contours ``force`` on the second one, in world
                              axes, of all points together; moments as ``rolling.moment``;
                              ``power``; ``work`` since the begin, of all points and impacts
    group of contacts         ``count`` of closed ones, ``normal_force`` (sum), ``penetration``
                              (largest), ``residual`` of the solution, ``work``
    body in such a group      ``contact_force``, ``contact_torque`` at its frame, world axes
    body, named frame         ``position``, ``velocity``, ``acceleration`` in world axes;
                              ``orientation``: quaternion, scalar first; ``angular_velocity``,
                              ``angular_acceleration`` in its own axes, as in a free joint, and
                              ``angular_velocity_world``, ``angular_acceleration_world``
    ``energy``                ``kinetic``, ``potential``, ``total``
    ``power``                 ``applied`` (inputs), ``drives``, ``connections`` (beyond stored),
                              ``contacts`` and ``contact_drives`` (part of ``drives``), no impacts
    ``work``                  ``contacts``, ``contact_drives`` since the begin; of oil ``laws``
    ``momentum``              ``linear``, ``angular`` (about the origin of the world)
    ``centre_of_mass``        ``position``
    ========================  ====================================================================

    Parameters
    ----------
    system : System or None
        The compiled machine; None only with ``stored``.
    time : (n,) [s]
        Times, not falling; discontinuities have their time twice, before and after.
    q : (n, n_q) [m, rad, 1]
        Position coordinates.
    v : (n, n_v) [m/s, rad/s]
        Velocity coordinates.
    vdot : (n, n_v) [m/s^2, rad/s^2], optional
        Accelerations; by default those of the forces.
    tau : (n, n_v) [N, N m], optional
        Generalized forces; by default none.
    extra : (n, n_extra), optional
        Forces along the coordinates of cut joints, then inputs of laws; by default none.
    contacts : (n, n_contacts), optional
        What groups of contacts do, and their loads on bodies; by default nothing.
    events : tuple of Event
        Moments found, in the order of time.
    statistics : Statistics
        How it was computed.
    inputs : mapping
        Inputs by name, for the report.
    parameters : mapping of str to float
        Values of parameters that differ from the nominal ones.
    stored : Stored
        Channels of a file that could not hold its model.
    checkpoint : Checkpoint
        Memory of the run, for ``jd.simulate(model, t, resume=sol)``.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.results import Solution
    >>> model = jd.Model("fall")
    >>> ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    >>> system = jd.compile(model, execution=jd.Plain())
    >>> q, v = system.state({"ball.velocity": (1.0, 0.0, 0.0)})
    >>> sol = Solution(system, [0.0], [q], [v])
    >>> sol["energy.kinetic"].values, sol["energy.kinetic"].units
    (array([1.]), 'J')
    >>> float(sol["ball.acceleration.z"][0])
    -9.81
    """

    def __init__(  # noqa: PLR0913
        self, system: System | None, time: Any, q: Any, v: Any, vdot: Any = None,
        tau: Any = None, extra: Any = None, contacts: Any = None, *,
        events: Iterable[Event] = (), statistics: Statistics | None = None,
        inputs: Mapping[str, Any] | None = None, parameters: Mapping[str, float] | None = None,
        stored: Stored | None = None, checkpoint: Checkpoint | None = None,
    ) -> None:  # fmt: skip
        self._system, self._stored, self.time = system, stored, checked_samples(time, "time")
        given = columns_of_contacts(contacts, system, len(self.time))

        def column(given: Any, name: str, of: str = "") -> Any:
            shape = len(self.time), len(self.columns.get(of or name, ()))
            return checked_samples(np.zeros(shape) if given is None else given, name, shape)

        self.q, self.v, self.tau = column(q, "q"), column(v, "v"), column(tau, "tau", "v")
        self.extra, self.contacts = column(extra, "extra"), column(given, "contacts")
        self.parameters, self.inputs = dict(parameters or {}), dict(inputs or {})
        if vdot is not None:
            self.vdot = checked_samples(vdot, "vdot", self.v.shape)
        self.events, self.checkpoint = tuple(events), checkpoint
        self.statistics = Statistics() if statistics is None else statistics

    @cached_property
    def vdot(self) -> Any:
        """Accelerations (n, n_v) [m/s^2, rad/s^2]; without those of a run, what forces cause."""
        if not len(self.time):
            return np.zeros_like(self.v)
        columns = self.time, self.q, self.v, self.v, self.tau, self.extra
        return Trajectory(self.system, *columns, self.parameters, self.contacts).accelerations

    @property
    def system(self) -> System:
        """The compiled machine."""
        if self._system is None:
            raise ModelError(
                self._without_model() if self._stored else "a solution needs a system."
            )
        return self._system

    @property
    def model(self) -> Model:
        """The machine."""
        return self.system.model

    @property
    def is_complete(self) -> bool:
        """Whether the run came to its end or to an event that ends it."""
        return self.statistics.is_complete

    @property
    def has_model(self) -> bool:
        """Whether the machine is known, so that everything can be computed."""
        return self._stored is None

    @property
    def why_without_model(self) -> str:
        """Why a loaded solution has no model; empty if it has one."""
        return "" if self._stored is None else self._stored.reason

    @property
    def model_name(self) -> str:
        """Name of the machine."""
        return self._stored.model_name if self._stored is not None else self.system.model.name

    @cached_property
    def ledger(self) -> Ledger:
        """Contacts from begin to end, impacts, stick and slip, in the order of time."""
        return ledger(self)

    @cached_property
    def trajectory(self) -> Trajectory:
        """States over time, and what follows from them."""
        columns = self.time, self.q, self.v, self.vdot, self.tau, self.extra
        return Trajectory(self.system, *columns, self.parameters, self.contacts)

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        """Descriptions of all quantities by name."""
        return (
            self._stored.channels
            if self._stored is not None
            else computed_channels(self.trajectory)
        )

    @cached_property
    def _values(self) -> dict[str, NDArray[Any]]:
        return {}

    def names(self) -> list[str]:
        """Names of all quantities, vectors as a whole: ``["main.angle", "main.rate", …]``."""
        return list(self.channels)

    def __contains__(self, name: object) -> bool:
        if name in self.channels:
            return True
        whole, _, label = str(name).rpartition(".")
        return whole in self.channels and label in self.channels[whole].labels

    def channel(self, name: str) -> Channel:
        """Description of a quantity: unit, words, components.

        Raises
        ------
        UnknownNameError
            If there is no such quantity.
        """
        more = f"\n  {self._without_model()}" if self._stored is not None else ""
        return find(self.channels, name, f"the solution of model {self.model_name!r}", more)

    def values(self, name: str) -> NDArray[Any]:
        """Plain array (n,) or (n, n_components) of a quantity."""
        if name not in self._values:
            numbers = np.asarray(self.channel(name).compute()).view()
            numbers.flags.writeable = False
            self._values[name] = numbers
        return self._values[name]

    def asked(self, name: Any) -> Channel:
        """Channel of a name, or of a pair of name and unit, ``("main.angle", "deg")``.

        Raises
        ------
        UnknownNameError
            If there is no such quantity.
        ModelError
            If the unit is not known, or of another dimension.
        """
        if not isinstance(name, tuple):
            return self.channel(name)
        if not is_pair(name) or not isinstance(name[0], str) or name[1] in self:
            raise ModelError(
                f"{name!r:.80} is no quantity with its unit, such as ('main.angle', 'deg'). "
                "Several quantities are a list, sol[['main.angle', 'main.rate']]."
            )
        return self.channel(name[0]).in_unit(name[1])

    @overload
    def __getitem__(self, name: str | tuple[str, str]) -> xr.DataArray: ...
    @overload
    def __getitem__(self, name: list[Any]) -> xr.Dataset: ...
    def __getitem__(self, name: Any) -> xr.DataArray | xr.Dataset:
        """Labelled array of a quantity; a labelled dataset for a list of names.

        With a unit the numbers are converted: ``sol["main.angle", "deg"]``. The name of a group, a
        part or an element gives a `Listing` of what it has, ``sol["box"]["clutch.force"]``.
        """
        is_list = isinstance(name, list)
        if isinstance(name, str) and is_listed(self.channels, name):
            return Listing(self, name)  # type: ignore[return-value]  # quantities are the rule
        chosen = [self.asked(n) for n in (name if is_list else [name])]
        made = dataset(chosen, self.time, self._numbers)
        made.attrs = {"model": self.model_name, "method": self.statistics.method}
        return made if is_list else made[chosen[0].name]

    def _numbers(self, channel: Channel) -> Any:
        """Numbers of a channel in its unit, which need not be that of the quantity."""
        own = self.channel(channel.name).unit
        values = self.values(channel.name)
        return values if own == channel.unit else converted(values, own, channel.unit, channel.name)

    @cached_property
    def data(self) -> xr.Dataset:
        """All coordinates with their velocities, accelerations and forces."""
        return self[[c.name for c in self.channels.values() if c.is_base]]

    @cached_property
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the columns of ``q``, ``v``, ``vdot``, ``tau`` and ``extra``."""
        return column_names(self.system) if self._stored is None else self._stored.columns

    @property
    def final(self) -> State:
        """Last state by names, to start another run with: ``start=sol.final``.

        Numbers by the names of coordinates and velocities, arrays by those of vectors:
        ``sol.final["ball.position"]``.
        """
        if not len(self.time):
            raise ModelError(f"the solution of model {self.model_name!r} has no samples.")
        names = (*self.columns["q"], *self.columns["v"])
        numbers = (*self.q[-1].tolist(), *self.v[-1].tolist())
        return State(zip(names, numbers, strict=True), self._elements)

    @property
    def _elements(self) -> frozenset[str]:
        """Elements that coordinates and velocities belong to."""
        if self._system is not None:
            return self._system.names.elements
        return frozenset(channel.element for channel in self.channels.values())

    @overload
    def at(self, t: float) -> Moment: ...
    @overload
    def at(self, t: Sequence[float] | NDArray[Any]) -> Solution: ...
    def at(self, t: Any) -> Solution | Moment:
        """State at any time of the run, by Hermite interpolation.

        Parameters
        ----------
        t : float or (n,) [s]
            Time or times. At a discontinuity the values after it are taken.

        Returns
        -------
        Moment or Solution
            For one time a `Moment`, ``sol.at(0.5)["main.angle"]``; for an array a solution at
            these times.

        Raises
        ------
        ModelError
            If a time lies outside the run, or if the model is not known.
        """
        if self._stored is not None:
            raise ModelError(
                f"{self._without_model()} For values between the samples take "
                "sol.data.interp(time=[...])."
            )
        run = interpolate(self.trajectory, np.atleast_1d(np.asarray(t, dtype=float)))
        between = Solution(
            self.system, run.time, run.q, run.v, run.vdot, run.tau, run.extra, run.contacts,
            statistics=self.statistics, inputs=self.inputs, parameters=self.parameters,
        )  # fmt: skip
        return Moment(between) if np.ndim(t) == 0 else between

    def to_pandas(self, *names: str | tuple[str, str]) -> Any:
        """Table (pandas.DataFrame) with one row per time and one column per number.

        Parameters
        ----------
        *names : str or (str, str)
            Quantities, or pairs of quantity and unit; by default all coordinates, velocities,
            accelerations and forces.
        """
        return self[columns_of(self, names)].to_dataframe()

    def to_csv(self, path: str | os.PathLike[str], *names: str | tuple[str, str]) -> None:
        """Write the table of `to_pandas` as text; its first line has names and units."""
        write_csv(self, path, names)

    def to_matlab(self, path: str | os.PathLike[str], *names: str | tuple[str, str]) -> None:
        """Write quantities as structures of a MAT file: ``main.angle``, ``units.main.angle``."""
        write_matlab(self, path, names)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to a netCDF file, which `jourdain.load` reads.

        The model goes into the file as its text. A model that contains Python functions has no
        text; then all quantities are stored in its place. The file is written under another name
        first, so an older file of that name is kept if anything fails.

        Raises
        ------
        FormatError
            If the file cannot be written; the solution is not touched.
        """
        from jourdain.results.files.file import save  # noqa: PLC0415

        save(self, path)

    def __str__(self) -> str:
        from jourdain.results.report import report  # noqa: PLC0415

        return report(self)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s, " if len(self.time) else ""
        word = "solution" if self.is_complete else f"INCOMPLETE ({self.statistics.status}) solution"
        return f"<{word} of {self.model_name!r}: {span}{len(self.time)} samples>"

    def _repr_html_(self) -> str:
        """Report as a table, in a notebook."""
        from jourdain.results.report import html  # noqa: PLC0415

        return html(self)

    def _without_model(self) -> str:
        return (
            f"The solution of model {self.model_name!r} was loaded from a file without its model, "
            "so there is only what was stored. To compute more, simulate the model again. "
            f"Why: {self.why_without_model}"
        )
