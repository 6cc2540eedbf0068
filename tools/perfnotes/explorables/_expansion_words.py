"""What the steps of expansion say, in both languages."""

from __future__ import annotations

from perfnotes.model.bilingual import Bilingual

TITLE = Bilingual("A line of your own, expanded step by step", "自己键入一行，逐步展开")
LEAD = Bilingual(
    "Type a command, with assignments before it if you like. Nothing is run: a model of bash 5.2 "
    "shows the words after each step. Quotes that you typed are faint, and what an expansion made "
    "is underlined.",
    "键入一条命令，前面可以有赋值。什么也不会执行：一个 bash 5.2 的模型显示每一步之后的各个词。键"
    "入的引号颜色较淡，展开产生的内容带下划线。",
)
HOW = Bilingual(
    "Braces are expanded as text. Then each word is read from left to right: a tilde, parameters, "
    "$(echo …) and arithmetic get their values, and of these the unquoted ones are split at the "
    "characters of IFS. Then patterns become the names of the files above, and at last the typed "
    "quotes go. The model refuses what it does not know, other commands in $(…) among it. Where "
    "it answers, it was compared with bash 5.2.15 on random lines.",
    "花括号按文本展开。随后从左到右读每个词：波浪号、参数、$(echo …) 与算术得到值，其中未加引号的"
    "按 IFS 中的字符拆分。然后模式变成上面那些文件的名字，最后去掉键入的引号。模型不认识的一律拒"
    "绝，$(…) 中的其他命令也在其内；它给出答案的，已用随机生成的行与 bash 5.2.15 比对过。",
)
FIELD = Bilingual("Your line", "键入的行")

GIVEN = (
    "touch a.txt b.txt 'c d.txt' notes.md; set -- 'a b' '' c",
    "HOME=/home/ann n=3 v=' two  words ' g='*.txt' q='\"a b\"'",
)
EXAMPLES = (
    'args ~ {1,2}$v "$v" $g',
    "args {1..3} {1..$n} $v{1,2}",
    'args $q "$q" "*".txt',
    'args "$@" $@ "$*"',
    "IFS=:; v=':a::b:'; args $v",
    "args $n $((n+=1)) $n ${u:-a b}",
    'args $(echo "$g") "$(echo $g)"',
    "x=~/$g",
)

NAMES = {
    "typed": Bilingual("As typed", "键入时"),
    "braces": Bilingual("1. Braces", "1. 花括号"),
    "values": Bilingual("2. Tilde and $ forms", "2. 波浪号与 $ 形式"),
    "splitting": Bilingual("3. Word splitting", "3. 单词拆分"),
    "names": Bilingual("4. Pathnames", "4. 路径名"),
    "quotes": Bilingual("5. Quote removal", "5. 引号去除"),
}

SAYS = {
    "words": Bilingual(
        "Words typed: {typed}. Words after all steps, with the name of the command: {count}.",
        "键入的词：{typed} 个。全部步骤之后，连同命令名：{count} 个。",
    ),
    "late": Bilingual(
        "Words typed: {typed}; after all steps: {count}. The assignment in front of the command "
        "comes too late for them.",
        "键入的词：{typed} 个；全部步骤之后：{count} 个。命令前面的赋值对这些词来得太晚。",
    ),
    "nothing-left": Bilingual(
        "Nothing is left of the words typed ({typed}), so there is no command to run.",
        "键入的 {typed} 个词一个也没剩下，因而没有命令可执行。",
    ),
    "assigned": Bilingual(
        "An assignment: braces, splitting and pathnames are left out. {name} has become <{value}>.",
        "这是赋值：没有花括号展开、拆分和路径名展开。{name} 成了 <{value}>。",
    ),
    "nothing": Bilingual("Type a line.", "请键入一行。"),
    "too-long": Bilingual("The line is too long.", "这一行太长。"),
    "too-many": Bilingual(
        "This makes too many words, or too long ones, to be shown.",
        "这会产生太多或太长的词，无法显示。"
    ),
    "control": Bilingual("Control characters are not shown.", "不显示控制字符。"),
    "open-quote": Bilingual("Not closed: {what}", "没有闭合：{what}"),
    "backquote": Bilingual(
        "Backquotes are not known here: write $(…).", "这里不认识反引号：请写 $(…)。"
    ),
    "operator": Bilingual(
        "{what} is not known here: one simple command, with assignments and ; before it.",
        "这里不认识 {what}：只接受一条简单命令，前面可以有赋值和分号。",
    ),
    "comment": Bilingual("A comment begins here: {what}", "从这里起是注释：{what}"),
    "one-command": Bilingual(
        "Only assignments can stand before the last command: {what}",
        "最后一条命令之前只能有赋值：{what}"
    ),
    "not-simple": Bilingual(
        "{what} begins no simple command, or treats its words in a way of its own.",
        "{what} 不是简单命令的开头，或者按自己的规矩处理后面的词。",
    ),
    "only-echo": Bilingual(
        "Nothing is run, so of commands in $(…) only one echo without options is known: {what}",
        "什么也不会执行，所以 $(…) 中只认识一条不带选项的 echo：{what}",
    ),
    "unknown-form": Bilingual("This form is not known here: {what}", "这里不认识这种形式：{what}"),
    "nested-form": Bilingual(
        "Inside ${…} only plain characters are known here: {what}",
        "在 ${…} 里这里只认识普通字符：{what}"
    ),
    "unknown-variable": Bilingual(
        "Of the names in capitals only HOME and IFS are known here: {what}",
        "全大写的名字里，这里只认识 HOME 与 IFS：{what}",
    ),
    "no-number": Bilingual(
        "Arithmetic with a variable that holds no whole number: {what}",
        "参与算术的变量不是整数：{what}"
    ),
    "arithmetic": Bilingual(
        "Arithmetic that is not known here, or is no valid expression: {what}",
        "这里不认识的算术，或不是有效的表达式：{what}",
    ),
    "mixed-letters": Bilingual(
        "A sequence from capitals to small letters is not known here: {what}",
        "这里不认识大小写混合的序列：{what}",
    ),
    "other-home": Bilingual(
        "A tilde with something behind it is another directory, which is not known here: {what}",
        "波浪号后面带名字指别的目录，这里不知道：{what}",
    ),
    "pattern": Bilingual(
        "A pattern that is not known here (a directory, a leading dot, a backslash, a class): "
        "{what}",
        "这里不认识的模式（含目录、开头的点、反斜杠或字符类）：{what}",
    ),
}  # fmt: skip
