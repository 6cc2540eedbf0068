"""How pages show the results of a lab: verdicts, values, versions and machines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab, Needs, Value
from perfnotes.model.machine import Machine
from perfnotes.model.quantity.amount import amount
from perfnotes.model.result import Result
from perfnotes.model.verdict import FAILS, HOLDS, Verdict
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.text.hidden import HIDDEN
from perfnotes.text.joining import joins

WORDS = {
    "doubt_clock": (
        "the governor powersave holds the clock at its lowest",
        "调速器 powersave 让时钟停在最低频率",
    ),
    "doubt_load": (
        "{run}: others took {share} of the machine's CPU time",
        "{run}：其他进程占用了机器 {share} 的 CPU 时间",
    ),
    "fails": ("fails", "不成立"),
    "machine_cores": ("{n} cores", "{n} 核"),
    "machine_core": ("one core", "单核"),
    "machine_family": ("family {family}, model {model}", "family {family}，model {model}"),
    "machine_virtual": ("virtual machine", "虚拟机"),
}
add_words(WORDS)

_DOUBT_LOAD = re.compile(
    re.escape(string("doubt_load", "en")).replace(r"\{run\}", "(.+)").replace(r"\{share\}", "(.+)")
)
_MARKS = re.compile(r"\((?:R|TM|C)\)| Processor\b", re.IGNORECASE)


def without_hidden(text: str) -> str:
    """Replace characters that nobody sees in a text from a result or a source."""
    return HIDDEN.sub("\ufffd", text)


def safe(text: str) -> str:
    """Return a text from a result on one line, without hidden characters, escaped for HTML."""
    return escape(" ".join(without_hidden(text).split()))


def doubts(result: Result, lang: str) -> list[str]:
    """Return the reasons to doubt a result's timings, as HTML.

    A result stores them as the English sentences of ``labs/run.py``. A sentence that is none of
    those, for example of a later version, is shown as it is and marked as English.
    """
    return [_doubt(" ".join(without_hidden(sentence).split()), lang) for sentence in result.unfit]


def _doubt(sentence: str, lang: str) -> str:
    if lang == "en":
        return escape(sentence)
    if found := _DOUBT_LOAD.fullmatch(sentence):
        return escape(string("doubt_load", lang, run=found[1], share=found[2]))
    if sentence == string("doubt_clock", "en"):
        return string("doubt_clock", lang)
    return f'<span lang="en">{escape(sentence)}</span>'


def versions(result: Result, lab: Lab) -> str:
    """Return the versions, such as ``gcc 12.2.0, glibc 2.36``; the lab's tools come first."""
    first = [name for name in lab.needs.tools if name in result.versions]
    rest = [name for name in sorted(result.versions) if name not in first]
    words = []
    for name in (*first, *rest):
        version = result.versions[name]
        words.append(version if name in ("libc", "") else f"{name} {version}")
    return " ".join(without_hidden(", ".join(words)).split())


def machine_words(machine: Machine, lang: str) -> str:
    """Return a machine in words as HTML: processor, cores, GPU, and whether it is virtual.

    It is the machine's id if nothing else is known.
    """
    parts = [processor_words(machine, lang)]
    if machine.cores:
        one = "machine_core" if machine.cores == 1 else "machine_cores"
        parts.append(string(one, lang, n=machine.cores))
    parts += [safe(gpu) for gpu in machine.gpus]
    if machine.is_virtual:
        parts.append(string("machine_virtual", lang))
    return joins(lang).comma.join(parts)


def processor_words(machine: Machine, lang: str) -> str:
    """Return a machine's processor as HTML, or the machine's id if that is not known."""
    cpu = _MARKS.sub("", machine.cpu) or machine.arch
    if not cpu or not machine.family:
        return safe(cpu or machine.id)
    family = string("machine_family", lang, family=machine.family, model=machine.model)
    return safe(cpu) + joins(lang).bracketed(family)


def needs_words(needs: Needs, lang: str) -> list[tuple[str, str]]:
    """Return what a lab needs as pairs of a name and HTML; empty if it needs nothing."""
    comma = joins(lang).item
    names = {
        "tools": ("Tools", "工具"),
        "debian": ("Debian packages", "Debian 软件包"),
        "cpu": ("CPU features", "CPU 特性"),
        "arch": ("Architecture", "体系结构"),
        "cores": ("Cores", "核数"),
        "gpu": ("GPU", "GPU"),
        "python": ("Python modules", "Python 模块"),
        "libraries": ("Libraries", "库"),
        "files": ("Files", "文件"),
        "core_files": ("Core files", "核心转储文件"),
        "root": ("Rights", "权限"),
    }
    found = {
        "tools": comma.join(needs.tools),
        "debian": " ".join(needs.debian),
        "cpu": comma.join(needs.cpu),
        "arch": (" / " if lang == "zh" else " or ").join(needs.arch),
        "cores": str(needs.cores) if needs.cores > 1 else "",
        "gpu": needs.gpu.upper() if needs.gpu == "amd" else needs.gpu.replace("nvidia", "NVIDIA"),
        "python": comma.join(needs.python),
        "libraries": comma.join(needs.libraries),
        "files": comma.join(needs.files),
        "core_files": needs.core_files
        * ("core in the working folder", "工作目录里的 core")[lang == "zh"],
        "root": needs.root
        * ("root, or sudo without a password", "root，或免密码的 sudo")[lang == "zh"],
    }
    zh = lang == "zh"
    return [
        (
            names[k][zh],
            safe(v) if k in ("cores", "gpu", "core_files", "root") else f"<code>{safe(v)}</code>",
        )
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


def values_elsewhere(site: Site, lab: Lab, value: Value, machine: str, lang: str) -> str:
    """Return the values of all machines but ``machine``, as HTML."""
    parts = []
    for result, verdict in verdicts(site, lab, value):
        if result.machine.id != machine and verdict.spread:
            mark = joins(lang).bracketed(string("fails", lang)) if verdict.state == FAILS else ""
            value_there = escape(amount(verdict.spread.median, value.unit))
            parts.append(f"{processor_words(result.machine, lang)} {value_there}{mark}")
    return joins(lang).comma.join(parts)


def state_words(value: Value, verdict: Verdict, lang: str) -> str:
    """Return the verdict as HTML. Empty for a value that is no claim and was measured."""
    if verdict.state == HOLDS and not isinstance(value, Claim):
        return ""
    name = verdict.state.replace(" ", "-")
    why = f"{joins(lang).colon}{safe(verdict.why)}" if verdict.why else ""
    return f'<span class="pn-state pn-{name}">{string(verdict.state, lang)}</span>{why}'


class Failing(Struct, frozen=True):
    """A claim that does not hold in a result."""

    lab: Lab
    claim: Claim
    result: Result
    verdict: Verdict


def failing(site: Site) -> list[Failing]:
    """Return every claim that fails, once for each machine, sorted by lab."""
    found = []
    for id in sorted(site.library.labs):
        lab = site.library.labs[id]
        results = [
            (result, site.graph.evidence.verdicts(lab, result.machine.id))
            for result in ordered(site, lab)
        ]
        for claim in lab.claims.values():
            for result, states in results:
                if states[claim.id].state == FAILS:
                    found.append(Failing(lab, claim, result, states[claim.id]))
    return found
