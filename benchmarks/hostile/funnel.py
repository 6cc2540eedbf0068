"""Which of all shapes take more than 5 CPU seconds at 1 MB, without measuring each at 1 MB.

    python -m benchmarks.hostile.funnel small DIR    small sizes, one file of DIR for each command
    python -m benchmarks.hostile.funnel large DIR    1,000 KiB, of those that the rule chooses
    python -m benchmarks.hostile.funnel table DIR    what was measured

``large --only PATTERN`` measures the shapes whose names match, whatever the rule says.

Commands: ``build`` and ``check`` of a note of ours and of a foreign one, ``diff`` between a commit
and the working tree, whose note is a third longer, and ``import`` of each format. The rule:

1. Each shape is measured at 128 KiB, in a fork of this process, which has imported the modules and
   translated the templates. The cost of an empty note is subtracted. If the rest would stay below
   3.5 seconds at 1,000 KiB even if time grew with the square of the size, that is all.
2. Otherwise it is also measured at 32 KiB. The growth between the two sizes, taken as at least
   linear, gives an extrapolation to 1,000 KiB.
3. A shape is measured at 1,000 KiB if its extrapolation is above 3.5 seconds. So are 12 others of
   each command, drawn at random, which show how far the extrapolation can be trusted. A note whose
   extrapolation is above 5 seconds for one command is measured for all commands on notes.
4. If that is above 5 seconds, and a text of 1,000 KiB is above the limits of a page, so that only
   its source is shown, the largest text that is still converted is measured as well. Of a shape
   that is above them at 128 KiB already, it always is.

Shapes are taken in a random order that is always the same, ``--most`` of each command, and what a
file holds already is not measured again. So a run can be ended and continued, and what it has
measured is a fair sample. Of ``import``, pandoc's seconds, which have a limit of their own, are
not counted.

All seconds are divided by how much slower the machine is at that moment than when it is quiet
(:mod:`benchmarks.hostile.calibration`), so other work beside a run changes little.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.hostile import import_shapes, shapes
from benchmarks.hostile._forms import Shape, every
from benchmarks.hostile.calibration import Calibration
from benchmarks.hostile.fixed_work import share_fixed_work
from benchmarks.hostile.shapes import Cost

from perfnotes.text.inline import scan

_SMALL, _MIDDLE, _LARGE = 32, 128, 1000  # KiB
_THRESHOLD, _AIM = 3.5, 5.0  # CPU seconds
_SAMPLE = 12
_LIMIT = 20.0
_NOTE = "a\n"


@dataclass(frozen=True)
class Command:
    """A command and its shapes. ``cost`` takes a shape's name, KiB and whether to fit the text."""

    name: str
    shapes: tuple[str, ...]
    cost: Callable[[str, int, bool], Cost | None]

    @property
    def of_notes(self) -> bool:
        """Whether its shapes are notes."""
        return not self.name.startswith("import")


def commands() -> Iterator[Command]:
    """Yield every command, those that cost most first."""
    forms = dict(every()) | {"": lambda size: _NOTE * (size // len(_NOTE))}
    names = tuple(name for name in forms if name)
    for command in ("build", "check"):
        for kind in ("own", "foreign"):
            cost = functools.partial(_cost_of_note, forms, kind, command)
            yield Command(f"{kind} {command}", names, cost)
    yield Command("diff", names, functools.partial(_cost_of_diff, forms))
    for name in import_shapes.FORMATS:
        pieces = dict(import_shapes.every(name)) | {"": _NOTE}
        cost = functools.partial(_cost_of_import, name, pieces)
        yield Command(f"import {name}", tuple(piece for piece in pieces if piece), cost)


def _normalised(command: Command, calibration: Calibration) -> Command:
    """Return the command with costs as they would be on this machine when it is quiet."""

    def cost(name: str, kib: int, fit: bool) -> Cost | None:
        found = command.cost(name, kib, fit)
        return found and replace(found, seconds=found.seconds / calibration.ratio(found.beside))

    return replace(command, cost=cost)


def _cost_of_note(
    forms: dict[str, Shape], kind: str, command: str, name: str, kib: int, fit: bool
) -> Cost | None:
    shape = _fitted(forms[name], kib) if fit else forms[name]
    return shape and shapes.measured(shape, kib * 1024, kind, [command], _LIMIT)[0]


def _cost_of_diff(forms: dict[str, Shape], name: str, kib: int, fit: bool) -> Cost | None:
    shape = _fitted(forms[name], kib) if fit else forms[name]
    if shape is None:
        return None
    with tempfile.TemporaryDirectory(prefix="perfnotes-shapes-") as folder:
        root = Path(folder)
        (root / "mkdocs.yml").write_text("site_name: A\n")
        text = shape(kib * 1024 - 200)
        before = text[: len(text) * 3 // 4] if fit else shape(kib * 768 - 200)
        shapes.write_note(root, before, "own")
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        for words in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "A"]):
            subprocess.run(["git", *words], cwd=root, check=True)
        shapes.write_note(root, text, "own")
        return shapes.cost(["diff", "HEAD"], root, _LIMIT, root)


def _cost_of_import(
    format: str, pieces: dict[str, str], name: str, kib: int, fit: bool
) -> Cost | None:
    if fit:
        return None
    cost = import_shapes.measured(format, pieces[name], kib * 1024, _LIMIT)
    return replace(cost, seconds=cost.own or cost.seconds)


@functools.cache
def _fitted(shape: Shape, kib: int) -> Shape | None:
    """Return the shape cut to the largest text that is converted; None if nothing needs a cut."""
    if not scan(shape(kib * 1024)).excess:
        return None
    text = shapes.fitted(shape, parts=16 if kib < _LARGE else 64)(kib * 1024)
    return lambda _: text


@dataclass(frozen=True)
class Row:
    """CPU seconds of one shape, without those of an empty note. -1 means not measured."""

    shape: str
    small: float
    middle: float
    end: str

    @property
    def growth(self) -> float:
        """The exponent between the two sizes, at least 1; 2, the assumption, if one is missing."""
        if self.small < 0:
            return 2.0
        sizes, seconds = (_SMALL, _MIDDLE), (max(self.small, 0.005), max(self.middle, 0.005))
        return max(1.0, shapes.growth(sizes, seconds, 0.0))

    @property
    def expected(self) -> float:
        """CPU seconds at 1,000 KiB, extrapolated."""
        return float(self.middle * (_LARGE / _MIDDLE) ** self.growth)


def small(command: Command, file: Path, most: int) -> None:
    """Measure the first ``most`` shapes of a command, except those in ``file``, at small sizes."""
    done = {row.shape for row in rows(file)}
    start = min(_seconds(command.cost("", 1, False)) for _ in range(5))
    bound = _THRESHOLD * (_MIDDLE / _LARGE) ** 2
    for name in _mixed(command.shapes)[:most]:
        if name in done:
            continue
        cost = command.cost(name, _MIDDLE, False) or Cost(0.0, "")
        middle, less = cost.seconds - start, -1.0
        if middle > bound:
            less = max(0.0, _seconds(command.cost(name, _SMALL, False)) - start)
        cut = command.cost(name, _MIDDLE, True)
        if cut:
            _append(_large(file), [name, True, round(cut.seconds, 2), cut.end, -1.0])
        _append(file, [name, round(less, 3), round(middle, 3), cost.end])


def large(command: Command, rows: list[Row], file: Path, names: Iterable[str]) -> None:
    """Measure shapes at 1,000 KiB, and cut to what is converted."""
    done = {tuple(each[:2]) for each in _lines(file)}
    expected = {row.shape: row.expected for row in rows}
    for name in names:
        for fit in (False, True):
            if (name, fit) in done or (fit and expected.get(name, _AIM) < _AIM):
                continue
            cost = command.cost(name, _LARGE, fit)
            seconds, end = (round(cost.seconds, 2), cost.end) if cost else (0.0, "")
            _append(file, [name, fit, seconds, end, round(expected.get(name, -1.0), 2)])


def chosen(rows: list[Row], slow: Iterable[str]) -> Iterable[str]:
    """Return the shapes that the rule chooses; ``slow`` are slow with another command."""
    sample = [row.shape for row in rows if row.expected <= _THRESHOLD][:_SAMPLE]
    above = [row for row in rows if row.expected > _THRESHOLD]
    above.sort(key=lambda row: -row.expected)
    return dict.fromkeys((*sample, *(row.shape for row in above), *slow))


def table(command: Command, rows: list[Row], file: Path) -> None:
    """Print how many shapes were measured, the slowest, and the largest error of the sample."""
    found = _lines(file)
    plain = [each for each in found if not each[1]]
    sample = [each for each in plain if 0 <= each[4] <= _THRESHOLD]
    above = [each for each in found if each[2] > _AIM or each[3] in ("70", "limit")]
    print(
        f"{command.name}: {len(rows)} of {len(command.shapes)} shapes at {_MIDDLE} KiB, "
        f"{sum(r.small >= 0 for r in rows)} at {_SMALL}, {len(plain)} at {_LARGE}, of which "
        f"{len(sample)} drawn at random; {sum(bool(e[1] and e[3]) for e in found)} cut; "
        f"above {_AIM:.0f} s: {len(above)}; not ended well at {_MIDDLE}: "
        f"{sum(r.end not in ('0', '1') for r in rows)}"
    )
    worse = max((each[2] - each[4] for each in sample), default=0.0)
    slowest = max((each[2] for each in sample), default=0.0)
    print(f"  sample: most above its extrapolation {worse:.2f} s; slowest {slowest:.2f} s")
    for name, fit, seconds, end, expected in sorted(found, key=lambda each: -each[2])[:10]:
        cut = " cut" if fit else ""
        print(f"  {seconds:6.2f} s  expected {expected:6.2f}  end {end:6} {name}{cut}")


def _large(file: Path) -> Path:
    """Return where the costs of the largest texts are, beside the ``file`` of the small ones."""
    return file.with_suffix(".large.jsonl")


def rows(file: Path) -> list[Row]:
    """Return what ``small`` wrote to ``file``."""
    return [Row(*each) for each in _lines(file)]


def _lines(file: Path) -> list[list]:  # type: ignore[type-arg]
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _append(file: Path, row: list[str | float]) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row, ensure_ascii=False) + "\n")


def _seconds(cost: Cost | None) -> float:
    return cost.seconds if cost else 0.0


def _mixed(names: tuple[str, ...]) -> list[str]:
    return random.Random(1).sample(names, len(names))


def main() -> None:
    """Measure or print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("step", choices=["small", "large", "table"])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--commands", nargs="+", metavar="COMMAND", help="such as 'own build'")
    parser.add_argument(
        "--most", type=int, metavar="N", help="shapes of each command; default: all"
    )
    parser.add_argument("--only", metavar="PATTERN", help="shapes for large to measure")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.step != "table":
        shapes.warm_up()
        import_shapes.warm_up()
    if options.step == "small":
        share_fixed_work()
    every_command = list(commands())
    if options.step != "table":
        calibration = Calibration(options.folder / "calibration.txt")
        every_command = [_normalised(command, calibration) for command in every_command]
    files = {c.name: options.folder / f"{c.name}.jsonl" for c in every_command}
    slow = {
        row.shape: None
        for command in every_command
        for row in (rows(files[command.name]) if command.of_notes else ())
        if row.expected > _AIM
    }
    for command in every_command:
        file = files[command.name]
        if options.commands and command.name not in options.commands:
            continue
        if options.step == "small":
            small(command, file, options.most or len(command.shapes))
        elif options.step == "large":
            names = chosen(rows(file), slow if command.of_notes else ())
            if options.only:
                names = [name for name in command.shapes if re.search(options.only, name)]
            large(command, rows(file), _large(file), names)
        else:
            table(command, rows(file), _large(file))


if __name__ == "__main__":
    main()
