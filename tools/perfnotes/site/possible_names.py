"""The names that pages of the site can hold: elements, classes, ids and attributes.

The HTML of a page has three authors, and what each can write is known before any page is made:

- A text, and the Markdown extensions that read it, may write what ``site/safety.py`` allows. A page
  with anything else is refused. So every class and id counts except the reserved ones.
- The templates write what stands in them. ``main.html`` and ``404.html`` are parsed with all
  templates that they extend or include, whatever ``mkdocs.yml`` switches on or off.
- The scripts and style sheets of the theme, and the Python files of this package that write markup
  around a text, hold the names that they use as words. Every word of such a file counts, also one
  of a comment.

This is more than any page holds, and never less. It depends on the theme and on this package alone,
so every site with the same theme has the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, TemplateError, nodes
from msgspec import Struct

from perfnotes.site import safety
from perfnotes.site.theme_files import THEME

PAGE_TEMPLATES = ("main.html", "404.html")
_PACKAGE = Path(__file__).parents[1]
WORD = re.compile(r"-?-?[A-Za-z_][\w-]*")  # a name in a text, or a custom property
# An element is written as a tag, or in a script as a string.
_ELEMENT = re.compile(r"""<([a-z][a-z0-9-]*)|["'`]([a-z][a-z0-9-]*)["'`]""")
_CAPITAL = re.compile(r"[A-Z]")
_OF_TEXTS = frozenset[str]().union(*safety.ATTRIBUTES.values())


class PossibleNames(Struct, frozen=True):
    """The words of templates, scripts, style sheets and Python files, and the elements among them.

    ``words`` include names that start with two hyphens, the custom properties of style sheets.
    """

    words: frozenset[str]
    elements: frozenset[str]

    def has_element(self, name: str) -> bool:
        return name in safety.ELEMENTS or name in self.elements

    def has_class(self, name: str) -> bool:
        return name in self.words or not safety.is_reserved_class(name)

    def has_id(self, name: str) -> bool:
        return name in self.words or not safety.is_reserved_id(name)

    def has_attribute(self, name: str) -> bool:
        # `dataset.name` of a script is the attribute `data-name`.
        return not self.words.isdisjoint((name, name.removeprefix("data-"))) or name in _OF_TEXTS


def possible_names(themes: Sequence[Path]) -> PossibleNames:
    """Return the names that pages can hold.

    ``themes`` are the folders of templates, in the order in which a template is looked for.
    """
    files = (file.read_text("utf-8", errors="replace") for file in sources(themes))
    texts = [*_of_templates(themes), *files]
    words = {word for text in texts for word in WORD.findall(text)}
    words |= {_hyphened(word) for word in words if _CAPITAL.search(word)}  # as `dataset` does
    elements = {tag or name for text in texts for tag, name in _ELEMENT.findall(text)}
    return PossibleNames(frozenset(words), frozenset(elements))


def sources(themes: Iterable[Path]) -> list[Path]:
    """Return the files other than templates whose words count: of our themes and this package.

    Nothing of Material's own folder is listed: no page asks for its scripts and style sheets, and
    ``possible_names`` finds the templates that ours use.
    """
    own = {THEME, *(theme for theme in themes if theme != material_templates())}
    files = [f for theme in own for f in theme.rglob("*") if f.suffix in (".js", ".css")]
    files += (_PACKAGE / "site").rglob("*.py")
    files += (_PACKAGE / "serve").rglob("*.js")
    return sorted(file for file in files if file.is_file())


def material_templates() -> Path:
    """Return the folder of Material's templates and assets."""
    # Loading Material as a module takes long, and its place is all that is needed.
    from importlib.util import find_spec  # noqa: PLC0415

    found = find_spec("material")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "templates"


def _hyphened(word: str) -> str:
    return _CAPITAL.sub(lambda capital: f"-{capital[0].lower()}", word)


def _of_templates(themes: Sequence[Path]) -> Iterator[str]:
    """Yield the text of all templates that pages are made from, without comments and code."""
    env = Environment(loader=FileSystemLoader(themes), autoescape=True)
    todo = [(name, frozenset[str]()) for name in PAGE_TEMPLATES]
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        name, replaced = todo.pop()
        if (name, replaced) in seen:
            continue
        seen.add((name, replaced))
        assert env.loader is not None
        try:
            template = env.parse(env.loader.get_source(env, name)[0])
        except (TemplateError, UnicodeError):
            continue  # it is missing or broken, and the engine says so if a page needs it
        for node in _live_nodes(template, replaced):
            if isinstance(node, nodes.TemplateData):
                yield node.data
            elif isinstance(node, nodes.Const) and isinstance(node.value, str):
                yield f'"{node.value}"'
            elif isinstance(node, nodes.Extends):
                todo += [(parent, replaced | _replaced(template)) for parent in _named(node)]
            elif isinstance(node, nodes.Include | nodes.Import | nodes.FromImport):
                todo += [(each, frozenset()) for each in _named(node) or _below(node, themes)]


def _live_nodes(node: nodes.Node, replaced: frozenset[str]) -> Iterator[nodes.Node]:
    """Yield the nodes of a template, except those of blocks that another template replaces."""
    if isinstance(node, nodes.Block) and node.name in replaced:
        return
    yield node
    for child in node.iter_child_nodes():
        yield from _live_nodes(child, replaced)


def _replaced(template: nodes.Template) -> frozenset[str]:
    """Return the blocks of its parent that a template replaces, without a call of ``super``."""
    return frozenset(
        block.name
        for block in template.find_all(nodes.Block)
        if not any(_is_super(call.node) for call in block.find_all(nodes.Call))
    )


def _is_super(called: nodes.Node) -> bool:
    return isinstance(called, nodes.Name) and called.name == "super"


_Naming = nodes.Extends | nodes.Include | nodes.Import | nodes.FromImport


def _named(node: _Naming) -> list[str]:
    """Return the template that a node names; none if its name is computed."""
    target = node.template
    return [str(target.value)] if isinstance(target, nodes.Const) else []


def _below(node: _Naming, themes: Sequence[Path]) -> list[str]:
    """Return the templates in the folder from which a node includes one by a computed name.

    A template that is imported by a computed name has the words of a language, and no markup.
    """
    folder = next((str(part.value) for part in node.template.find_all(nodes.Const)), "")
    if not isinstance(node, nodes.Include) or not folder.endswith("/"):
        return []
    return [folder + file.name for t in themes for file in sorted((t / folder).glob("*.html"))]
