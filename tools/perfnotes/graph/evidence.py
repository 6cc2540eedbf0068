"""Evidence: finds the value that a bound number's link names.

``lab:slowdown`` names a claim or value of the note's own lab, on the lab's reference machine.
``lab:caches/row-order#misses`` names one of another note's lab. ``.low .high .min .max .n`` at the
end name a part of its spread, ``@machine`` the result of another machine.
``fact:v100-sxm2/memory-bandwidth`` names a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property

from perfnotes.graph.binding import Binding, Found, compare
from perfnotes.graph.origin import Origin, origin
from perfnotes.graph.recording import Recording
from perfnotes.graph.resolve import Problem
from perfnotes.graph.targets import LinkedText
from perfnotes.model.fact import FactError
from perfnotes.model.lab import Lab, Value
from perfnotes.model.library import Library
from perfnotes.model.plot import Plot
from perfnotes.model.result import Result
from perfnotes.model.verdict import BROKEN, NOT_RUN, Verdict, is_stale, judge_all
from perfnotes.plots.data import PlotError, PlotFault
from perfnotes.plots.problems import checked_plot_data
from perfnotes.storage.digests import digest
from perfnotes.text.nearest import Guesses
from perfnotes.text.prose import strip_markup
from perfnotes.text.tokens import Link

STATS = ("low", "high", "min", "max", "n")
_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_LAB = re.compile(
    rf"lab:(?:(?P<note>{_ID}(?:/{_ID})?)#)?(?P<value>{_ID})"
    rf"(?:\.(?P<stat>[a-z]+))?(?:@(?P<machine>{_ID}))?$"
)
_FACT = re.compile(r"fact:(?P<entity>[a-z0-9]+(?:[.-][a-z0-9]+)*)/(?P<name>[a-z0-9-]+)$")


@dataclass
class Evidence:
    """Looks up the addresses of bindings in a library. Each result is judged once and kept."""

    library: Library
    _verdicts: dict[tuple[str, str], dict[str, Verdict]] = field(default_factory=dict)
    _recordings: dict[tuple[str, str], Recording | None] = field(default_factory=dict)
    _plot_faults: dict[tuple[str, str], PlotFault | None] = field(default_factory=dict)
    _origins: dict[tuple[str, str, str], tuple[Value, Origin]] = field(default_factory=dict)
    _lab_digests: dict[str, str] = field(default_factory=dict)

    def verdicts(self, lab: Lab, machine: str) -> dict[str, Verdict]:
        """The verdict on each claim and value of ``lab``, by id, from the result of ``machine``.

        Raises ``KeyError`` if there is no such result.
        """
        key = (lab.id, machine)
        if key not in self._verdicts:
            self._verdicts[key] = judge_all(lab, self.library.results[lab.id][machine])
        return self._verdicts[key]

    def keep_verdicts(self, before: Evidence, changed: Set[str]) -> None:
        """Take over the verdicts of ``before``, except on the labs with the ids ``changed``."""
        self._verdicts |= {key: v for key, v in before._verdicts.items() if key[0] not in changed}

    def origin(self, found: Found) -> Origin | None:
        """How a measured number was computed; None for a fact and for a value without samples."""
        lab, value, verdict = found.lab, found.value, found.verdict
        if lab is None or value is None or verdict is None or verdict.spread is None:
            return None
        key = (lab.id, value.id, found.machine)
        known = self._origins.get(key)
        if known is None or known[0] is not value:
            result = self.library.results[lab.id][found.machine]
            known = self._origins[key] = (value, origin(lab, value, result, verdict.spread.n))
        return known[1]

    def recorded_digest(self, lab: Lab) -> str:
        """A hash of the files of a lab and of its results.

        It includes those of the other labs whose values its plots show.
        """
        labs = [self.library.labs[id] for id in sorted(self.compared_labs(lab))]
        return digest(*map(self._lab_digest, (lab, *labs)))

    def compared_labs(self, lab: Lab) -> set[str]:
        """The ids of other labs whose values the plots of ``lab`` show."""
        points = [
            point
            for plot in lab.plots.values()
            for point in (*plot.points, *([plot.limit] if plot.limit else []))
        ]
        return {point.value.rpartition("#")[0] for point in points} & self.library.labs.keys()

    def _lab_digest(self, lab: Lab) -> str:
        if lab.id not in self._lab_digests:
            parts: list[str | bytes] = [lab.id, lab.source.text]
            for name, data in sorted(lab.files.items()):
                parts += [name, data]
            for machine, result in sorted(self.library.results.get(lab.id, {}).items()):
                parts += [machine, result.source.text if result.source else repr(result)]
            self._lab_digests[lab.id] = digest(*parts)
        return self._lab_digests[lab.id]

    def reference(self, lab: Lab) -> Result | None:
        """The result of the lab's reference machine, which the notes show; None if missing."""
        return self.library.results.get(lab.id, {}).get(lab.reference)

    def plot_fault(self, lab: Lab, plot: Plot) -> PlotFault | None:
        """Why a plot of ``lab`` cannot be drawn; None if it can."""
        key = (lab.id, plot.id)
        if key not in self._plot_faults:
            try:
                checked_plot_data(plot, lab, self.library)
            except PlotError as error:
                self._plot_faults[key] = error.fault
            else:
                self._plot_faults[key] = None
        return self._plot_faults[key]

    def recording(self, lab: Lab, run: str) -> Recording | None:
        """What a run printed on the reference machine; None if that was not kept."""
        key = (lab.id, run)
        if key not in self._recordings:
            result = self.reference(lab)
            measured = result.runs.get(run) if result else None
            output = measured.output if measured else None
            kept = None if output is None else Recording(lab, lab.runs[run], output)
            self._recordings[key] = kept
        return self._recordings[key]

    @cached_property
    def _by_slug(self) -> dict[str, list[str]]:
        slugs: dict[str, list[str]] = {}
        for id in self.library.labs:
            slugs.setdefault(id.rpartition("/")[2], []).append(id)
        return slugs

    def bind(self, text: LinkedText, link: Link, address: str) -> Binding:
        """Compare the number of a link with the value that the link's address names."""
        source = text.body.document.text
        shown = strip_markup(source[link.label_start : link.label_end]).strip()
        if "image" in link.kind:
            problem = ("PN912", "a picture is no number", "bind the number's text")
            return Binding(link, address, shown, Found(), problem)
        note = text.id if text.kind == "note" else ""
        found = self.find(address, note, text.guesses)
        if found.number is None:
            return Binding(link, address, shown, found, found.problem)
        wrong, right = compare(shown, found)
        # Where markup divides the digits, only a person knows where it belongs in the right ones.
        if not wrong or not right or shown not in source[link.label_start : link.label_end]:
            return Binding(link, address, shown, found, wrong)
        code, message, hint = wrong
        problem = (code, message, f"{hint}; `perfnotes fix` does")
        return Binding(link, address, shown, found, problem, right)

    def find(self, address: str, note: str = "", guesses: Guesses | None = None) -> Found:
        """What an address names; if it names nothing, what comes back has only a problem.

        An address that names no note means ``note``, an id.
        """
        guesses = guesses or Guesses()
        if address.lower().startswith("fact:"):
            return self._fact(address, guesses)
        parts = _LAB.match(address)
        if not parts:
            hint = "write lab:claim, lab:topic/note#claim or fact:entity/name"
            return _none(f"{address!r} is no address of a number", hint)
        lab, problem = self.lab(parts["note"] or note, bool(parts["note"]), guesses)
        if lab is None:
            return Found(problem=problem)
        value = lab.shown.get(parts["value"])
        if value is None:
            message = f"the lab of {lab.id} has no claim or value {parts['value']!r}"
            return _none(message, _did_you_mean(parts["value"], lab.shown, guesses))
        stat = parts["stat"] or ""
        if stat and stat not in STATS:
            return _none(f"a spread has no {stat!r}", "it has " + ", ".join(STATS))
        return self._measured(lab, value, stat, parts["machine"] or lab.reference, guesses)

    def kind_and_id(self, address: str) -> tuple[str, str] | None:
        """("lab" or "fact", its id) for what an address names; None if it names neither.

        The address must name the note of its lab.
        """
        fact, parts = _FACT.match(address), _LAB.match(address)
        if fact:
            return "fact", f"{fact['entity']}/{fact['name']}"
        lab, _ = self.lab(parts["note"] or "", named=True) if parts else (None, None)
        return ("lab", lab.id) if lab else None

    def lab(
        self,
        note: str,
        named: bool,
        guesses: Guesses | None = None,
        form: str = "lab:topic/note#claim",
    ) -> tuple[Lab | None, Problem | None]:
        """The lab of a note, given by its id or unique slug; or None and the problem.

        Two arguments change only the words of the problem: ``named`` says whether the text itself
        names the note, and ``form`` is how a text names something of another note's lab.
        """
        labs = self.library.labs
        if note in labs:
            return labs[note], None
        same = self._by_slug.get(note, [])
        if len(same) == 1:
            return labs[same[0]], None
        if same:
            message = f"{note!r} may be " + " or ".join(sorted(same))
            return None, ("PN910", message, "write the note's whole id")
        if not named:
            hint = f"write {form}, or add lab/lab.yml"
            return None, ("PN910", "this page has no lab of its own", hint)
        guess = _did_you_mean(note, [*labs, *self._by_slug], guesses or Guesses())
        return None, ("PN910", f"no note {note!r} has a lab", guess)

    def _measured(self, lab: Lab, value: Value, stat: str, machine: str, guesses: Guesses) -> Found:
        there = self.library.results.get(lab.id, {})
        base = Found(lab, value, machine, stat)
        if machine not in there:
            if not machine:
                message = f"lab.yml of {lab.id} names no `reference`, the machine of its numbers"
                hint = "write reference: " + (" or ".join(sorted(there)) or "MACHINE")
                return _without(base, "PN913", message, hint)
            if machine == lab.reference:
                message = f"the lab of {lab.id} has no result of its reference machine, {machine}"
                hint = f"run there: perfnotes lab record {lab.id}"
                if there:
                    hint += f", or make `reference` one of {', '.join(sorted(there))}"
                return _without(base, "PN913", message, hint)
            message = f"no result of {lab.id} is from a machine {machine!r}"
            return _without(base, "PN910", message, _did_you_mean(machine, there, guesses))
        verdict = self.verdicts(lab, machine)[value.id]
        if verdict.state in (NOT_RUN, BROKEN) or verdict.spread is None:
            message = f"{value.id} has no value in the result of {machine}: {verdict.why}"
            hint = "mend the lab"
            if verdict.state == NOT_RUN:
                record = f"run perfnotes lab record {lab.id} on a machine that can"
                hint = f"{record}, and bind the number to lab:{lab.id}#{value.id}@MACHINE"
            return _without(base, "PN913", message, hint)
        number = getattr(verdict.spread, stat) if stat else verdict.spread.median
        of = "" if stat == "n" else value.unit
        return Found(lab, value, machine, stat, verdict, None, float(number), of)

    def _fact(self, address: str, guesses: Guesses) -> Found:
        parts = _FACT.match(address)
        facts = self.library.facts
        if not parts:
            hint = "write fact:entity/name, in lower case"
            return _none(f"{address!r} is no address of a fact", hint)
        fact = facts.by_id.get(f"{parts['entity']}/{parts['name']}")
        if fact is None:
            entity = facts.entities.get(parts["entity"])
            known = entity.facts if entity else facts.entities
            what = parts["name"] if entity else parts["entity"]
            hint = _did_you_mean(what, known, guesses, f"{entity.id}/" if entity else "")
            return _none(f"no fact is called {address.partition(':')[2]!r}", hint)
        try:
            return Found(fact=fact, number=facts.value(fact.id).median, unit=fact.unit)
        except FactError as error:
            return Found(fact=fact, problem=("PN913", f"{fact.id}: {error}", "mend its formula"))

    def is_stale(self, found: Found) -> bool:
        """Whether the lab's source has changed since a measured number was recorded.

        False for facts.
        """
        if found.lab is None or found.number is None:
            return False
        return is_stale(found.lab, self.library.results[found.lab.id][found.machine])


def _none(message: str, hint: str) -> Found:
    return Found(problem=("PN910", message, hint))


def _without(base: Found, code: str, message: str, hint: str) -> Found:
    return Found(base.lab, base.value, base.machine, base.stat, problem=(code, message, hint))


def _did_you_mean(word: str, known: Iterable[str], guesses: Guesses, before: str = "") -> str:
    """Return a hint with names like ``word``, each written after ``before``."""
    if guesses.left <= 0:
        return ""
    words = sorted(known)
    longer = [each for each in words if each.startswith(f"{word}-")]  # v100-pcie for v100
    nearest = guesses.nearest(word, words, cutoff=0.6)
    like = longer[:3] or ([nearest] if nearest else [])
    if guess := " or ".join(f"{before}{each}" for each in like):
        return f"did you mean {guess}?"
    if not words:
        return ""
    return "there are " + ", ".join(words[:8]) + (" …" if len(words) > 8 else "")
