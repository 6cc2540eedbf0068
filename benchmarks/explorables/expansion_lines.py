"""Random lines for the steps of expansion, and what bash makes of them.

``bash_words`` evaluates each line in a subshell of one bash, in a folder with the files that the
explorable knows. Lines come from ``lines`` alone, which writes no command but ``args`` and
``echo``, and of what it writes only those go to bash that the explorable takes for one simple
command.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from perfnotes.explorables._typed_line import Answer
from perfnotes.explorables.expansion_steps import FILES

# Parts of words, a line for each kind.
_PARTS = """
a|b.txt|x=~|~|~/x|~:|x=~:~/l|a=b|dir=~|:|.|,|=|-|[|]|é|\\\\é
{a,b}|{1..3}|{3..1}|{01..3}|{-1..1}|{a..e..2}|{a,{b,c}}|{x}|{}|{a,b}{c,d}|{a|{1..$n}|{,x}|{$v,w}|{'a b',c}|{1,2}$v|{x..y}{z}|{x}|,b}|{a..}|}|{
$v|$g|$q|$n|$u|$1|$2|$3|$4|$#|$@|$*|${v}|${#v}|${u:-d}|${u-a b}|${v:+s}|${n:=7}|${w:=k}|${u+z}|${1}|$v$v|x$v|:$v:
$((n))|$((n+1))|$((n+=1))|$((n++*2))|$((--n))|$((7/2-3%2))|$(((1+2)*3))|$((-7/2))|$(( $n*-n ))|$((m=n))
$(echo)|$(echo $v)|$(echo "$v")|"$(echo $g)"|"$(echo "$q")"|$(echo $((n+=1)))|$(echo {a,b} '$v')
*.txt|?.txt|[ab].txt|[!a]*|*d*|*.zip|./*.md|[a-c]*|a*|*|[]a]*|\\*|'*'|"*"
\\$v|\\\\|'$v'|''|'a b'|""|"$v"|"$g"|"$@"|"$*"|"a b"|"{a,b}"|"~"|"\\$n"|"\\a"|"$((n*n))"|"${u:-a  b}"|"$"|$'a\\nb'|$'\\t'
$v""|""$v|$g"$n"|"$v"$g|x"$@"y|x$@y|"x$@y"|$@$*|"$@$*"
"""  # noqa: E501
_BARE = [part for line in _PARTS.split("\n") for part in line.split("|") if part]
_VALUES = (
    """
a:b|':a::b:'|' a  b '|'a b:c'|*|'*.txt *.md'|'?.txt'|$v$g|"$v"|~|~/a:~|{a,b}|$@|"$@"|$*|"$*"|
$((n*2))|$(echo $v)|"$(echo "$v")"|'~'|'$v'|5|'[ab].txt'|$'a\tb\n'
""".strip()
    .replace("\n", "")
    .split("|")
)
_IFS = ("IFS=:;", "IFS=' :';", "IFS=;", "IFS=3;", "IFS=,;", "IFS=b;", "IFS=$'\\n';", "IFS=: ;")
_SCRIPT = r"""
cd -- "$1" || exit; setting=$2
args() { printf '%d\0' "$#"; [ "$#" -eq 0 ] || printf '%s\0' "$@"; }
while IFS= read -r -d '' line; do
  ( IFS=$' \t\n'; HOME=/home/ann; n=3; v=' two  words '; g='*.txt'; q='"a b"'
    set -- 'a b' '' c; eval "$setting$line" ) 2>/dev/null </dev/null || printf 'failed\0'
done
"""


def lines(number: int, seed: int) -> list[str]:
    """Return random lines: variables, perhaps another ``IFS``, and one command."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        parts = []
        if chance.random() < 0.3:
            parts.append(chance.choice(_IFS))
        for name in chance.sample(["v", "g", "u", "x"], chance.choice([0, 0, 1, 1, 2])):
            parts.append(f"{name}={chance.choice(_VALUES)};")
        if chance.random() < 0.05:
            parts.append(chance.choice(("n=5", "v=x", "m=~", "u=$v")))
        words = []
        for _ in range(chance.randint(1, 4)):
            word = "".join(chance.choices(_BARE, k=chance.choice([1, 1, 1, 2, 2, 3])))
            if chance.random() < 0.15:
                word = f"$(echo {word})" if chance.random() < 0.5 else f'"$(echo {word} x)"'
            if chance.random() < 0.1 and word:
                at = chance.randrange(len(word))
                word = word[:at] + chance.choice("{},.~$'\"\\*?[]:=x!^()#;&|<>`0") + word[at + 1 :]
            words.append(word)
        found.append(" ".join([*parts, "args", *words]))
    return found


def folder_with_files(at: Path) -> Path:
    """Make the files that the explorable knows."""
    at.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (at / name).touch()
    return at


def bash_words(
    given: Sequence[str], folder: Path, *, patterns: bool = True
) -> list[list[str] | None]:
    """Return the words that bash hands to ``args`` for each line, or None where it fails.

    Without ``patterns`` no file names are matched, so the words are those after splitting.
    """
    setting = "" if patterns else "set -f;"
    done = subprocess.run(
        ["bash", "-c", _SCRIPT, "bash", str(folder), setting],
        input="".join(f"{line}\0" for line in given), capture_output=True, encoding="utf-8",
        check=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    told = iter(done.stdout.split("\0"))
    found: list[list[str] | None] = []
    for _ in given:
        count = next(told)
        found.append([next(told) for _ in range(int(count))] if count.isdigit() else None)
    return found


def shown_words(answer: Answer, row: str) -> list[str]:
    """Return the words of a row, without typed quotes; if nothing changed, those before it."""
    names = [each.name for each in answer.rows]
    at = names.index(row)
    while answer.rows[at].same:
        at -= 1
    words = answer.rows[at].words
    return [_seen("".join(text for text, kind in word if kind != "quote")) for word in words]


def _seen(text: str) -> str:
    return text.replace("↵", "\n").replace("⇥", "\t")
