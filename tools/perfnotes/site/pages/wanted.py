"""The page "Help wanted": what the notes lack, each with a command or link to begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.pages._jobs import Groups, Job, Jobs
from perfnotes.site.pages._section import CONTRIBUTE, Section
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

# The anchor of the section on what the notes are not about. The search knows it.
OUTSIDE = "wanted--outside"
WORDS = {
    "wanted_drafts": ("Drafts to finish", "待完成的草稿"),
    "wanted_drafts_lead": (
        "Begun, and not published yet. Take out `draft: true` when one is done.",
        "已经动笔、尚未发布。完成后去掉 `draft: true`。",
    ),
    "wanted_failing": ("Claims that fail on a machine", "在某台机器上不成立的论断"),
    "wanted_failing_lead": (
        "A wrong claim, a wrong measurement, or something to learn.",
        "可能论断有误、测量有误，也可能有新东西可学。",
    ),
    "wanted_how": (
        "Each entry names the one command that begins the work. [How to contribute]({how}) says "
        "what comes before and after it.",
        "每一项都给出着手所需的一条命令，前后步骤见[如何参与]({how})。",
    ),
    "wanted_late": ("Translations behind their English text", "落后于英文原文的译文"),
    "wanted_late_lead": (
        "The command shows what changed, word by word, and then records that the translation "
        "follows it.",
        "命令逐词列出原文的改动，随后记录译文已经跟上。",
    ),
    "wanted_lead": (
        "What nobody has done yet. Everything here follows from the notes themselves, and leaves "
        "the page once it is done.",
        "尚无人完成的事。本页内容全部由笔记自身得出，完成一项就自动消失一项。",
    ),
    "wanted_machine": ("Results from other machines", "其他机器的结果"),
    "wanted_machine_lead": (
        "These labs have run on one machine at most. The command runs one on yours and writes the "
        "result that you send.",
        "这些实验至多在一台机器上运行过。命令在你的机器上运行一个实验，并写出可供提交的结果。",
    ),
    "wanted_nothing": ("Nothing is wanted just now.", "目前没有待办的事。"),
    "wanted_numbers": ("Numbers without evidence", "没有依据的数字"),
    "wanted_numbers_lead": (
        "Bind each to a lab or a fact, or cite a source with the place in it.",
        "请把每个数字绑定到实验或常数，或者引用文献并注明位置。",
    ),
    "wanted_outside": ("What these notes are not about", "这些笔记不涉及的内容"),
    "wanted_outside_lead": (
        "Nobody needs to write about these here. The search says so when somebody asks.",
        "这些内容不必在这里写。有人搜索时，搜索会说明这一点。",
    ),
    "wanted_papers": ("Papers that nothing cites yet", "尚未被引用的文献"),
    "wanted_papers_lead": (
        "Somebody confirmed their entries; what they are good for is still to be said.",
        "条目已有人核实，它们有什么用还有待说明。",
    ),
    "wanted_stale": ("Results older than their lab", "早于实验源代码的结果"),
    "wanted_stale_lead": (
        "The lab's source has changed since; the same machine should answer again.",
        "记录之后实验的源代码已有改动，需要在同一台机器上重新运行。",
    ),
    "wanted_subjects": ("Notes on these subjects", "以下题目的笔记"),
    "wanted_subjects_lead": (
        "Each has a question that public notes often answer wrongly or vaguely.",
        "每个题目都附有一个问题，公开资料对它的回答往往有误或含糊。",
    ),
    "wanted_unmeasured": ("Claims that no machine has measured", "还没有机器测过的论断"),
    "wanted_unmeasured_lead": (
        "They need hardware or programs that no recorded machine had.",
        "它们需要的硬件或程序，记录在案的机器都不具备。",
    ),
    "wanted_unread": (
        "Notes that nobody has read against their sources",
        "还没有人对照来源读过的笔记",
    ),
    "wanted_unread_lead": (
        "The command lists each statement with its evidence; read as many as you can, and record "
        "those.",
        "命令列出每条陈述及其依据；能读多少读多少，并把读过的记录下来。",
    ),
    "wanted_untranslated": ("Notes without a Chinese version", "还没有中文版的笔记"),
    "wanted_untranslated_lead": (
        "The command writes the file with its headings, ready to translate.",
        "命令写出带有各级标题的文件，供你翻译。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "help-wanted",
    ("Help wanted", "征求帮助"),
    exists=lambda site: site.library.own,
    group=CONTRIBUTE,
    place=10,
    lead="wanted_lead",
    names=(("what is missing",), ("缺什么",)),
)


SHOWS = frozenset({"anything"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    if not site.library.own:
        return
    url = SECTION.url(site, lang)
    title, lead = SECTION.title_in(lang), string("wanted_lead", lang)
    parts, markdown = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    how = site.docs_address("contributing", lang)
    if how:
        parts.append(string("wanted_how", lang, how=relative(url, how)) + "\n")
    kinds = list(Jobs(site, lang).all())
    if kinds:
        parts.append(block(_counts(kinds, lang)))
    for kind, groups in kinds:
        heading, about = string(f"wanted_{kind}", lang), string(f"wanted_{kind}_lead", lang)
        parts.append(f"## {heading} {{#wanted--{kind}}}\n\n{about}\n")
        markdown.append(f"\n## {heading}\n\n{about}\n")
        for n, (name, jobs) in enumerate(groups.items()):
            if name:
                parts.append(f"### {escape_staged(name)} {{#wanted--{kind}-{n}}}\n")
                markdown.append(f"\n### {escape_markdown(name)}\n")
            parts.append(
                block(['<ul class="pn-jobs">', *(_item(j, url, lang) for j in jobs), "</ul>"])
            )
            markdown.append("\n" + _markdown(jobs, url, lang))
    if not kinds:
        parts.append(string("wanted_nothing", lang) + "\n")
        markdown.append("\n" + string("wanted_nothing", lang) + "\n")
    outside = [each.title[lang] for each in site.library.wanted.outside]
    if outside:
        heading, about = string("wanted_outside", lang), string("wanted_outside_lead", lang)
        parts.append(f"## {heading} {{#{OUTSIDE}}}\n\n{about}\n")
        parts.append("".join(f"- {escape_markdown(title)}\n" for title in outside))
        markdown.append(f"\n## {heading}\n\n{about}\n\n")
        markdown.append("".join(f"- {escape_markdown(title)}\n" for title in outside))
    yield Page(
        url=url,
        lang=lang,
        title=title,
        title_id="wanted--top",
        description=lead,
        body="\n".join(parts),
        markdown="".join(markdown),
        kind="wanted",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("wanted", "wanted.yml"),
        source=site.library.shown("wanted.yml"),
        styles=("wanted",),
    )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if site.library.own:
        yield PageAddress(SECTION.url(site, lang), site.library.shown("wanted.yml"))


def _counts(kinds: Iterable[tuple[str, Groups]], lang: str) -> str:
    """Return the number of jobs of each kind, with links to their lists."""
    items = []
    for kind, groups in kinds:
        n = sum(map(len, groups.values()))
        many = f' <span class="pn-count">{n}</span>' if n > 1 else ""
        items.append(
            f'<li><a href="#wanted--{kind}">{string(f"wanted_{kind}", lang)}</a>{many}</li>'
        )
    return f'<ul class="pn-jobs-kinds">{"".join(items)}</ul>'


def _href(url: str, address: str, *, markdown: bool = False) -> str:
    """Return a link from the page to an address of the site, or a complete address as it is."""
    if "://" in address:
        return address
    for mark in "?#":
        page, found, rest = address.partition(mark)
        if found:
            return f"{relative(url, markdown_file(page) if markdown else page)}{mark}{rest}"
    return relative(url, markdown_file(address) if markdown else address)


def _item(job: Job, url: str, lang: str) -> str:
    title = escape(job.title)
    own = lang_attribute(job.title, lang)
    if job.address:
        title = f'<a href="{escape(_href(url, job.address))}"{own}>{title}</a>'
    about = f"<p>{escape(job.about)}</p>" if job.about else ""
    ways = [f"<code>{escape(job.command)}</code>"] if job.command else []
    ways += [f'<a href="{escape(_href(url, at))}">{escape(label)}</a>' for label, at in job.ways]
    way = f'<p class="pn-job-way">{" · ".join(ways)}</p>' if ways else ""
    return f'<li><p class="pn-job">{title}</p>{about}{way}</li>'


def _markdown(jobs: Iterable[Job], url: str, lang: str) -> str:
    lines, signs = [], joins(lang)
    for job in jobs:
        title = escape_markdown(job.title)
        if job.address:
            title = f"[{title}]({_href(url, job.address, markdown=True)})"
        about = f"{signs.colon}{escape_markdown(job.about)}" if job.about else ""
        command = signs.bracketed(f"`{job.command}`") if job.command else ""
        lines.append(f"- {title}{about}{command}\n")
    return "".join(lines)
