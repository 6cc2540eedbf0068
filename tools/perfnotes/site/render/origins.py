"""Says in words how a number came to be. Pages, their Markdown copies and scripts have these words.

The words are the same in the card over a number, in the margin, in the list of a page's numbers and
on the lab's page: "ratio of two medians of 21 measurements each", "a count, the same each time".
"""

from __future__ import annotations

from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.origin import (
    DIFFERENCE,
    FORMULA,
    OTHER,
    RATIO,
    SINGLE,
    SUM,
    Origin,
)
from perfnotes.model.lab import COUNT
from perfnotes.model.quantity.amount import amount, digits
from perfnotes.site.strings import add_words, string

WORDS = {
    "origin_formula": (
        "computed from the lab's parameters, not measured",
        "由实验的参数算出，并非测得",
    ),
    "origin_same": ("{what}, the same each time", "{what}，每次相同"),
    "origin_within": (
        "{what}, which may differ by up to {share} from run to run",
        "{what}，各次运行之间最多可相差 {share}",
    ),
    "origin_varies": (
        "{what}, which may differ from run to run",
        "{what}，各次运行之间可能不同",
    ),
    # One number
    "origin_single_count": ("a count", "一个计数"),
    "origin_single_timing": ("one measurement", "单独一次测量"),
    "origin_ratio_count": ("ratio of two counts", "两个计数之比"),
    "origin_ratio_timing": ("ratio of two single measurements", "两次单独测量之比"),
    "origin_difference_count": ("difference of two counts", "两个计数之差"),
    "origin_difference_timing": ("difference of two single measurements", "两次单独测量之差"),
    "origin_sum_count": ("sum of {k} counts", "{k}个计数之和"),
    "origin_sum_timing": ("sum of {k} single measurements", "{k}次单独测量之和"),
    "origin_other_count": ("computed from {k} counts", "由{k}个计数算出"),
    "origin_other_count_one": ("computed from one count", "由一个计数算出"),
    "origin_other_timing": ("computed from {k} single measurements", "由{k}次单独测量算出"),
    "origin_other_timing_one": (
        "computed from one single measurement",
        "由单独一次测量算出",
    ),
    # Several numbers, of which the text shows the median or another part of the spread
    "origin_many": ("{part} of {n} {what}", "{n} {what}的{part}"),
    "origin_of_single": ("measurements", "次测量"),
    "origin_of_ratio": ("ratios of two measurements each", "个比值（各为两次测量之比）"),
    "origin_of_difference": (
        "differences of two measurements each",
        "个差值（各为两次测量之差）",
    ),
    "origin_of_sum": ("sums of {k} measurements each", "个和（各为{k}次测量之和）"),
    "origin_of_other": (
        "values, each computed from {k} measurements",
        "个数值（各由{k}次测量算出）",
    ),
    "origin_of_other_one": (
        "values, each computed from one measurement",
        "个数值（各由一次测量算出）",
    ),
    "origin_of_mixed": (
        "values, each computed from {k} quantities",
        "个数值（各由{k}个量算出）",
    ),
    # Numbers made from statistics
    "origin_stat_single": ("{stat} of {n} measurements", "{n} 次测量的{stat}"),
    "origin_stat_ratio": ("ratio of two {stats}, {each}", "两个{stat}之比，{each}"),
    "origin_stat_difference": ("difference of two {stats}, {each}", "两个{stat}之差，{each}"),
    "origin_stat_sum": ("sum of {k} {stats}, {each}", "{k}个{stat}之和，{each}"),
    "origin_stat_other": ("computed from {k} {stats}, {each}", "由{k}个{stat}算出，{each}"),
    "origin_stat_other_one": (
        "computed from the {stat} of {n} measurements",
        "由 {n} 次测量的{stat}算出",
    ),
    "origin_each": ("each of {n} measurements", "各取自 {n} 次测量"),
    "origin_each_own": ("of {ns} measurements", "分别取自 {ns} 次测量"),
    "origin_mixed": ("computed from {k} measured quantities", "由{k}个测得的量算出"),
    # Statistics, and the parts of a spread that a link may name
    "stat_median": ("median", "中位数"),
    "stats_median": ("medians", "中位数"),
    "stat_mean": ("mean", "平均值"),
    "stats_mean": ("means", "平均值"),
    "stat_sum": ("sum", "总和"),
    "stats_sum": ("sums", "总和"),
    "stat_high": ("upper quartile", "上四分位数"),
    "stat_low": ("lower quartile", "下四分位数"),
    "stat_max": ("largest", "最大值"),
    "stat_min": ("smallest", "最小值"),
    "stat_n": ("number of samples", "样本数"),
    "origin_part": ("{stat} of {name} {value}", "{name} 的{stat} {value}"),
    # Facts
    "origin_fact_formula": ("computed from facts", "由已知常数算出"),
    "origin_fact_source": ("stated in a source", "文献给出"),
}
add_words(WORDS)

_NAMED = ("median", "mean", "sum")  # statistics of which several can be named at once
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MOST_PARTS = 4
_WIDE = 1.0  # a bound is not named if counts may differ by this share or more


def origin_words(evidence: Evidence, found: Found, lang: str) -> str:
    """Return how the number came to be that a binding's address names, without a full stop."""
    if found.fact:
        return string("origin_fact_formula" if found.fact.formula else "origin_fact_source", lang)
    origin = evidence.origin(found)
    return words_of(origin, lang, found.stat) if origin else ""


def is_computed(evidence: Evidence, found: Found) -> bool:
    """Return whether only the expression itself says how a measured number was computed."""
    origin = evidence.origin(found)
    return origin is not None and origin.form in (FORMULA, OTHER)


def statistics_words(evidence: Evidence, found: Found, lang: str) -> list[str]:
    """Return the medians and means that a number was made from; empty if none or too many."""
    origin = evidence.origin(found)
    if origin is None or origin.form == SINGLE or len(origin.parts) > _MOST_PARTS or origin.n > 1:
        return []
    return [
        string("origin_part", lang, stat=string(f"stat_{part.statistic}", lang), name=name,
               value=amount(part.middle, part.samples.unit))
        for part, name in zip(origin.parts, origin.names, strict=True)
        if part.samples and part.statistic in ("median", "mean")
    ]  # fmt: skip


def words_of(origin: Origin, lang: str, part: str = "") -> str:
    """Return an origin in words. ``part`` is the part of the spread shown, empty for the median."""
    if origin.form == FORMULA:
        return string("origin_formula", lang)
    if part == "n":
        return string("stat_n", lang)
    what = _what(origin, lang, part or "median").strip()
    if origin.kind != COUNT:
        return what
    if not origin.differs:
        return string("origin_same", lang, what=what)
    if origin.differs >= _WIDE:
        return string("origin_varies", lang, what=what)
    return string("origin_within", lang, what=what, share=f"{origin.differs * 100:.3g}\u00a0%")


def _what(origin: Origin, lang: str, part: str) -> str:
    if origin.n > 1:
        return string(
            "origin_many", lang, part=string(f"stat_{part}", lang), n=digits(origin.n),
            what=_several(origin, lang),
        )  # fmt: skip
    k = _number(len(origin.parts), lang)
    if origin.statistic == "":
        one = "_one" if origin.form == OTHER and len(origin.parts) == 1 else ""
        return string(f"origin_{origin.form}_{origin.kind}{one}", lang, k=k)
    if origin.form == SINGLE and origin.statistic in (*_NAMED, "min", "max"):
        stat = string(f"stat_{origin.statistic}", lang)
        return string("origin_stat_single", lang, stat=stat, n=digits(origin.parts[0].n))
    if origin.statistic not in _NAMED:
        return string("origin_mixed", lang, k=k)
    stat = string(f"stat_{origin.statistic}", lang)
    if len(origin.parts) == 1:
        return string("origin_stat_other_one", lang, stat=stat, n=digits(origin.parts[0].n))
    stats = string(f"stats_{origin.statistic}", lang)
    return string(
        f"origin_stat_{origin.form}", lang, stat=stat, stats=stats, k=k, each=_each(origin, lang)
    )


def _several(origin: Origin, lang: str) -> str:
    """Return what the ``n`` numbers are, such as ``ratios of two measurements each``."""
    k = _number(len(origin.parts), lang)
    if origin.statistic == "":
        if (
            origin.form in (SINGLE, RATIO, DIFFERENCE, SUM)
            and len({p.n for p in origin.parts}) == 1
        ):
            return string(f"origin_of_{origin.form}", lang, k=k)
        one = "_one" if len(origin.parts) == 1 else ""
        return string(f"origin_of_other{one}", lang, k=k)
    return string("origin_of_mixed", lang, k=k)


def _each(origin: Origin, lang: str) -> str:
    """Return how many measurements are in each statistic: ``each of 21 measurements``."""
    ns = [part.n for part in origin.parts]
    if len(set(ns)) == 1:
        return string("origin_each", lang, n=digits(ns[0]))
    joined = (" 和 " if lang == "zh" else " and ").join(map(digits, dict.fromkeys(ns)))
    return string("origin_each_own", lang, ns=joined)


def _number(n: int, lang: str) -> str:
    """Return a number of parts as prose writes it: in English small numbers are spelt out.

    In Chinese the spaces around the digits are included.
    """
    if lang == "zh":
        return "两" if n == 2 else f" {digits(n)} "
    return _SMALL[n] if n < len(_SMALL) else digits(n)
