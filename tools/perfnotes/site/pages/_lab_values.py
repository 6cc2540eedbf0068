"""How a lab's page shows one claim or value: its heading, its origin, its samples by machine."""

from __future__ import annotations

from msgspec import Struct

from perfnotes.graph.address import to_place
from perfnotes.graph.binding import Found
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.quantity.amount import amount, span
from perfnotes.model.symptom import code_and_words
from perfnotes.model.verdict import Verdict, is_stale
from perfnotes.site.page_footer import address_in_report
from perfnotes.site.pages import _lab_parts as parts_of
from perfnotes.site.pages._results import state_words, verdicts
from perfnotes.site.render.markup import escape, escape_staged
from perfnotes.site.render.origins import origin_words
from perfnotes.site.render.spreads import by_machine
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "control": ("Control", "对照"),
    "how": ("How it came to be", "由来"),
    "report_this": ("Report this number", "报告这个数字"),
    "results": ("Results", "结果"),
}
add_words(WORDS)


class LabValues(Struct, frozen=True):
    """Makes the parts of one claim or value of ``lab`` for the page at ``url``."""

    site: Site
    lab: Lab
    url: str
    lang: str

    def string(self, key: str, **values: object) -> str:
        return string(key, self.lang, **values)

    def heading(self, value: Value) -> str:
        what = "".join(
            f"`{' '.join(part.split())}`" if is_code else escape_staged(part)
            for is_code, part in code_and_words(value.what[self.lang])
        )
        return f"### {what} {{#{value.id}}}\n"

    def report(self, value: Value) -> str:
        """Return a link to report a wrong number, like the one on the card over a number.

        Readers without scripts, who have no cards, can use this one.
        """
        reference = self.site.graph.evidence.reference(self.lab)
        verdicts = (
            self.site.graph.evidence.verdicts(self.lab, self.lab.reference) if reference else {}
        )
        verdict = verdicts.get(value.id)
        number = amount(verdict.number, value.unit) if verdict and verdict.spread else ""
        address = f"lab:{self.lab.id}#{value.id}"
        report = self.site.repository.report(
            "wrong-number",
            f"{number} ({address})" if number else address,
            page=address_in_report(self.site, self.url),
            number=number,
            binding=address,
            recorded=number,
            machine=self.lab.reference if number else "",
        )
        if not report:
            return ""
        return (
            f'<p class="pn-report"><a href="{escape(report)}">{self.string("report_this")}</a></p>'
        )

    def results(self, value: Value) -> str:
        """Return a drawing of all samples, and a table by machine."""
        found = verdicts(self.site, self.lab, value)
        drawing = by_machine(self.site, self.lab, value, found, self.lang)
        return drawing + self._table(value)

    def how(self, value: Value) -> list[tuple[str, str]]:
        """Return how the value came to be on the first machine that measured it, as one row."""
        for result, verdict in verdicts(self.site, self.lab, value):
            if verdict.spread:
                found = Found(self.lab, value, result.machine.id, verdict=verdict)
                how = origin_words(self.site.graph.evidence, found, self.lang)
                return [(self.string("how"), f'<span class="pn-how">{how}</span>')]
        return []

    def _table(self, value: Value) -> str:
        """Return a table of the value by machine; empty if there are no results."""
        found = list(verdicts(self.site, self.lab, value))
        if not found:
            return ""
        several = any(verdict.spread and verdict.spread.n > 1 for _, verdict in found)
        keys = ["machine", "state", "value", "quartiles", "range", "control"]
        if not several:
            keys = [k for k in keys if k not in ("quartiles", "range")]
        if not isinstance(value, Claim):
            keys = [k for k in keys if k not in ("state", "control")]
        rows = [self._row(value, r.machine.id, v, keys) for r, v in found]
        name = f"{self.string('results')}{joins(self.lang).colon}{value.what[self.lang]}"
        same = [v for v in self.lab.shown.values() if v.what[self.lang] == value.what[self.lang]]
        if len(same) > 1:
            # Screen readers list the tables by name, so no two may have the same.
            name += joins(self.lang).bracketed(value.id)
        numbers = [i for i, key in enumerate(keys) if key not in ("machine", "state")]
        return parts_of.table([self.string(k) for k in keys], rows, name, numbers=numbers)

    def _row(self, value: Value, machine: str, verdict: Verdict, keys: list[str]) -> str:
        at = to_place(self.url, f"{self.url}#lab--m-{machine}")
        cells = [f'<th scope="row"><a href="{escape(at)}">{escape(machine)}</a></th>']
        spread, control, of = verdict.spread, verdict.control, value.unit
        stale = is_stale(self.lab, self.site.library.results[self.lab.id][machine])
        old = f' <span class="pn-state pn-stale">{self.string("stale")}</span>' if stale else ""
        state = state_words(value, verdict, self.lang)
        if "state" in keys:
            cells.append(f"<td>{state}{old}</td>")
        if spread is None:
            rest = len(keys) - len(cells)
            cells.append(f'<td colspan="{rest}">{"" if "state" in keys else state}</td>')
            return f"<tr>{''.join(cells)}</tr>"
        shown = {
            "value": amount(spread.median, of),
            "quartiles": span(spread.low, spread.high, of) if spread.n > 1 else "",
            "range": span(spread.min, spread.max, of) if spread.n > 1 else "",
            "control": amount(control.median, of) if control else "",
        }
        cells += [f"<td{parts_of.NUMBER}>{escape(shown[key])}</td>" for key in keys if key in shown]
        if old and "state" not in keys:
            cells[1] = cells[1].replace("</td>", f"{old}</td>")
        return f"<tr>{''.join(cells)}</tr>"
