"""A Machine: the hardware and system of a result, without host name, user or serial number.

The id names the hardware, as in ``amd-epyc-f25m17-vm-2c``. A contributor may choose the id;
everything else is read from the system.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class Machine(Struct, frozen=True):
    """Sizes are in bytes. ``caches`` maps L1d, L1i, L2 and L3 to size, ways and line."""

    id: str
    cpu: str = ""  # the model's name
    arch: str = ""
    family: int = 0
    model: int = 0
    stepping: int = 0
    microcode: str = ""
    cores: int = 0  # physical cores, as the system reports them
    threads: int = 0
    caches: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    memory: int = 0
    kernel: str = ""
    system: str = ""  # "Debian GNU/Linux 12"
    governor: str = ""
    hypervisor: str = ""  # "" on bare metal
    gpus: tuple[str, ...] = ()

    @property
    def is_virtual(self) -> bool:
        return bool(self.hypervisor)
