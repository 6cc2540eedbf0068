"""Which parts of a line of commands run in copies of the shell, and where a variable stays set."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._shell_commands import Reader
from perfnotes.explorables._shell_processes import Model, Process
from perfnotes.explorables._typed_line import Answer, RefusalError, Row, TypedLine
from perfnotes.model.bilingual import Bilingual

EXAMPLES = (
    'n=0; seq 3 | while read -r x; do n=$x; done; echo "$n"',
    'n=0; while read -r x; do n=$x; done < <(seq 3); echo "$n"',
    'shopt -s lastpipe; seq 3 | while read -r x; do n=$x; done; echo "$n"',
    "shopt -s lastpipe; set -m; echo 1 | read -r x",
    "(cd /tmp; x=1; ls); { cd /tmp; x=1; ls; }",
    "x=$(cat f); y=$(< f)",
    "x=$(y=1; date | { read -r z; echo $z; })",
    "x=1 & { cat; cat; } | sort &",
)
NAMES = {
    "shell": Bilingual("This shell", "当前 shell"),
    "part": Bilingual("Copy: part {part} of a pipeline", "副本：流水线第 {part} 段"),
    "paren": Bilingual("Copy: ( … )", "副本：( … )"),
    "dollar": Bilingual("Copy: $( … )", "副本：$( … )"),
    "process": Bilingual("Copy: <( … )", "副本：<( … )"),
    "background": Bilingual("Copy: … &", "副本：… &"),
    "program": Bilingual("Process of a program", "程序的进程"),
}
SAYS = {
    "none": Bilingual(
        "New processes: {count}. No command here sets a variable.",
        "新进程：{count} 个。这里没有命令设置变量。",
    ),
    "kept": Bilingual(
        "New processes: {count}. This holds in the shell afterwards: {kept}",
        "新进程：{count} 个。之后在当前 shell 中仍然有效：{kept}",
    ),
    "lost": Bilingual(
        "New processes: {count}. This is set in a copy and gone with it: {lost}",
        "新进程：{count} 个。只在副本中设置，随副本消失：{lost}",
    ),
    "both": Bilingual(
        "New processes: {count}. This holds afterwards: {kept} – and this is gone with its copy: "
        "{lost}",
        "新进程：{count} 个。之后仍然有效：{kept}；随副本消失：{lost}",
    ),
    "nothing": Bilingual("Type a line.", "请键入一行。"),
    "too-long": Bilingual("The line is too long.", "这一行太长。"),
    "too-many": Bilingual(
        "Too many processes, or parts too deep in each other, to be shown.",
        "进程太多或嵌套太深，无法显示。",
    ),
    "control": Bilingual("Control characters are not shown.", "不显示控制字符。"),
    "open": Bilingual("Not closed: {what}", "没有闭合：{what}"),
    "incomplete": Bilingual("The line ends too early.", "这一行不完整。"),
    "missing": Bilingual("Missing at the end: {what}", "末尾缺少：{what}"),
    "unexpected": Bilingual("Not expected here: {what}", "此处不应出现：{what}"),
    "and-or": Bilingual(
        "Whether the other side of {what} runs depends on a status, which is not known here.",
        "{what} 的另一边是否执行取决于状态码，这里不知道。",
    ),
    "condition": Bilingual(
        "As the condition of a loop only one builtin without substitutions is known here: {what}",
        "循环的条件这里只认识一条不带替换的内建命令：{what}",
    ),
    "unknown-command": Bilingual(
        "Neither one of the builtins nor one of the programs that are known here: {what}",
        "既不是这里认识的内建命令，也不是这里认识的程序：{what}",
    ),
    "not-known": Bilingual("This form is not known here: {what}", "这里不认识这种形式：{what}"),
}


def reply(line: str) -> Answer:
    """Return what is shown for a line."""
    if not line.strip(" \t"):
        raise RefusalError("nothing")
    shell = Model().walk(Reader(line).all())
    rows = tuple(_rows(shell, 0))
    kept = [command.text for command in shell.commands if command.sets]
    lost = list(_lost(shell))
    gaps = {"count": str(len(rows) - 1)}
    gaps |= {name: ", ".join(texts) for name, texts in (("kept", kept), ("lost", lost)) if texts}
    said = "both" if kept and lost else "kept" if kept else "lost" if lost else "none"
    return Answer(said, gaps, rows)


def _lost(shell: Process) -> Iterator[str]:
    """The commands that set something in a process which the shell has started."""
    for child in shell.children:
        yield from (command.text for command in child.commands if command.sets)
        yield from _lost(child)


def _rows(process: Process, depth: int) -> Iterator[Row]:
    set_here = "kept" if process.kind == "shell" else "lost"
    words = tuple(((c.text, set_here if c.sets else ""),) for c in process.commands)
    gaps = {"part": str(process.part)} if process.part else {}
    yield Row(process.kind, words, gaps, depth)
    for child in process.children:
        yield from _rows(child, depth + 1)


EXPLORABLE = TypedLine(
    title=Bilingual("Which parts are copies of the shell", "哪些部分是 shell 的副本"),
    lead=Bilingual(
        "Type commands with pipes, ( … ), { … }, $( … ), <( … ), while or for. Nothing is run: a "
        "model of bash 5.2 shows each process as a row, with the commands that run in it. What is "
        "struck through is set in a copy, and gone when it ends. A loop counts for one turn.",
        "键入带管道、( … )、{ … }、$( … )、<( … )、while 或 for 的命令。什么也不会执行：一个 bash "
        "5.2 的模型把每个进程显示为一行，列出在其中执行的命令。划掉的只在副本中设置，副本一结束就"
        "没了。循环只按一轮计。",
    ),
    how=Bilingual(
        "Each part of a pipeline gets a copy, the last one not with lastpipe, unless job control "
        "(set -m) is on. So do ( … ), $( … ), <( … ) and &. A program gets a process, unless it "
        "is all that a part or & has, or the last command of ( … ), $( … ) or <( … ): then it "
        "takes the place of the copy, but not behind & and, in $( … ) or after other commands in "
        "( … ), not with a redirection. $(< file) needs none. The model was compared with bash "
        "5.2.15 under strace on random lines.",
        "流水线的每一段都有一个副本；有 lastpipe 时最后一段没有，除非开了作业控制（set -m）。( … "
        ")、$( … )、<( … ) 与 & 也各有一个。程序各有一个进程；如果它就是一段或 & 的全部，或是 ( … "
        ")、$( … )、<( … ) 的最后一条命令，就直接取代那个副本；但在 & 之后不会，在 $( … ) 里或 ( "
        "… ) 中排在别的命令之后时，带重定向也不会。$(< file) 不需要进程。该模型已在随机生成的行上"
        "用 strace 与 bash 5.2.15 比对过。",
    ),
    field=Bilingual("Your line", "键入的行"),
    given=(),
    examples=EXAMPLES,
    names=NAMES,
    says=SAYS,
    reply=reply,
)  # fmt: skip
