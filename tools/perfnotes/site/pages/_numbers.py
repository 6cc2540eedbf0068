"""The section "Numbers on this page": tables of where each bound number comes from.

The card that a script shows over a number is made from the number's row in these tables.
"""

from __future__ import annotations

import html as escapes
from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.binding import Binding, Found
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim
from perfnotes.model.quantity.amount import amount, span
from perfnotes.site.page import block
from perfnotes.site.page_footer import address_in_report
from perfnotes.site.pages._facts import derivation, fact_name, fact_value
from perfnotes.site.pages._parts import count, fold
from perfnotes.site.pages._results import machine_words, values_elsewhere, versions
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.render.numbers import evidence_address
from perfnotes.site.render.origins import is_computed, origin_words, statistics_words
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.render.spreads import on_card
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import Joins, joins

WORDS = {
    "measured_on": ("Measured on", "测量机器："),
    "in_lab": ("in the lab", "实验："),
    "numbers": ("Numbers on this page", "本页数字"),
    "numbers_facts": ("From sources and formulas", "来自文献与公式"),
    "numbers_lead": (
        "Where each comes from. Measured ones are of the machine that is named; yours will differ.",
        "各数字的来历。测量值属于所注明的机器，你的机器会有所不同。",
    ),
    "other_machines": ("other machines", "其他机器"),
    "range": ("range", "范围"),
    "repeat": ("Run it again", "重新运行"),
    "report_number": ("Report a wrong number", "报告错误的数字"),
    "recorded_value": ("recorded as {value}", "记录值 {value}"),
    "repeat_how": ("how to", "方法"),
    "compilers": ("Programs and versions", "程序与版本"),
}
add_words(WORDS)


class _Row(Struct, frozen=True):
    """One piece of evidence: its count ``n`` on this page, and the first number that shows it."""

    n: int
    shown: str
    address: str
    found: Found


class NumbersSection(Struct, frozen=True):
    """Makes the section for the page at ``url``.

    ``lang`` is the language of its words, ``site_lang`` that of the pages it links to.
    """

    site: Site
    url: str
    lang: str
    site_lang: str

    def staged(self, numbers: Iterable[Binding]) -> str:
        """Return staged Markdown: a heading and the tables. Empty if there are no numbers."""
        rows = [_Row(i, b.shown, b.address, b.found) for i, b in enumerate(numbers, start=1)]
        if not rows:
            return ""
        parts = [f"<p>{string('numbers_lead', self.lang)}</p>"]
        sets: dict[tuple[str, str], list[_Row]] = {}
        for row in rows:
            lab = row.found.lab
            sets.setdefault((lab.id if lab else "", row.found.machine), []).append(row)
        for (id, machine), group in sets.items():
            if id:
                make = partial(self._set_of_lab, id, machine, group)
                parts.append(self.site.memo.of(make, [], *self._made_of(id, machine, group)))
        if ("", "") in sets:
            origin = f"<p>{string('numbers_facts', self.lang)}</p>"
            parts.append(self._set("pn-sourced", origin, map(self._fact, sets["", ""])))
        parts.append(self._report())
        heading = f"## {string('numbers', self.lang)} {{#pn-numbers}}\n"
        inside = ['<div class="pn-numbers">', *parts, "</div>"]
        return heading + block(fold(count("fold_numbers", len(rows), self.lang), inside))

    def _set_of_lab(self, id: str, machine: str, rows: list[_Row]) -> str:
        """Return the table of the numbers that one lab has on one machine."""
        measured = map(self._measured, rows)
        return self._set("pn-measured", self._origin(id, machine), measured, machine)

    def _made_of(self, id: str, machine: str, rows: list[_Row]) -> tuple[str, ...]:
        """Return everything on which ``_set_of_lab`` depends."""
        site = self.site
        return (
            "numbers of a lab",
            *(self.url, self.lang, self.site_lang, machine),
            site.graph.evidence.recorded_digest(site.library.labs[id]),
            site.addresses.machine(machine, self.site_lang),
            site.docs_address("labs", self.site_lang),
            site.repository.url,
            *(text for row in rows for text in (str(row.n), row.shown, row.address)),
        )

    def open_card(self, found: Found, shown: str) -> str:
        """Return the card of a measured number as HTML, as the script shows it over a number."""
        assert found.lab
        href = escape(
            to_place(self.url, evidence_address(self.site.addresses, found, self.site_lang))
        )
        return (
            f'<div class="pn-card pn-card-open"><div class="pn-card-number"><a href="{href}">'
            f'{escape(shown)}</a></div><div class="pn-card-what">{self._what(found)}</div>'
            f'<div class="pn-card-how">{self._evidence(found)}</div>'
            f'<div class="pn-card-origin">{self._origin(found.lab.id, found.machine)}</div></div>'
        )

    @property
    def joins(self) -> Joins:
        return joins(self.lang)

    def markdown(self, numbers: Iterable[Binding]) -> str:
        """Return the section for the Markdown copy: one line for each number."""
        lines = []
        for binding in numbers:
            found = binding.found
            at = evidence_address(self.site.addresses, found, self.site_lang)
            href = to_place(self.url, at, markdown=True)
            about = f"{self.joins.colon}{self._words(found)}"
            lines.append(f"- [{escape_markdown(binding.shown)}]({href}){about}\n")
        if not lines:
            return ""
        return f"## {string('numbers', self.lang)}\n\n{''.join(lines)}"

    def _report(self) -> str:
        """Return a link to report a wrong number of this page.

        The card over a number adds the number and its evidence to the link.
        """
        report = self.site.repository.report(
            "wrong-number", "", page=address_in_report(self.site, self.url)
        )
        words = string("report_number", self.lang)
        return f'<p><a class="pn-report" href="{escape(report)}">{words}</a></p>' if report else ""

    def _words(self, found: Found) -> str:
        how, signs = self._how(found), self.joins
        if found.fact:
            value = fact_value(self.site, found.fact)
            where = found.fact.source or (found.fact.formula.text if found.fact.formula else "")
            given = f"{escape_markdown(found.fact.id)} = {value}{signs.comma}{how}"
            return f"{given}{signs.colon}{escape_markdown(where)}"
        assert found.value
        what = sentence_markdown(found.value.what[self.lang])
        return signs.semicolon.join((what, how, _plain(self._spread(found)), found.machine))

    def _how(self, found: Found) -> str:
        return origin_words(self.site.graph.evidence, found, self.lang)

    def _set(self, kind: str, origin: str, rows: Iterable[str], machine: str = "") -> str:
        heads = "".join(
            f'<th scope="col">{string(key, self.lang)}</th>'
            for key in ("number", "what_it_is", "where_from")
        )
        of = f' data-machine="{escape(machine)}"' if machine and self.site.repository.url else ""
        return (
            f'<div class="pn-set {kind}"{of}><div class="pn-origin">{origin}</div>'
            f'<div class="pn-scroll"><table class="pn-table"><thead><tr>{heads}</tr></thead><tbody>'
            f"{''.join(rows)}</tbody></table></div></div>"
        )

    def _head(self, row: _Row) -> str:
        at = evidence_address(self.site.addresses, row.found, self.site_lang)
        href = escape(to_place(self.url, at))
        of = f' data-of="{escape(row.address)}"' if self.site.repository.url else ""
        link = f'<a href="{href}">{escape(row.shown)}</a>'
        return f'<tr id="pn-n{row.n}"{of}><th scope="row">{link}</th>'

    def _origin(self, lab_id: str, machine: str) -> str:
        """Return what applies to all numbers of one lab on one machine.

        These are the machine in words, the day, the command, and, folded, the versions.
        """
        site, lang = self.site, self.lang
        lab = site.library.labs[lab_id]
        result = site.library.results[lab_id][machine]
        page = site.addresses.lab(lab_id, self.site_lang)
        here = escape(to_place(self.url, site.addresses.machine(machine, self.site_lang)))
        raw = escape(relative(self.url, site.addresses.lab_file(lab_id, machine)))
        sources = escape(to_place(self.url, f"{page}#lab--sources"))
        gap, comma, colon = self.joins.gap, self.joins.comma, self.joins.colon
        name = escape(machine)
        return (
            f'<p>{string("measured_on", lang)}{gap}<a href="{here}" title="{name}">'
            f"{machine_words(result.machine, lang)}</a>{comma}"
            f'<time datetime="{result.date}">{result.date}</time>{comma}'
            f'{string("in_lab", lang)}{gap}<a href="{escape(relative(self.url, page))}">'
            f"{sentence_html(lab.title[lang])}</a></p>"
            f'<p class="pn-again">{string("repeat", lang)}{colon}'
            f"<code>{escape(lab.command)}</code>{self._how_to_repeat()}</p>"
            f'<details class="pn-versions"><summary>{string("compilers", lang)}</summary>'
            f"<p>{escape(versions(result, lab))}</p>"
            f'<p><a href="{sources}">{string("source_code", lang)}</a> · '
            f'<a href="{raw}">{string("download", lang)}</a></p></details>'
        )

    def _how_to_repeat(self) -> str:
        """Return a link to the page that says how to run the command; empty if there is none."""
        page = self.site.docs_address("labs", self.site_lang)
        if not page:
            return ""
        href = escape(to_place(self.url, f"{page}#reproduce"))
        link = f'<a href="{href}">{string("repeat_how", self.lang)}</a>'
        return self.joins.bracketed(link)

    def _measured(self, row: _Row) -> str:
        found = row.found
        cells = f"<td>{self._what(found)}</td><td>{self._evidence(found)}</td>"
        return f"{self._head(row)}{cells}</tr>"

    def _what(self, found: Found) -> str:
        assert found.value
        what = sentence_html(found.value.what[self.lang])
        if isinstance(found.value, Claim) and found.value.null:
            what += f' <span class="pn-mark">{string("null_result", self.lang)}</span>'
        return what

    def _evidence(self, found: Found) -> str:
        """Return how a measured number came to be, its samples as dots, and its recorded values."""
        assert found.value
        evidence = self.site.graph.evidence
        how = self._how(found)
        if is_computed(evidence, found):
            how += f"{self.joins.colon}<code>{escape(found.value.expression.text)}</code>"
        return (
            f'<div class="pn-how">{how}</div>{on_card(evidence, found)}'
            f'<div class="pn-value">{self._spread(found)}</div>'
        )

    def _spread(self, found: Found) -> str:
        assert found.lab
        assert found.value
        assert found.verdict
        assert found.verdict.spread
        lang, of, spread = self.lang, found.value.unit, found.verdict.spread
        median = escape(amount(spread.median, of))
        if found.stat:
            parts = [f"{string('median', lang)} {median}"]
        else:
            parts = [string("recorded_value", lang, value=median)]
        if spread.n > 1 and spread.min != spread.max:
            parts.append(f"{string('quartiles', lang)} {span(spread.low, spread.high, of)}")
            parts.append(f"{string('range', lang)} {span(spread.min, spread.max, of)}")
        parts += map(escape, statistics_words(self.site.graph.evidence, found, lang))
        if isinstance(found.value, Claim):
            expected = escape(found.value.expect.shown(lang))
            parts.append(f"{string('expected_range', lang)} {expected}")
        elsewhere = values_elsewhere(self.site, found.lab, found.value, found.machine, lang)
        if elsewhere:
            parts.append(f"{string('other_machines', lang)}{self.joins.colon}{elsewhere}")
        return self.joins.semicolon.join(parts)

    def _fact(self, row: _Row) -> str:
        fact = row.found.fact
        assert fact
        what = fact_name(self.site, fact, self.lang)
        if fact.qualifier[self.lang]:
            signs, only = self.joins, escape(fact.qualifier[self.lang])
            what += f"{signs.gap}<small>{signs.opening}{only}{signs.closing}</small>"
        where = derivation(self.site, fact, self.url, self.lang, self.site_lang, values=True)
        value = escape(fact_value(self.site, fact))
        return (
            f'{self._head(row)}<td>{what}</td><td><div class="pn-how">{self._how(row.found)}</div>'
            f'<div class="pn-value">{value}{self.joins.colon}{where}</div></td></tr>'
        )


def number_styles(staged: str) -> tuple[str, ...]:
    """Return the style sheets that a page needs for its section of numbers, as staged."""
    if not staged:
        return ()
    return ("evidence", "plot") if 'class="pn-c ' in staged else ("evidence",)


def _plain(html: str) -> str:
    return escape_markdown(escapes.unescape(html))
