"""The words that the site shows to readers, in English and Chinese.

This module has the words that several modules show. The words of a single page kind are in the
module of that kind, which adds them by ``add_words`` when it is imported. The templates take
their words from Material's languages.
"""

from __future__ import annotations

from collections.abc import Mapping

from perfnotes.graph.site import Site

_STRINGS = {
    "aliases": ("also known as", "又称"),
    "backlinks": ("Linked from", "链接到本文的笔记"),
    "behind": (
        "The English text has changed since this translation was written.",
        "英文原文在此译文完成后有改动。",
    ),
    "colour": ("Colour", "颜色"),
    "edit": ("Edit this page", "编辑此页"),
    "english_only": ("in English", "英文"),
    "home": ("Home", "首页"),
    "introductory": ("introductory", "入门"),
    "intermediate": ("intermediate", "中级"),
    "advanced": ("advanced", "高级"),
    "lab": ("Lab", "实验"),
    "minutes": ("{n} min read", "阅读约 {n} 分钟"),
    "more": ("{n} more in this topic", "本主题还有 {n} 篇"),
    "no_twin": ("no Chinese version yet", "暂无中文版"),
    "next": ("Next", "下一篇"),
    "place": ("{n} of {total}", "第 {n} 篇，共 {total} 篇"),
    "previous": ("Previous", "上一篇"),
    "fold_backlinks_n": (
        "{n} notes, with the sentences that link here",
        "{n} 篇笔记，附链接所在的句子",
    ),
    "fold_backlinks_one": (
        "One note, with the sentence that links here",
        "1 篇笔记，附链接所在的句子",
    ),
    "fold_numbers_n": (
        "What the underlined numbers rest on: {n} entries",
        "带下划线的数字的依据：{n} 项",
    ),
    "fold_numbers_one": ("What the underlined number rests on", "带下划线的数字的依据"),
    "fold_references_n": (
        "{n} works, each with the sentences that cite it",
        "{n} 篇文献，附引用它们的句子",
    ),
    "fold_references_one": (
        "One work, with the sentences that cite it",
        "1 篇文献，附引用它的句子",
    ),
    "neighbouring": ("Notes before and after this one", "前后两篇笔记"),
    "read_next": ("Read next", "接着读"),
    "report": ("Report a mistake", "报告错误"),
    "report_link": ("Report a dead link", "报告失效链接"),
    "translate": ("Propose a Chinese version", "提供中文版"),
    "contributors": ("Contributors", "贡献者"),
    "contributors_more": (" and {n} more", "等，另有 {n} 人"),
    "swatch": ("Sample", "样例"),
    "scheme_dark": ("Dark", "深色"),
    "scheme_light": ("Light", "浅色"),
    "sort_author": ("Author", "作者"),
    "sort_title": ("Title", "标题"),
    "sort_topic": ("Topic", "主题"),
    "sort_uses": ("Cited in", "引用数"),
    "sort_year": ("Year", "年份"),
    # Evidence: labs, results, machines, facts
    "broken": ("cannot be computed", "无法计算"),
    "caches": ("Caches", "缓存"),
    "count": ("count", "计数"),
    "download": ("Raw data (JSON)", "原始数据（JSON）"),
    "entity": ("Of", "对象"),
    "expected_range": ("the lab requires", "实验要求"),
    "explore": ("Try it", "动手试试"),
    "explore_how": ("How it is computed", "计算方法"),
    "fact": ("Fact", "常数"),
    "first_title": ("A slow Linux machine: the first sixty seconds", "Linux 机器变慢：最初六十秒"),
    "governor": ("Governor", "调频策略"),
    "gpus": ("GPU", "GPU"),
    "holds": ("holds", "成立"),
    "hypervisor": ("Virtual machine", "虚拟机"),
    "median": ("median", "中位数"),
    "memory": ("Memory", "内存"),
    "name": ("Name", "名称"),
    "needs": ("Needs", "需要"),
    "needs_nothing": ("nothing beyond perfnotes", "除 perfnotes 外无其他要求"),
    "null_result": ("null result", "阴性结果"),
    "number": ("Number", "数字"),
    "qualifier": ("Holds for", "限定"),
    "quartiles": ("quartiles", "四分位"),
    "recorded": ("Recorded: run {run} on {machine}", "记录自：{machine} 上的运行 {run}"),
    "runs": ("Runs", "运行"),
    "source_code": ("Sources", "源代码"),
    "stale": ("stale", "已过期"),
    "takes": ("Takes about", "约需时间"),
    "timing": ("timing", "计时"),
    "what_it_is": ("What it is", "含义"),
    "where_from": ("Where from", "来历"),
    # The pages that lead people in: home, topics, papers, the graph
    "cited_by_n": ("cited in {n} notes", "被 {n} 篇笔记引用"),
    "cited_by_one": ("cited in one note", "被 1 篇笔记引用"),
    "count_claims_n": ("{n} claims measured", "{n} 条论断经过测量"),
    "count_claims_one": ("one claim measured", "1 条论断经过测量"),
    "count_labs_n": ("{n} labs", "{n} 个实验"),
    "count_labs_one": ("one lab", "1 个实验"),
    "count_notes_n": ("{n} notes", "{n} 篇笔记"),
    "count_notes_one": ("one note", "1 篇笔记"),
    "count_papers_n": ("{n} papers cited", "引用 {n} 篇文献"),
    "count_papers_one": ("one paper cited", "引用 1 篇文献"),
    "count_terms_n": ("{n} terms", "{n} 条术语"),
    "count_terms_one": ("one term", "1 条术语"),
    "earlier": ("Earlier", "更早"),
    "later": ("Later", "更晚"),
    "facts_n": ("source of {n} facts", "{n} 项常数的来源"),
    "facts_one": ("source of one fact", "1 项常数的来源"),
    "graph_terms": ("terms", "术语"),
    "help_failing": ("Claims that fail on a machine: {n}", "在某台机器上不成立的论断：{n} 条"),
    "help_subjects": ("Subjects that nobody has written about: {n}", "还没有人写的题目：{n} 个"),
    "help_late": ("Translations behind their English text: {n}", "落后于英文原文的译文：{n} 篇"),
    "help_numbers": ("Numbers still without evidence: {n}", "还没有依据的数字：{n} 个"),
    "help_papers": ("Papers that nothing cites yet: {n}", "尚未被引用的文献：{n} 篇"),
    "help_chinese": ("Notes without a Chinese version: {n}", "还没有中文版的笔记：{n} 篇"),
    "help_machine": (
        "Every measurement is from one machine alone: run a lab on yours",
        "所有测量都只来自一台机器：请在你的机器上运行实验",
    ),
    "links_to": ("links to", "链接到"),
    "cites": ("cites", "引用"),
    "sort_type": ("Type", "类型"),
    # The page that asks for help
    "wanted_begin": ("Begin in the browser", "在浏览器中开始"),
    "wanted_edit": ("Edit it in the browser", "在浏览器中编辑"),
    "wanted_discuss": ("Ask or add questions", "提问或补充问题"),
    "wanted_see": ("See what changed", "查看改动"),
    "worked_values": ("Worked values", "算好的例子"),
}


def add_words(words: Mapping[str, tuple[str, str]]) -> None:
    """Add words: key → English and Chinese. Raises ``KeyError`` if a key has other words."""
    taken = [key for key in words if _STRINGS.get(key, words[key]) != words[key]]
    if taken:
        raise KeyError(f"these words are defined twice: {', '.join(taken)}")
    _STRINGS.update(words)


def string(key: str, lang: str, **values: object) -> str:
    """Return the words of ``key`` in ``lang``, with ``values`` filled in."""
    text = _STRINGS[key][1 if lang == "zh" else 0]
    return text.format(**values) if values else text


def label_language(site: Site, lang: str) -> str:
    """Return the language of what stands around a text, in the part of the site in ``lang``.

    A foreign folder has all its pages in the part ``en``. Their labels are in the main language of
    its notes, which may be Chinese.
    """
    return site.library.main_language if lang == "en" else lang
