"""Surfaces that robot files name, found in the folder of the robot and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

from jourdain.errors import FormatError, MissingExtraError
from jourdain.spatial.mesh import Triangles, read_triangles


@dataclass
class Meshes:
    """Surfaces of one robot, each read once; what cannot be had is noted and not drawn.

    Parameters
    ----------
    file : Path
        The robot file.
    packages : mapping of str to Path
        Folders of packages, for ``package://name/…``.
    notes : list of str
        Where to note what is missing.
    """

    file: Path
    packages: Mapping[str, Path]
    notes: list[str]
    _read: dict[tuple[Path, tuple[float, ...]], Triangles | None] = field(default_factory=dict)

    def surface(
        self, name: str, scale: tuple[float, ...] = (1.0, 1.0, 1.0), folder: str = ""
    ) -> Triangles | None:
        """Surface of a file; None, with a note, where it cannot be had."""
        path = self._path(name.strip(), folder)
        if path is None:
            return None
        key = (path, scale)
        if key not in self._read:
            self._read[key] = self._load(path, scale)
        return self._read[key]

    @property
    def root(self) -> Path:
        """Folder that meshes lie in: that of the package, else the one above the file's."""
        for folder in self.file.resolve().parents:
            if (folder / "package.xml").is_file():
                return folder
        return self.file.resolve().parent.parent

    def _load(self, path: Path, scale: tuple[float, ...]) -> Triangles | None:
        try:
            made = read_triangles(path)
        except (FormatError, MissingExtraError) as error:
            self._note(f"mesh {path.name!r} is left out: {error}")
            return None
        if scale == (1.0, 1.0, 1.0):
            return made
        faces = made.triangles if np.prod(scale) > 0.0 else made.triangles[:, ::-1]
        return Triangles.of(made.points * np.array(scale), faces)

    def _path(self, name: str, folder: str) -> Path | None:
        given = name.removeprefix("file://")
        if given.startswith(("package://", "model://")):
            return self._in_package(given.partition("://")[2].lstrip("/"))
        return self._inside(self.root, self.file.parent / folder / given, name)

    def _in_package(self, given: str) -> Path | None:
        package, _, rest = given.partition("/")
        root = self.packages.get(package)
        if root is None:
            above = (x for x in self.file.resolve().parents if x.name == package)
            root = next(above, None)
        if root is None and package and (self.root / package).is_dir():
            root = self.root / package
        if root is None:
            self._note(f"package {package!r} is not known: give packages={{{package!r}: folder}}")
            return None
        return self._inside(root.resolve(), root / PurePosixPath(rest), given)

    def _inside(self, root: Path, path: Path, given: str) -> Path | None:
        try:
            resolved = path.resolve()
            is_inside = resolved.is_relative_to(root)
        except (OSError, RuntimeError, ValueError):
            is_inside = False
        if not is_inside:
            self._note(
                f"mesh {given[:200]!r} is left out: it lies outside of the folder of the robot. "
                "Move it there, or give packages={'name': folder} for package://name/path"
            )
            return None
        return resolved

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)
