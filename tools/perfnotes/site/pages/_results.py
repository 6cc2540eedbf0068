"""How pages show the results of a lab: verdicts, values, versions and plots."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab, Needs, Value
from perfnotes.model.quantity.amount import amount, span
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import Spread
from perfnotes.model.result import Result
from perfnotes.model.verdict import FAILS, HOLDS, Verdict, lookup_of
from perfnotes.site.render.markup import escape
from perfnotes.site.render.plot import Drawing, Strip, draw, strip_plot
from perfnotes.site.strings import add_words, string

WORDS = {
    "fails": ("fails", "不成立"),
    "plot": ("Samples of {what}, by machine", "{what}：各机器的样本"),
}
add_words(WORDS)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def plain(text: str) -> str:
    """Replace control characters in a text from a result or a source."""
    return _CONTROL.sub("\ufffd", text)


def safe(text: str) -> str:
    """Return such a text without control characters, on one line, escaped for HTML."""
    return escape(" ".join(plain(text).split()))


def versions(result: Result, lab: Lab) -> str:
    """Return the versions, such as ``gcc 12.2.0, glibc 2.36``; the lab's tools come first."""
    first = [name for name in lab.needs.tools if name in result.versions]
    rest = [name for name in sorted(result.versions) if name not in first]
    words = []
    for name in (*first, *rest):
        version = result.versions[name]
        words.append(version if name in ("libc", "") else f"{name} {version}")
    return " ".join(plain(", ".join(words)).split())


def needs_words(needs: Needs, lang: str) -> list[tuple[str, str]]:
    """Return what a lab needs as pairs of a name and HTML; empty if it needs nothing."""
    comma = "、" if lang == "zh" else ", "
    names = {
        "tools": ("Tools", "工具"),
        "debian": ("Debian packages", "Debian 软件包"),
        "cpu": ("CPU features", "CPU 特性"),
        "arch": ("Architecture", "体系结构"),
        "cores": ("Cores", "核数"),
        "gpu": ("GPU", "GPU"),
        "python": ("Python modules", "Python 模块"),
    }
    found = {
        "tools": comma.join(needs.tools),
        "debian": " ".join(needs.debian),
        "cpu": comma.join(needs.cpu),
        "arch": (" / " if lang == "zh" else " or ").join(needs.arch),
        "cores": str(needs.cores) if needs.cores > 1 else "",
        "gpu": needs.gpu.upper() if needs.gpu == "amd" else needs.gpu.replace("nvidia", "NVIDIA"),
        "python": comma.join(needs.python),
    }
    zh = lang == "zh"
    return [
        (names[k][zh], safe(v) if k in ("cores", "gpu") else f"<code>{safe(v)}</code>")
        for k, v in found.items()
        if v
    ]


def ordered(site: Site, lab: Lab) -> list[Result]:
    """Return a lab's results, that of the reference machine first."""
    there = site.library.results.get(lab.id, {})
    return sorted(there.values(), key=lambda r: (r.machine.id != lab.reference, r.machine.id))


def verdicts(site: Site, lab: Lab, value: Value) -> Iterator[tuple[Result, Verdict]]:
    """Yield each result with its verdict on one claim or value."""
    for result in ordered(site, lab):
        yield result, site.graph.evidence.verdicts(lab, result.machine.id)[value.id]


def others(site: Site, lab: Lab, value: Value, machine: str, lang: str) -> str:
    """Return the values of all machines but ``machine``, as HTML."""
    parts = []
    for result, verdict in verdicts(site, lab, value):
        if result.machine.id != machine and verdict.spread:
            mark = f" ({string('fails', lang)})" if verdict.state == FAILS else ""
            value_there = escape(amount(verdict.spread.median, value.unit))
            parts.append(f"{escape(result.machine.id)} {value_there}{mark}")
    return ", ".join(parts)


def state_words(value: Value, verdict: Verdict, lang: str) -> str:
    """Return the verdict as HTML. Empty for a value that is no claim and was measured."""
    if verdict.state == HOLDS and not isinstance(value, Claim):
        return ""
    name = verdict.state.replace(" ", "-")
    why = f": {safe(verdict.why)}" if verdict.why else ""
    return f'<span class="pn-state pn-{name}">{string(verdict.state, lang)}</span>{why}'


@dataclass(frozen=True)
class Failing:
    """A claim that does not hold in a result."""

    lab: Lab
    claim: Value
    result: Result
    verdict: Verdict


def failing(site: Site) -> list[Failing]:
    """Return every claim that fails, once for each machine, sorted by lab."""
    found = []
    for id in sorted(site.library.labs):
        lab = site.library.labs[id]
        for claim in lab.claims.values():
            for result, verdict in verdicts(site, lab, claim):
                if verdict.state == FAILS:
                    found.append(Failing(lab, claim, result, verdict))
    return found


def plot(site: Site, lab: Lab, value: Value, lang: str) -> str:
    """Return a plot of all samples of a claim or value as HTML.

    Empty if there are no samples, if one is not finite, or if the samples of a value that is no
    claim are all equal.
    """
    drawn = site.derived(_plots)
    key = lab.id, value.id
    if key not in drawn:
        drawn[key] = _drawn(site, lab, value)
    found = drawn[key]
    if found is None:
        return ""
    medians = [
        f"{machine}: {string('median', lang)} {amount(s.median, value.unit)}, "
        f"{string('quartiles', lang)} {span(s.low, s.high, value.unit)}"
        for machine, s in found.spreads
    ]
    title = string("plot", lang, what=value.what[lang])
    words = ("；" if lang == "zh" else "; ").join(medians)
    svg = strip_plot(found.drawing, id=f"plot--{value.id}", title=title, description=words)
    return f'<figure class="pn-figure">{svg}</figure>'


@dataclass(frozen=True)
class _Plot:
    """A plot of a claim or value, and the spread of its samples on each machine."""

    drawing: Drawing
    spreads: tuple[tuple[str, Spread], ...]


def _plots(site: Site) -> dict[tuple[str, str], _Plot | None]:
    """The plots that were drawn, by lab and claim or value; ``site.derived`` keeps them."""
    del site
    return {}


def _drawn(site: Site, lab: Lab, value: Value) -> _Plot | None:
    strips = []
    expected: tuple[float, float] | None = None
    for result, verdict in verdicts(site, lab, value):
        if verdict.spread is None:
            continue
        samples = _samples(lab, value, result)
        if not samples or not all(map(math.isfinite, samples)):
            return None
        control = verdict.control.median if verdict.control else None
        if control is not None and not math.isfinite(control):
            control = None
        strips.append(Strip(result.machine.id, samples, verdict.spread, control))
        if isinstance(value, Claim) and expected is None:
            expected = _expected(lab, value, result)
    seen = {s for strip in strips for s in strip.samples}
    if not strips or (not isinstance(value, Claim) and len(seen) < 2):
        return None
    spreads = tuple((strip.name, strip.spread) for strip in strips)
    return _Plot(draw(strips, value.unit, expected), spreads)


def _samples(lab: Lab, value: Value, result: Result) -> tuple[float, ...]:
    try:
        return value.expression.evaluate(lookup_of(lab, result)).to(unit(value.unit)).samples
    except (ExpressionError, UnitError):
        return ()


def _expected(lab: Lab, claim: Claim, result: Result) -> tuple[float, float] | None:
    try:
        return claim.expect.range(unit(claim.unit), lookup_of(lab, result))
    except (ExpressionError, UnitError):
        return None
