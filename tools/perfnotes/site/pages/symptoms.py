"""The page "What do you see?": symptoms by place and question, and what to run first.

Everything is in the page itself: answers are ``<details>``, which need no script, work by keyboard
and open for a search within the page. Printed, all of them are open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import NoteSymptom, symptoms_by_place
from perfnotes.model.symptom import Place, Question
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.pages._first_commands import FirstCommands
from perfnotes.site.pages._home_lists import place_titles
from perfnotes.site.pages._parts import FILTER
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

# A code span that is a command with arguments; paper has room for the first one. A command begins
# with a small letter or a path, after variables that are set for it. Options, calls and most
# messages do not; four words without other signs are a message too. Paper shows no ``rm``, so that
# nobody copies one from it.
_COMMAND = re.compile(
    r"<code>(?!rm |[a-z]+(?: [a-z]+){3,}<)(?=(?:[A-Z][A-Z0-9_]*=[^< ]+ )*[a-z./][^< (]+ [^<])"
)
_RUN = '<code class="pn-run">'
WORDS = {
    "symptoms_about": (
        "Begin with where you see it, answer the questions, and confirm a cause by its measurement "
        "before you change anything.",
        "先看现象出在哪里，再逐个回答问题；动手修改之前，先用测量确认原因。",
    ),
    "symptoms_description": (
        "From what a slow program shows to its cause: questions with commands, and for each cause "
        "the measurement that confirms it.",
        "从程序变慢时看到的现象找到原因：每个问题附命令，每种原因附确认它的测量。",
    ),
    "symptoms_by": ("To see it:", "查看方法："),
    "symptoms_confirm": ("To confirm:", "确认方法："),
    "symptoms_more": ("More that people see here", "此处还会看到"),
    "symptoms_no_note": ("no note on this yet", "尚无笔记"),
    "symptoms_paper": (
        "On paper a note stands at most once below a heading, with one symptom and the "
        "command that confirms it. All {n} symptoms, and what the commands' answers mean, are on "
        "the page",
        "纸上每篇笔记在一个标题下至多出现一次：一种现象，以及确认它的命令。全部 {n} 种现象，"
        "以及命令的结果说明什么，见网页",
    ),
}
add_words(WORDS)

SECTION = Section(
    "symptoms",
    ("What do you see?", "你看到了什么？"),
    exists=lambda site: bool(site.library.symptom_index.places),
    place=5,
    llms=5,
    lead="symptoms_description",
    names=(
        ("symptoms", "by symptom", "troubleshooting", "first sixty seconds"),
        ("症状", "按症状查找", "故障排查", "前六十秒"),
    ),
)


SHOWS = frozenset({"table symptoms", "symptoms", "note", "reference", "headings"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    index = site.library.symptom_index
    if index.places:
        yield _page(site, lang)


def listed(site: Site, lang: str) -> Iterator[str]:
    """Yield the places by which one looks; the search finds the page by these words."""
    yield from (place.title[lang] for place in site.library.symptom_index.places)


def place_address(site: Site, place: Place, lang: str) -> str:
    """Return the address of the section of a place, below the site's root."""
    return f"{SECTION.url(site, lang)}#{anchor(place.id)}"


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if site.library.symptom_index.places:
        yield PageAddress(SECTION.url(site, lang), site.library.shown("symptoms.yml"))


def anchor(where: str) -> str:
    """Return the id that a place, or an answer as ``place/answer``, has on the page."""
    return f"symptoms--{where.replace('/', '--')}"


def _page(site: Site, lang: str) -> Page:
    index = site.library.symptom_index
    title, url = SECTION.title_in(lang), SECTION.url(site, lang)
    parts = _Parts(site, url, lang)
    first = FirstCommands(site, url, lang, anchor)
    about = string("symptoms_about", lang)
    body = [f"{about}\n", block(parts.on_paper() + FILTER), block(parts.contents())]
    markdown = [f"# {escape_markdown(title)}\n\n{about}\n"]
    for place in index.places:
        body.append(f"## {escape_staged(place.title[lang])} {{#{anchor(place.id)}}}\n")
        body.append(parts.place(place))
        markdown.append(f"\n## {escape_markdown(place.title[lang])}\n{parts.place_markdown(place)}")
    if index.first:
        body.append(f"## {escape_staged(first.title)} {{#{anchor('first')}}}\n\n{first.staged()}")
        markdown.append(f"\n## {escape_markdown(first.title)}\n\n{first.markdown()}")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="symptoms--top",
        description=string("symptoms_description", lang),
        body="\n".join(body),
        markdown="".join(markdown),
        kind="symptoms",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("symptoms", "symptoms.yml"),
        source=site.library.shown("symptoms.yml"),
        styles=("symptoms",),
        scripts=("filter",),
    )


class _Parts:
    """Makes the parts of the page at ``url`` in ``lang``."""

    def __init__(self, site: Site, url: str, lang: str) -> None:
        self.site, self.url, self.lang = site, url, lang
        self.by_place = symptoms_by_place(site)
        self._printed = set[str]()  # the notes that paper shows

    def on_paper(self) -> str:
        """Return the words that only paper shows: what it leaves out, and where the page is."""
        words = self._string("symptoms_paper", n=sum(map(len, self.by_place.values())))
        base, signs = self.site.settings.url, joins(self.lang)
        where = f"{signs.colon}{base}{quote(self.url)}" if base else signs.stop.strip()
        return f'<p class="pn-on-paper">{escape(words + where)}</p>'

    def contents(self) -> str:
        """Return links to the places, and to what to run first if there is such a list."""
        items = (
            f'<li><a href="#{anchor(id)}">{escape(title)}</a></li>'
            for id, title in place_titles(self.site, self.lang)
        )
        return f'<ul class="pn-places">{"".join(items)}</ul>'

    def place(self, place: Place) -> str:
        """Return a place with its questions, and the symptoms that no question leads to."""
        parts = [self._question(place, question) for question in place.questions]
        others = self.by_place.get(place.id, [])
        if others and parts:
            heading = self._string("symptoms_more")
            more = self._details(heading, others, anchor(f"{place.id}/more"))
            parts.append(block(more))
        elif others:
            parts.append(block(self._causes(others)))
        return "\n".join(parts)

    def _question(self, place: Place, question: Question) -> str:
        shown, gap = sentence_html(question.by[self.lang]), joins(self.lang).gap
        by = f'<p class="pn-by">{self._string("symptoms_by")}{gap}{shown}</p>'
        answers = []
        for answer in question.answers:
            where = f"{place.id}/{answer.id}"
            says, found = answer.says[self.lang], self.by_place.get(where, [])
            if found:
                answers.append(self._details(says, found, anchor(where)))
            else:
                none = f"{sentence_html(says)} · {self._wanted()}"
                answers.append(f'<p class="pn-no-cause pn-row" id="{anchor(where)}">{none}</p>')
        return f"### {escape_staged(question.ask[self.lang])}\n" + block(by + "\n".join(answers))

    def _details(self, says: str, causes: Sequence[NoteSymptom], id: str) -> str:
        summary = f'{sentence_html(says)} <span class="pn-count">{len(causes)}</span>'
        return (
            f'<details class="pn-answer" id="{id}"><summary>{summary}</summary>\n'
            f"{self._causes(causes)}</details>\n"
        )

    def _causes(self, causes: Sequence[NoteSymptom]) -> str:
        """Return a list. Paper shows of each note the first symptom that a command confirms.

        It shows a note once, or again where an answer would have nothing on paper.
        """
        run = [
            _COMMAND.subn(_RUN, sentence_html(each.words(self.site, self.lang).confirm), count=1)
            for each in causes
        ]
        first: dict[str, int] = {}
        for i, (each, (_, runs)) in enumerate(zip(causes, run, strict=True)):
            if runs:
                first.setdefault(each.note.id, i)
        fresh = first.keys() - self._printed
        on_paper = {first[id] for id in fresh or first}
        self._printed |= fresh or first.keys()
        items = (
            self._cause(each, how, on_paper=i in on_paper)
            for i, (each, (how, _)) in enumerate(zip(causes, run, strict=True))
        )
        return f'<ul class="pn-causes">{"".join(items)}</ul>'

    def _cause(self, each: NoteSymptom, how: str, *, on_paper: bool) -> str:
        said = each.words(self.site, self.lang)
        href = escape(to_place(self.url, each.address(self.site, self.lang)))
        title = escape(self.site.title(each.note, self.lang))
        kind = "pn-row pn-on-paper" if on_paper else "pn-row"
        language = ' lang="en"' if said is each.symptom and self.lang != "en" else ""
        foreign = "" if self.site.addresses.has(each.note, self.lang) else ' hreflang="en"'
        see = sentence_html(said.see)
        confirm = f"<b>{self._string('symptoms_confirm')}</b>{joins(self.lang).gap}{how}"
        return (
            f'<li class="{kind}"{language}><p class="pn-see">{see}</p>'
            f'<p class="pn-cause"><a href="{href}"{foreign}>{title}</a></p>'
            f'<p class="pn-confirm">{confirm}</p></li>\n'
        )

    def place_markdown(self, place: Place) -> str:
        parts = []
        for question in place.questions:
            by = sentence_markdown(question.by[self.lang])
            parts.append(f"\n### {escape_markdown(question.ask[self.lang])}\n\n{by}\n\n")
            for answer in question.answers:
                found = self.by_place.get(f"{place.id}/{answer.id}", [])
                parts.append(f"- {sentence_markdown(answer.says[self.lang])}\n")
                parts += [f"    - {self._cause_markdown(each)}\n" for each in found]
        others = self.by_place.get(place.id, [])
        if others:
            parts.append("\n")
            parts += [f"- {self._cause_markdown(each)}\n" for each in others]
        return "".join(parts)

    def _cause_markdown(self, each: NoteSymptom) -> str:
        said = each.words(self.site, self.lang)
        href = to_place(self.url, each.address(self.site, self.lang), markdown=True)
        title = escape_markdown(self.site.title(each.note, self.lang))
        gap = joins(self.lang).gap
        see, confirm = sentence_markdown(said.see), sentence_markdown(said.confirm)
        return f"{see}{gap}{confirm}{gap}[{title}]({href})"

    def _wanted(self) -> str:
        href = relative(self.url, self.site.addresses.section("help-wanted", self.lang))
        return f'<a href="{escape(href)}">{self._string("symptoms_no_note")}</a>'

    def _string(self, key: str, **values: object) -> str:
        return string(key, self.lang, **values)
