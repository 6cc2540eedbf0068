"""Causes that profilers find again and again, by counts of what is done for nothing."""

import copy
import cProfile
import io
import json
import logging
import pstats
import re
import sys
from collections.abc import Callable

N = 1000


def calls(work: Callable[[], object]) -> dict[str, int]:
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile, stream=io.StringIO()).stats  # type: ignore[attr-defined]
    found: dict[str, int] = {}
    for (file, _, name), row in stats.items():
        key = f"{file.split('/')[-1]}:{name}"
        found[key] = found.get(key, 0) + row[1]
    return found


class Item:
    asked = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        Item.asked += 1
        return isinstance(other, Item) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        Item.asked += 1
        return f"Item({self.value})"


def asked(work: Callable[[], object]) -> int:
    Item.asked = 0
    work()
    return Item.asked


held, wanted = [Item(i) for i in range(N)], [Item(i) for i in range(N)]
as_set = set(held)
log = logging.getLogger("quiet")


def compiled(patterns: int) -> int:
    words = [f"a{i}b" for i in range(patterns)]
    re.purge()
    name = "sre_compile.py:compile" if sys.version_info < (3, 11) else "_compiler.py:compile"
    return calls(lambda: [re.search(w, "xa1b") for _ in range(3) for w in words])[name]


def cycle() -> None:
    from json import loads  # noqa: F401, PLC0415


cycle()
deep = {"rows": [{"id": i, "tags": [i]} for i in range(N)]}
print(
    json.dumps(
        {
            "in_list": asked(lambda: [w in held for w in wanted]),
            "in_set": asked(lambda: [w in as_set for w in wanted]),
            "formatted": asked(lambda: [log.debug(f"{held[0]}") for _ in range(N)]),
            "lazily": asked(lambda: [log.debug("%s", held[0]) for _ in range(N)]),
            "compiled_100": compiled(100),
            "compiled_600": compiled(600),
            "deepcopy": calls(lambda: copy.deepcopy(deep))["copy.py:deepcopy"],
            "copy": calls(lambda: copy.copy(deep)).get("copy.py:deepcopy", 0),
            "imports": calls(lambda: [cycle() for _ in range(N)]).get(
                "<frozen importlib._bootstrap>:_handle_fromlist", 0
            ),
            "loads": calls(lambda: [cycle() for _ in range(N)]).get(
                "<frozen importlib._bootstrap>:_find_and_load", 0
            ),
        }
    )
)
