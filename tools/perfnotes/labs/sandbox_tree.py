"""The file tree that a lab sees in the sandbox, as arguments of bubblewrap."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# The system's programs. A lab's tools are here or beside the Python that runs perfnotes.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
MORE_PROGRAMS = ("/opt", "/nix/store", "/gnu/store")
_IN_MEMORY = ("/dev/shm", "/tmp")  # folders that many programs expect to be able to write
# The parts of /etc that programs need to start. The files in the folder ``etc`` beside this module
# replace those that name users and hosts.
_ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf",
    "nvcc.profile", "OpenCL", "perl", "protocols", "services",
)  # fmt: skip
_OWN_ETC = Path(__file__).with_name("etc")


class Tree:
    """Bubblewrap's arguments for a file tree below the folder ``top``, at first an empty tree.

    A file has the same path inside and outside of the sandbox, so that paths in messages and in
    debug information are right in both.
    """

    def __init__(self, top: str) -> None:
        self.top = top
        self.arguments: list[str] = []
        self._mounted: set[Path] = set()
        self._made: set[Path] = {Path("/")}
        if top:
            self._add("--perms", "0755", "--dir", top)
            # chroot itself runs before the root changes, so it needs the programs outside of `top`.
            for name in SYSTEM:
                if Path(name).is_dir():
                    self._add("--symlink", f"{top[1:]}{name}", name)

    def system(self, largest: int) -> None:
        """Add programs, /etc, /proc, /dev, and folders in memory of at most ``largest`` bytes.

        0 means no limit.
        """
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                self._add("--symlink", str(path.readlink()), f"{self.top}{path}")
                self._mounted.add(path)
            elif path.is_dir():
                self.readable(path)
        for path in (*map(Path, MORE_PROGRAMS), *(Path("/etc", name) for name in _ETC)):
            if path.exists():
                self.readable(path)
        for path in sorted(_OWN_ETC.iterdir()):
            self._mount("--ro-bind", path, Path("/etc", path.name))
        self._add("--proc", f"{self.top}/proc", "--ro-bind", "/proc/sys", f"{self.top}/proc/sys")
        self._add("--dev", f"{self.top}/dev")
        for name in _IN_MEMORY:
            size = ("--size", str(largest)) if largest else ()
            self._add("--perms", "1777", *size, "--tmpfs", f"{self.top}{name}")
        self._made |= {Path("/proc"), Path("/dev"), *map(Path, _IN_MEMORY)}

    def readable(self, path: Path) -> None:
        """Show a file or folder of the system, which the lab cannot change."""
        if not self._is_below(path):
            self._mount("--ro-bind", path, path)

    def writable(self, path: Path) -> None:
        """Show a folder that the lab can write."""
        self._mount("--bind", path, path)

    def hidden(self, path: Path) -> None:
        """Cover a folder with an empty one that cannot be written."""
        self._add("--perms", "0755", "--tmpfs", f"{self.top}{path}")
        self._add("--remount-ro", f"{self.top}{path}")

    def devices(self, paths: Iterable[Path]) -> None:
        """Show devices that the lab can use."""
        for path in sorted(paths):
            self._add("--dev-bind", str(path), f"{self.top}{path}")

    def _mount(self, how: str, source: Path, path: Path) -> None:
        self._folder(path.parent)
        self._add(how, str(source), f"{self.top}{path}")
        self._mounted.add(path)

    def _folder(self, path: Path) -> None:
        """Make a folder that every user may enter; bubblewrap's own are for one user only."""
        if path not in self._made and not self._is_below(path):
            self._folder(path.parent)
            self._add("--perms", "0755", "--dir", f"{self.top}{path}")
            self._made.add(path)

    def _is_below(self, path: Path) -> bool:
        return any(each in self._mounted for each in (path, *path.parents))

    def _add(self, *arguments: str) -> None:
        self.arguments += arguments
