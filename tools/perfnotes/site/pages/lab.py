"""The page of a lab: its claims, commands and sources, and the results of every machine.

A lab may come from a stranger, so its words, sources and results are always escaped. Ids that the
page itself uses contain two hyphens in a row. The id of a claim never does, so ids cannot collide.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.labs.versions import commands
from perfnotes.model.lab import Claim, Lab
from perfnotes.model.quantity.amount import digits, seconds
from perfnotes.model.verdict import FAILS
from perfnotes.site.navigation import index_of, listed_in_navigation
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages import _lab_parts as parts_of
from perfnotes.site.pages._lab_markdown import lab_markdown
from perfnotes.site.pages._lab_values import LabValues
from perfnotes.site.pages._parts import note_link
from perfnotes.site.pages._results import needs_words, ordered, safe, verdicts
from perfnotes.site.render.markup import escape, escape_staged
from perfnotes.site.render.sentence import sentence_html
from perfnotes.site.strings import add_words, string
from perfnotes.text.highlighting import HighlightBudget
from perfnotes.text.joining import joins

WORDS = {
    "because": ("Because", "原因"),
    "binary_source": ("Not a text: {n} bytes.", "非文本文件：{n} 字节。"),
    "claims": ("Claims", "论断"),
    "claims_lead": (
        "Each must hold on any machine, and must fail on its control, where the effect is absent.",
        "每条论断在任何机器上都应成立，而在没有该效应的对照上必须不成立。",
    ),
    "command": ("Command", "命令"),
    "expected": ("Expected", "预期"),
    "expression": ("Expression", "表达式"),
    "failing": ("Fails on {machine}", "在 {machine} 上不成立"),
    "instrument": ("Instrument", "工具"),
    "lab_of": ("Lab of", "实验所属笔记"),
    "no_results": ("No result has been recorded yet.", "尚无记录的结果。"),
    "null_why": (
        "A null result: no effect is expected here, and the control shows that one of that size "
        "would be seen.",
        "阴性结果：此处预期没有效应；对照表明若有这样大小的效应，是能测出来的。",
    ),
    "parameters": ("Parameters", "参数"),
    "plot_desc": (
        "Each row is a machine: every sample a dot, the box from quartile to quartile, its line "
        "the median, the diamond the control; what was expected is shaded. The table says the "
        "same.",
        "每行一台机器：点为样本，方框为上下四分位，其中竖线为中位数，菱形为对照，阴影为预期范围。"
        "表格内容相同。",
    ),
    "values": ("Other values", "其他数值"),
}
add_words(WORDS)

_KINDS = ("count", "timing")


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    for lab in site.library.labs.values():
        page = _LabPage(site, lab, lang)
        yield PagePlan(
            site.addresses.lab(lab.id, lang),
            frozenset(),
            page.shows,
            page.remembered,
        )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    for id, lab in site.library.labs.items():
        yield PageAddress(site.addresses.lab(id, lang), lab.source.path)


FILES_SHOW = frozenset({"lab", "note"})


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield every recorded result as it is in the repository."""
    for id, results in site.library.results.items():
        for machine, result in results.items():
            if result.source:
                yield site.addresses.lab_file(id, machine), result.source.text.encode()


class _LabPage(Struct, frozen=True):
    """Makes the page of one lab in ``lang``."""

    site: Site
    lab: Lab
    lang: str

    def shows(self) -> frozenset[Name]:
        """Return what the page shows; the navigation beside it lists the notes of the topic."""
        site, id = self.site, self.lab.id
        group = site.library.by_topic[site.library.notes[id].topic]
        labs = {id, *site.graph.evidence.compared_labs(self.lab)}
        return listed_in_navigation(group, index_of(group, id)) | {("lab", each) for each in labs}

    @property
    def url(self) -> str:
        return self.site.addresses.lab(self.lab.id, self.lang)

    @property
    def colon(self) -> str:
        return joins(self.lang).colon

    @property
    def values(self) -> LabValues:
        return LabValues(self.site, self.lab, self.url, self.lang)

    @property
    def made_of(self) -> tuple[str, ...]:
        """Return what ``page`` depends on: the lab, its results, the site, and its note's title."""
        site, note = self.site, self.site.library.notes[self.lab.id]
        return (
            self.url,
            self.lang,
            site.graph.evidence.recorded_digest(self.lab),
            repr((replace(site.settings, themes=()), site.library.languages)),
            site.addresses.section("machines", self.lang),
            site.addresses.note(note, self.lang),
            site.title(note, self.lang),
        )

    def string(self, key: str, **values: object) -> str:
        return string(key, self.lang, **values)

    def remembered(self) -> Page:
        """Return the page, from an earlier build if nothing on which it depends is different."""
        return self.site.memo.of(self.page, [], "lab page", *self.made_of)

    def page(self) -> Page:
        site, lab, lang = self.site, self.lab, self.lang
        note = site.library.notes[lab.id]
        body = [
            block(self._title()),
            escape_staged(lab.question[lang]) + "\n",
            block(self._facts()),
            parts_of.plots(site, lab, self.url, lang),
            self._claims(),
            self._values(),
            self._results(),
            self._runs(),
            self._sources(),
        ]
        return Page(
            url=self.url,
            lang=lang,
            title=lab.title[lang],
            title_id="lab--top",
            description=lab.question[lang],
            body="\n".join(body),
            markdown=lab_markdown(site, lab, self.url, lang),
            kind="lab",
            topic=note.topic,
            note=note.id,
            alternates=site.alternates(lambda other: site.addresses.lab(lab.id, other)),
            edit=site.repository.edit(f"{site.settings.notes}/{lab.folder}/lab.yml"),
            source=lab.source.path,
            styles=("evidence", "lab", "plot"),
        )

    def _title(self) -> str:
        note = note_link(self.site, self.url, self.site.library.notes[self.lab.id], self.lang)
        return f'<div class="pn-title"><p>{self.string("lab_of")} {note}</p></div>'

    def _facts(self) -> str:
        lab = self.lab
        rows = [
            (self.string("command"), f"<code>{escape(lab.command)}</code>"),
            (self.string("takes"), seconds(lab.duration, self.lang)),
        ]
        needs = needs_words(lab.needs, self.lang)
        shown = "<br>".join(f"{name}{self.colon}{value}" for name, value in needs)
        rows.append((self.string("needs"), shown or self.string("needs_nothing")))
        if lab.parameters:
            pairs = ", ".join(f"{n} = {digits(v, 7)}" for n, v in lab.parameters.items())
            rows.append((self.string("parameters"), f"<code>{safe(pairs)}</code>"))
        return parts_of.definitions(rows)

    def _claims(self) -> str:
        gap = joins(self.lang).gap
        lead = f"{self.string('claims_lead')}{gap}{self.string('plot_desc')}"
        parts = [f"## {self.string('claims')} {{#lab--claims}}\n\n{lead}\n"]
        parts += [self._claim(claim) for claim in self.lab.claims.values()]
        return "\n".join(parts)

    def _claim(self, claim: Claim) -> str:
        marks = [self.string(claim.kind)] if claim.kind in _KINDS else []
        if claim.null:
            marks.append(self.string("null_result"))
        html = " ".join(f'<span class="pn-mark">{m}</span>' for m in marks)
        for result, verdict in verdicts(self.site, self.lab, claim):
            if verdict.state == FAILS:
                fails = self.string("failing", machine=escape(result.machine.id))
                html += f' <span class="pn-state pn-fails">{fails}</span>'
        shown = claim.expect.shown(self.lang)
        expected = f"<code>{safe(shown)}</code>" if shown == claim.expect.text else safe(shown)
        rows = [
            *self.values.how(claim),
            (self.string("expected"), expected),
            (self.string("because"), sentence_html(claim.because[self.lang])),
            (self.string("expression"), f"<code>{safe(claim.expression.text)}</code>"),
            (self.string("control"), f"<code>{safe(claim.control.text)}</code>"),
        ]
        null = f"<p>{self.string('null_why')}</p>" if claim.null else ""
        return self.values.heading(claim) + block(
            f'<div class="pn-claim"><p>{html}</p>{parts_of.definitions(rows)}{null}'
            f"{self.values.results(claim)}"
            f"{self.values.report(claim)}</div>"
        )

    def _values(self) -> str:
        values = list(self.lab.values.values())
        if not values:
            return ""
        parts = [f"## {self.string('values')} {{#lab--values}}\n"]
        for value in values:
            code = f"<code>{safe(value.expression.text)}</code>"
            rows = [*self.values.how(value), (self.string("expression"), code)]
            mark = f'<p><span class="pn-mark">{self.string(value.kind)}</span></p>'
            parts.append(
                self.values.heading(value)
                + block(
                    f'<div class="pn-claim">{mark}{parts_of.definitions(rows)}'
                    f"{self.values.results(value)}"
                    f"{self.values.report(value)}</div>"
                )
            )
        return "\n".join(parts)

    def _results(self) -> str:
        parts = [f"## {self.string('results')} {{#lab--results}}\n"]
        results = ordered(self.site, self.lab)
        if not results:
            parts.append(f"{self.string('no_results')}\n")
        for result in results:
            machine = result.machine.id
            parts.append(f"### {escape_staged(machine)} {{#lab--m-{machine}}}\n")
            parts.append(block(parts_of.result(self.site, self.lab, result, self.url, self.lang)))
        return "\n".join(parts)

    def _runs(self) -> str:
        lab = self.lab
        parts = [f"## {self.string('runs')} {{#lab--runs}}\n"]
        if lab.build:
            parts.append(parts_of.source("\n".join(lab.build), "sh", HighlightBudget()))
        rows = []
        for run in lab.runs.values():
            run_commands = "<br>".join(f"<code>{safe(c)}</code>" for c in commands(run))
            needs = joins(self.lang).semicolon.join(
                f"{n}{self.colon}{v}" for n, v in needs_words(run.needs, self.lang)
            )
            cells = [f"<code>{safe(run.tool)}</code>", run_commands, needs]
            rows.append(
                f'<tr><th scope="row"><code>{safe(run.id)}</code></th>'
                + "".join(f"<td>{c}</td>" for c in cells)
                + "</tr>"
            )
        heads = [self.string(key) for key in ("name", "instrument", "command", "needs")]
        parts.append(block(parts_of.table(heads, rows, self.string("runs"))))
        return "\n".join(parts)

    def _sources(self) -> str:
        parts = [f"## {self.string('source_code')} {{#lab--sources}}\n"]
        budget = HighlightBudget()
        for i, (name, text, size) in enumerate(parts_of.sources(self.lab)):
            parts.append(f"### {escape_staged(name)} {{#lab--s{i}}}\n")
            if text is None:
                parts.append(self.string("binary_source", n=f"{size:,}") + "\n")
            else:
                parts.append(parts_of.source(text, parts_of.language(name), budget))
        return "\n".join(parts)
