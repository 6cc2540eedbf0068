"""Counts the page-table entries that a walk reads, without any cache, for a guest and its host.

A guest's tables hold the guest's physical addresses. Each of them has to be translated by the host's tables
before the entry can be read, and so does the address of the data at the end.
"""

from __future__ import annotations

import json

FOUR, FIVE = 4, 5


def reads(guest: int, host: int) -> int:
    """Step by step: entries read by a walk of `guest` levels, each of whose addresses needs one of `host` levels."""
    count = 0
    for _level in range(guest):
        count += host  # where does this table lie?
        count += 1  # the guest's own entry
    return count + host  # where does the data lie?


def formula(guest: int, host: int) -> int:
    return (guest + 1) * (host + 1) - 1


def main() -> None:
    cases = {
        "no guest": (FOUR, 0),
        "4 KiB pages in both": (FOUR, FOUR),
        "2 MiB in the guest alone": (FOUR - 1, FOUR),
        "2 MiB in the host alone": (FOUR, FOUR - 1),
        "2 MiB in both": (FOUR - 1, FOUR - 1),
        "five levels in both": (FIVE, FIVE),
    }
    print(f"{'':26}{'guest':>7}{'host':>6}{'entries read':>14}")
    for name, (guest, host) in cases.items():
        print(f"{name:26}{guest:7}{host:6}{reads(guest, host):14}")
    apart = max(abs(reads(g, h) - formula(g, h)) for g in range(7) for h in range(7))
    print(json.dumps({
        "native": reads(FOUR, 0), "both": reads(FOUR, FOUR), "guest_huge": reads(FOUR - 1, FOUR),
        "host_huge": reads(FOUR, FOUR - 1), "both_huge": reads(FOUR - 1, FOUR - 1), "five": reads(FIVE, FIVE), "apart": apart,
    }))


if __name__ == "__main__":
    main()
