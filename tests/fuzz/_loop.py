"""The loop of a fuzz driver: it tries a property on new texts until the time is over."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 10.0  # CPU seconds for one text; normal texts take far less
_ROUND = 400  # texts after which the clock is checked

Property = Callable[[str], None]


class HangError(Exception):
    """One text took too much CPU time."""


def texts(tokens: tuple[str, ...], seeds: list[str]) -> st.SearchStrategy[str]:
    """Return a strategy for texts made of ``tokens`` and for mutations of the real ``seeds``."""
    piece = st.one_of(st.sampled_from(tokens), st.text(max_size=6))
    made = st.lists(piece, max_size=60).map("".join)
    return st.one_of(made, _mutated(seeds, piece)) if seeds else made


@st.composite
def _mutated(draw: st.DrawFn, seeds: list[str], piece: st.SearchStrategy[str]) -> str:
    text = draw(st.sampled_from(seeds))
    start = draw(st.integers(0, max(0, len(text) - 1)))
    text = text[start : start + 1500] if draw(st.booleans()) else text[:1500]
    for _ in range(draw(st.integers(1, 6))):
        a = draw(st.integers(0, len(text)))
        b = min(len(text), a + draw(st.integers(0, 12)))
        how = draw(st.integers(0, 3))
        if how == 0:
            text = text[:a] + text[b:]
        elif how == 1:
            text = text[:a] + text[a:b] * draw(st.integers(2, 50)) + text[b:]
        else:
            text = text[:a] + draw(piece) + text[b if how == 2 else a :]
    return text


def main(holds: Property, strategy: st.SearchStrategy[str], name: str) -> None:
    """Try the property until the time is over, or until it fails."""
    parser = argparse.ArgumentParser(description=f"Fuzz {name}.")
    parser.add_argument("--seconds", type=float, default=600)
    seconds = parser.parse_args().seconds
    signal.signal(signal.SIGVTALRM, _too_long)
    tried = 0

    def guarded(text: str) -> None:
        nonlocal tried
        tried += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        try:
            holds(text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    test = settings(
        max_examples=_ROUND,
        deadline=None,
        database=DirectoryBasedExampleDatabase(ROOT / ".hypothesis" / "fuzz" / name),
        suppress_health_check=list(HealthCheck),
        phases=(Phase.reuse, Phase.generate, Phase.target, Phase.shrink),
        print_blob=True,
    )(given(strategy)(guarded))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        test()
    print(f"{name}: {tried} texts in {seconds:.0f} s, nothing found")
    sys.exit(0)


def _too_long(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise HangError(f"more than {_LONGEST:.0f} CPU seconds for one text")
