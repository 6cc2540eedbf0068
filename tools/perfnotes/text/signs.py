"""Finds words in English and Chinese sentences that often go with a kind of fault.

Readers who checked notes sentence by sentence found nearly all faults among eight kinds. Each kind
has a letter here, and a pattern for the words that go with it. A sign is no finding: most sentences
with one are right. It tells a second reader what to look for, and which words gave the sign.
"""

from __future__ import annotations

import re

from msgspec import Struct

from perfnotes.text.sentences import CAPTION, DESCRIPTION, HEADING, TITLE, Sentence

_TOOLS = (
    "addr2line|bpftrace|cachegrind|callgrind|compute-sanitizer|cpupower|dcgmi|DHAT|ethtool|fincore"
    "|fio|gdb|gperftools|heaptrack|hyperfine|iostat|jeprof|ldd|likwid-\\w+|lscpu|lsof|lstopo|ltrace"
    "|massif|mpstat|ncu|nm|nsys|numactl|numastat|nvidia-smi|objdump|pahole|perf|pidstat|pmap|pprof"
    "|ps|readelf|sar|ShellCheck|slabtop|smem|size|strace|strings|taskset|tcpdump|time|toplev|top"
    "|torch\\.profiler|turbostat|uftrace|valgrind|vmstat|vtune"
)
_PLAIN_TOOLS = (
    "Cachegrind|Callgrind|DHAT|Massif|Valgrind|heaptrack|gperftools|pprof|Nsight \\w+|VTune|DCGM"
    "|toplev|turbostat|bpftrace|ShellCheck|OProfile|Helgrind"
)


class Kind(Struct, frozen=True):
    """A kind of fault: its letter, what a second reader asks, and the words that go with it."""

    letter: str
    question: str
    pattern: re.Pattern[str]


KINDS = (
    Kind(
        "a",
        "Does the pattern that counts find every case?",
        re.compile(
            r"\bgrep\b|\bawk\b|regular expressions?|\b(?:x|y|z)mm\w*|%[re]?[sb]p\b|\bpatterns?\b"
            r"|\bcount(?:s|ed|ing)? (?:the |every |all |its )?(?:instructions|calls|lines|branches"
            r"|moves|loads|stores|shuffles|additions|symbols)|正则|模式|(?:数|计)(?:到|出|一数|的是)"
            r"|条(?:指令|跳转|加法|向量)",
        ),
    ),
    Kind(
        "b",
        "Does the tool measure what the sentence says that it measures?",
        re.compile(rf"`(?:sudo )?(?:{_TOOLS})\b[^`]*`|\b(?:{_PLAIN_TOOLS})\b"),
    ),
    Kind(
        "c",
        "Does the text show every flag and variable that this needs?",
        re.compile(
            r"`[A-Z][A-Z0-9_]{2,}=[^`]*`|`[^`]*(?<![\w-])-(?:O[0-3sz]|m[a-z0-9-]+=?|f[a-z-]{3,}|g\b)[^`]*`"
            r"|\b(?:exported|environment variable|compiled with|built with|by default|preloaded)\b"
            r"|环境变量|默认|编译时|预加载",
        ),
    ),
    Kind(
        "d",
        "Is there an exception to a word such as always, each or only?",
        re.compile(
            r"\b(?:all|always|any|anything|each|either|entirely|every|everybody|everything|exactly"
            r"|fully|impossible|must|never|no|nobody|none|nothing|only|wholly|whatever|cannot)\b"
            r"|总是|始终|从不|从来|绝不|永远|所有|每(?!秒|个周期|周期)|任何|全部|一律|只有|唯一|必须|必然|不可能|无论|凡是|完全|都|恰好",
            re.IGNORECASE,
        ),
    ),
    Kind(
        "e",
        "Does the source say this, and no less than this?",
        re.compile(r"(?<![\w`.])@[A-Za-z][\w:-]*"),
    ),
    Kind(
        "f",
        "Does it hold beyond this version, compiler, kernel or vendor?",
        re.compile(
            r"\b(?:AMD|Arm|AArch64|ARM|Ampere|Apple|Clang|CUDA|Debian|EPYC|Fedora|GCC|Hopper|Intel"
            r"|LLVM|Linux|NVIDIA|PyTorch|RISC-V|Skylake|Ubuntu|Volta|x86(?:-64)?|Xeon|Zen)"
            r"(?: ?\d[\w.]*)?\b"
            r"|\b(?:glibc|jemalloc|mimalloc|tcmalloc|gperftools|bash|kernel|hypervisor|compilers?"
            r"|libstdc\+\+|musl)(?:'s)?(?: \d[\w.]*)?\b|\b(?:here|this machine|measured)\b"
            r"|内核|编译器|虚拟机|这里|这台机器|本机",
        ),
    ),
    Kind(
        "g",
        "Do the numbers support the comparison?",
        re.compile(
            r"\b(?:about as|almost|alike|as (?:fast|slow|much|many|long|large|small|good|well)|best"
            r"|better|cheaper|close to|compared|costs? nothing|differ(?:s|ed|ence)?|double[sd]?"
            r"|equal(?:s|ly)?|far|faster|fastest|fewer|greater|half|halve[sd]?|hardly|higher|identical"
            r"|larger|largest|least|less|longer|lower|more|most|nearly|no difference|same|similar"
            r"|shorter|slower|slowest|smaller|than|twice|worse|worst)\b|[\d.,]+ ?×"
            r"|比(?!如|例)|更|最|倍|一样|相同|相等|相当|差不多|几乎|接近|一半|翻番|快于|慢于|多于|少于|不如|超过|低于|高于|差别",
            re.IGNORECASE,
        ),
    ),
)
_CITATION = re.compile(r"\[@[^\]]*\]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")  # only its words are searched
# This kind depends on where the sentence stands, so its pattern matches nothing.
OVERSTATED = Kind("h", "Does it say more than was measured?", re.compile(r"(?!)"))


class Sign(Struct, frozen=True):
    """A kind's letter and the words of the sentence that point to it."""

    letter: str
    words: str


def signs(sentence: Sentence) -> tuple[Sign, ...]:
    """Return the signs of a sentence: at most one for each kind, with at most four words."""
    found = []
    whole = sentence.markdown
    bare = _LINK.sub(lambda match: match[1] or "", _CITATION.sub("", whole))
    for kind in KINDS:
        text = whole if kind.letter == "e" else bare
        words = dict.fromkeys(" ".join(m[0].split()) for m in kind.pattern.finditer(text))
        if words:
            found.append(Sign(kind.letter, ", ".join(list(words)[:4])))
    if sentence.kind in (TITLE, DESCRIPTION, HEADING, CAPTION):
        found.append(Sign(OVERSTATED.letter, sentence.kind))
    return tuple(found)
