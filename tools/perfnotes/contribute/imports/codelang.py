"""Guesses the language of a code block whose author named none; ``text`` if unsure.

A language is recognised by words that hardly occur in other languages. Statistical guessers are
wrong too often on blocks of five lines.
"""

from __future__ import annotations

import json
import re
from functools import cache

from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_SHEBANG = re.compile(r"#!\s*(?:\S*/env\s+(?:-S\s+)?|\S*/)(?P<name>[a-z]+)[\d.]*\b")
_READ = 4_000  # characters; some patterns below take time that is quadratic in the length
_BLANK_LINES = re.compile(r"\n(?:[ \t\r\f\v]*\n)+")
_PROMPT = re.compile(
    r"^(?:\$|#|[\w.-]+@[\w.-]+[:\s][^$#\n]{0,60}[$#]|❯|>>>\s|PS [A-Z]:\\)[ \t]*\S", re.MULTILINE
)
_COMMANDS = (
    "sudo apt apt-get yum dnf brew pip pip3 npm git cd ls cat echo export mkdir rm cp mv curl wget "
    "make cmake gcc g++ clang docker kubectl perf valgrind taskset numactl chmod ssh grep sed awk "
    "tar source systemctl sysctl nvidia-smi nsys ncu objdump gdb strace lscpu cargo go python python3"
).split()
# The language, a pattern that hardly occurs in others, and the reason that the report gives. The
# first pattern that matches decides.
_SIGNS: tuple[tuple[str, str, str], ...] = (
    ("diff", r"^(?:diff --git |--- \S+.*\n\+\+\+ \S+|@@ -\d+)", "its lines are those of a patch"),
    ("html", r"\A\s*<(?:!doctype html|html)\b", "it begins as a web page"),
    ("xml", r"\A\s*<\?xml\b", "it begins as XML"),
    ("cuda", r"__global__|__shared__|<<<[^<>\n]+>>>|cudaMalloc|cudaMemcpy", "it has CUDA's words"),
    ("cpp", r"^\s*#\s*include\s*<(?:iostream|vector|string|memory|atomic|thread|algorithm|map"
            r"|chrono|array|unordered_map|mutex)>|\bstd::\w|^\s*template\s*<|\bconstexpr\b"
            r"|^\s*(?:class|namespace)\s+\w+[^:\n]*\{", "it has C++'s words"),
    ("c", r"^\s*#\s*(?:include\s*[<\"]|define\s+\w|ifdef\s|ifndef\s|pragma\s)"
          r"|\bint\s+main\s*\(|\b(?:malloc|printf|memcpy)\s*\(.*;"
          r"|^\s*(?:static\s+|const\s+|unsigned\s+)*(?:int|void|char|float|double|long|size_t"
          r"|u?int\d+_t|struct\s+\w+)\s+\**\w+\s*(?:\(|\[|=|;)", "it has C's words"),
    ("rust", r"\bfn\s+\w+\s*(?:<[^>]*>)?\(|\blet\s+mut\s|\bimpl\b.*\bfor\b|^\s*use\s+\w+::", "it has Rust's words"),
    ("go", r"^package\s+\w+\s*$|^\s*func\s+(?:\(\w+\s+\*?\w+\)\s*)?\w+\(.*\{|:=\s*\S.*\n", "it has Go's words"),
    ("java", r"\bpublic\s+(?:static\s+)?(?:final\s+)?(?:class|void|interface)\s+\w+|System\.out\.print", "it has Java's words"),
    ("python", r"^\s*(?:async\s+)?def\s+\w+\(.*\).*:\s*(?:#.*)?$|^\s*class\s+\w+(?:\(.*\))?:\s*$"
               r"|^(?:from\s+[\w.]+\s+)?import\s+[\w.]+(?:\s+as\s+\w+)?\s*(?:,.*)?$|^\s*if __name__ ==", "it has Python's words"),
    ("javascript", r"^\s*(?:const|let|var)\s+\w+\s*=|\bfunction\s*\w*\(.*\)\s*\{|=>\s*[{(]|console\.log\(", "it has JavaScript's words"),
    ("sql", r"(?i)^\s*(?:select\b.+\bfrom\b|insert\s+into\b|create\s+table\b|update\s+\w+\s+set\b)", "it begins as an SQL statement"),
    ("makefile", r"^[\w./%$()-]+:(?!=)[^\n]*\n\t\S", "a target and an indented recipe"),
    ("cmake", r"(?i)^\s*(?:cmake_minimum_required|add_executable|target_link_libraries)\s*\(", "it has CMake's words"),
    ("dockerfile", r"\AFROM\s+\S+\s*\n(?:.*\n)*?(?:RUN|COPY|CMD|ENTRYPOINT)\s", "it begins as a Dockerfile"),
    ("asm", r"^\s*(?:[0-9a-f]+:\s+)?(?:mov[a-z]*|lea[a-z]?|push[a-z]?|vmovups|vaddps|jmp|xor[a-z]?|ldr|cmp[a-z]?)\s+[%$\[\w(-].*,", "its lines are instructions"),
    ("bash", r"^\s*(?:if \[\[? |for \w+ in .*; do|while .*; do|done\b|fi\b|esac\b)", "it has the shell's words"),
)  # fmt: skip
_ALIASES = {
    "sh": "bash", "shell": "bash", "zsh": "bash", "c++": "cpp", "cxx": "cpp", "cu": "cuda",
    "golang": "go", "js": "javascript", "ts": "typescript", "py": "python", "rs": "rust",
    "yml": "yaml", "plaintext": "text", "plain": "text", "txt": "text", "none": "text",
    "terminal": "console", "shell-session": "console", "assembly": "asm", "x86asm": "asm",
    "shellscript": "bash", "make": "makefile",
}  # fmt: skip


def guess(code: str) -> tuple[str, str]:
    """The language that the code seems to be in, and the reason, which the report gives."""
    code = _BLANK_LINES.sub("\n", code[:_READ])
    shebang = _SHEBANG.match(code)
    if shebang:
        return our_name(shebang["name"]) or "text", f"its first line is {shebang[0]!r}"
    if _PROMPT.search(code) and re.match(r"\s*(?:\$|[\w.-]+@)\s*\S", code):
        return "console", "it begins with a prompt"
    if re.match(r"\s*>>> ", code):
        return "pycon", "it begins with Python's prompt"
    if code.lstrip()[:1] in ("{", "[") and _is_json(code):
        return "json", "it is JSON"
    for language, pattern, why in _SIGNS:
        if re.search(pattern, code, re.MULTILINE):
            return language, why
    lines = [line.strip() for line in code.splitlines() if line.strip()]
    commands = [line for line in lines if line.split()[0] in _COMMANDS]
    if lines and len(commands) * 2 >= len(lines) and lines[0].split()[0] in _COMMANDS:
        return "bash", f"it begins with the command {lines[0].split()[0]}"
    return "text", "nothing in it is typical of a language"


def our_name(name: str) -> str:
    """A language's name as our notes write it, or an empty string if Pygments does not know it."""
    name = name.strip().lower()
    name = _ALIASES.get(name, name)
    return name if name == "text" or _is_lexer(name) else ""


@cache
def _is_lexer(name: str) -> bool:
    try:
        get_lexer_by_name(name)
    except (ClassNotFound, ValueError):
        return False
    return True


def _is_json(code: str) -> bool:
    try:
        json.loads(code)
    except (ValueError, RecursionError):
        return False
    return True
