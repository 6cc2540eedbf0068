"""What the site ships of Material's style sheet, and whether its pages look as with all of it.

    make stylesheet                                    # the built site: sizes and every state
    make stylesheet ARGS="--pages home,note"           # these kinds of pages alone
    make stylesheet ARGS="--out build/stylesheet"      # the sheet and what it lacks, a rule a line

Each page is opened light and dark, on a desktop, on a phone and as it is printed. On two of them
the drawer, the list of languages, the search, a card and an enlarged figure are opened as well.
Then the computed styles of all elements and pseudo-elements are compared with those that the whole
style sheet gives.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import tinycss2
from benchmarks.page.node import ROOT
from benchmarks.page.pages import pages_of
from playwright.sync_api import Browser, Page, expect
from tests.browser import opened, served, started_browser

from perfnotes.site.possible_names import material_templates

KINDS = (
    "home", "note", "topic", "papers", "paper", "lab", "facts", "graph", "search", "glossary",
    "document", "calculator", "latency", "symptoms", "missing",
)  # fmt: skip
EVERY_STATE = ("home", "note")
WIDTHS = {"desktop": 1440, "phone": 390}

# Compares the computed styles of all elements and pseudo-elements. Rows of long lists are alike, so
# only the first of them stay.
_STYLES = r"""async (rules) => {
  const alike = "tbody > tr:nth-child(n+12), li:nth-child(n+12), pre code > :nth-child(n+60), "
    + "dl > :nth-child(n+40), svg > :nth-child(n+60)";
  document.querySelectorAll(alike).forEach((each) => each.remove());
  const settled = () => Promise.allSettled(
    document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 5000)
      .map((each) => each.finished));
  const pseudos = [null, "::before", "::after", "::marker"];
  const properties = [...getComputedStyle(document.body)];
  const styles = () => [...document.querySelectorAll("*")].flatMap((element) =>
    pseudos.map((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && ["none", ""].includes(style.content)) return "";
      return properties.map((name) => style.getPropertyValue(name)).join("\n");
    }));
  const named = (at) => {
    const element = document.querySelectorAll("*")[at >> 2];
    return `${element.cloneNode().outerHTML.slice(0, 120)}${pseudos[at & 3] ?? ""}`;
  };
  const link = document.querySelector("link[href*='assets/stylesheets/main.']");
  await settled();
  // Chromium says 0 of a margin that is auto until it has laid out its box a second time.
  document.body.style.width = "99%";
  document.body.getBoundingClientRect();
  document.body.removeAttribute("style");
  const ours = styles();
  while (link.sheet.cssRules.length) link.sheet.deleteRule(0);
  for (const rule of rules) {
    try {
      link.sheet.insertRule(rule, link.sheet.cssRules.length);
    } catch {
      // a rule that this browser does not know, in a file it would skip it too
    }
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await settled();
  const theirs = styles();
  const different = ours.flatMap((text, at) => {
    if (text === theirs[at]) return [];
    const other = theirs[at].split("\n");
    const values = text.split("\n").map((value, n) => [properties[n], value, other[n]]);
    const [name, shipped, whole] = values.find(([, one, two]) => one !== two);
    return [`${named(at)}: ${name} is ${shipped}, and with the whole sheet ${whole}`];
  });
  const again = link.cloneNode();
  await new Promise((done, failed) => {
    Object.assign(again, { onload: done, onerror: failed });
    link.after(again);
  });
  link.remove();
  if (ours.length !== theirs.length) different.push("another number of elements");
  return [different, ours.filter(Boolean).length];
}"""


def whole_sheet() -> Path:
    """Return Material's style sheet as it is installed."""
    return next((material_templates() / "assets/stylesheets").glob("main.*.css"))


def differences(tab: Page) -> tuple[list[str], int]:
    """Return what looks different with the whole style sheet, and how many styles were compared.

    The page is afterwards as before.
    """
    rules = [rule for rule in _rules(whole_sheet().read_text("utf-8")) if rule[:8] != "@charset"]
    found, compared = tab.evaluate(_STYLES, rules)
    return found, compared


def _as_opened(tab: Page) -> None:
    expect(tab.locator("h1").first).to_be_visible()


def _drawer(tab: Page) -> None:
    button = tab.locator("[data-pn-toggle]:not([data-pn-contents])")
    if button.is_visible():
        button.click()


def _languages(tab: Page) -> None:
    # Browsers find out late that the pointer is over a button which the closing drawer uncovers.
    tab.mouse.move((tab.viewport_size or {"width": 3})["width"] - 2, 400)
    tab.keyboard.press("Escape")
    button = tab.locator("[data-pn-select] button")
    if button.count() and button.is_visible():
        button.focus()


def _card(tab: Page) -> None:
    link = tab.locator("article a.pn-n[data-n], article a.pn-cite, article a.pn-term").first
    if link.count() and link.is_visible():
        link.focus()
        tab.wait_for_timeout(500)


def _figure(tab: Page) -> None:
    tab.keyboard.press("Escape")
    button = tab.locator(".pn-enlarge").first
    if button.count() and button.is_visible():
        button.click()
        expect(tab.locator("dialog.pn-large")).to_be_visible()


def _search(tab: Page) -> None:
    tab.keyboard.press("Escape")
    if tab.locator("dialog.pn-search-dialog, article .pn-search").count() == 0:
        tab.locator("a[data-pn-search]").first.click()
    tab.locator(".pn-search-input").last.fill("cache")
    expect(tab.locator(".pn-search").last).to_have_attribute("data-shown", "cache")


def _print(tab: Page) -> None:
    tab.emulate_media(media="print")


STATES: dict[str, Callable[[Page], None]] = {
    "as it opens": _as_opened,
    "drawer": _drawer,
    "languages": _languages,
    "card": _card,
    "figure": _figure,
    "search": _search,
    "print": _print,
}


def states(
    browser: Browser, address: str, url: str, *, scheme: str, width: int, quick: bool
) -> Iterator[tuple[str, Page]]:
    """Open a page and bring it from state to state; yield their names.

    With ``quick`` nothing is opened that most kinds of pages have in common.
    """
    with opened(browser, address, width=width, scheme=scheme, expected=url) as (tab, _):
        tab.goto(url, wait_until="load")
        for name, reach in STATES.items():
            if not quick or name in ("as it opens", "print"):
                reach(tab)
                yield name, tab


def _sizes(sheets: dict[str, Path]) -> str:
    rows = ((name, file.read_bytes()) for name, file in sheets.items())
    return "\n".join(
        f"{name:24} {len(data):8,} bytes {len(gzip.compress(data, 9)):7,} in gzip"
        for name, data in rows
    )


def _rules(sheet: str) -> list[str]:
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    return [rule.serialize() for rule in rules]


def main() -> None:
    """Print the sizes and compare every page in every state; exit 1 if any looks different."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--pages", default=",".join(KINDS), help="kinds of pages, with commas")
    parser.add_argument("--out", type=Path, help="a folder for the sheet, a rule to a line")
    options = parser.parse_args()
    pages = pages_of(options.site)
    whole = whole_sheet()
    shipped = options.site / "assets/stylesheets" / whole.name
    short = shipped.with_name(shipped.name.replace(".min.", ".short."))
    print(_sizes({"Material's style sheet": whole, "what pages can use": shipped,
                  "what most pages use": short}))  # fmt: skip
    if options.out:
        _write(options.out, _rules(shipped.read_text("utf-8")), whole)
    failed = compared = reached = 0
    with served(options.site) as address, started_browser() as browser:
        for kind in options.pages.split(","):
            for scheme in ("light", "dark"):
                for device, width in WIDTHS.items():
                    for state, tab in states(
                        browser, address, pages[kind],
                        scheme=scheme, width=width, quick=kind not in EVERY_STATE,
                    ):  # fmt: skip
                        found, styles = differences(tab)
                        compared, reached = compared + styles, reached + 1
                        failed += len(found)
                        for each in found[:5]:
                            print(f"{kind}, {scheme}, {device}, {state}: {each}")
            print(f"{kind}: done", file=sys.stderr)
    print(f"{compared:,} computed styles in {reached} states, {failed} of them different")
    sys.exit(failed > 0)


def _write(folder: Path, shipped: list[str], whole: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    known = set(shipped)
    lacking = [rule for rule in _rules(whole.read_text("utf-8")) if rule not in known]
    (folder / "shipped.css").write_text("\n".join(shipped) + "\n", "utf-8")
    (folder / "left-out-or-shortened.css").write_text("\n".join(lacking) + "\n", "utf-8")


if __name__ == "__main__":
    main()
