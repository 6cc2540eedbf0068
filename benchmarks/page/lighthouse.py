"""Lighthouse's scores for pages of a built site, served compressed, with the profile of a phone.

    make lighthouse                                   # a page of each kind, in both languages
    make lighthouse ARGS="--runs 1 --pages note"      # one of them, once

The score of a page is the median of its runs. Every report is kept below build/lighthouse/.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.page.node import ROOT, lighthouse
from benchmarks.page.pages import pages_of
from benchmarks.page.server import served
from tests.browser import chromium

CATEGORIES = ("performance", "accessibility", "best-practices", "seo", "agentic-browsing")
LEAST = dict.fromkeys(CATEGORIES, 100.0) | {"performance": 98.0}
_METRICS = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
    "SI": "speed-index",
}
# Chromium's own sandbox cannot start inside most containers.
_FLAGS = "--headless=new --no-sandbox --disable-gpu"


@dataclass(frozen=True)
class Measured:
    """Medians of a page's scores (0 to 100) and metrics over all runs, and the audits it failed.

    Metrics are in ms, but for CLS, which has no unit.
    """

    scores: dict[str, float]
    metrics: dict[str, float]
    failed: list[str]


def run_once(command: list[str], url: str, file: Path) -> dict[str, Any]:
    """Run Lighthouse once, write its report to ``file`` and return it.

    Ends the program if Lighthouse fails.
    """
    options = [
        "--quiet",
        "--output=json",
        f"--output-path={file}",
        f"--chrome-flags={_FLAGS}",
        f"--only-categories={','.join(CATEGORIES)}",
    ]
    env = {**os.environ, "CHROME_PATH": chromium()}
    done = subprocess.run(
        [*command, url, *options], env=env, capture_output=True, text=True, check=False, timeout=180
    )
    if done.returncode:
        sys.exit(f"Lighthouse failed for {url}:\n{done.stderr[-2000:]}")
    report: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if problem := report.get("runtimeError"):
        sys.exit(f"Lighthouse could not measure {url}: {problem['message']}")
    return report


def summary(reports: list[dict[str, Any]]) -> Measured:
    """Return the medians over a page's reports."""
    scores = {
        c: statistics.median(100 * (r["categories"][c]["score"] or 0) for r in reports)
        for c in CATEGORIES
    }
    metrics = {
        name: statistics.median(r["audits"][id]["numericValue"] for r in reports)
        for name, id in _METRICS.items()
    }
    failed = {line for report in reports for line in failures(report)}
    return Measured(scores, metrics, sorted(failed))


def failures(report: dict[str, Any]) -> list[str]:
    """Return the audits that lowered a score (but performance), each with its first place."""
    found = []
    for category in CATEGORIES:
        for part in report["categories"][category]["auditRefs"]:
            audit = report["audits"][part["id"]]
            score = audit["score"]
            if part["weight"] and score is not None and score < 1 and category != "performance":
                found.append(f"{category}: {part['id']}: {audit['title']}{_first_item(audit)}")
    return found


def _first_item(audit: dict[str, Any]) -> str:
    items = (audit.get("details") or {}).get("items") or []
    if not items:
        return ""
    text = json.dumps(items[0].get("node", items[0]), ensure_ascii=False)
    return f" ({len(items)}, first: {text[:300]})"


def main() -> int:
    """Measure and print a table; return 1 if a page is below the score that it must reach."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pages", help="kinds of pages, with commas; default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "lighthouse")
    options = parser.parse_args()
    pages = pages_of(options.site)
    wanted = options.pages.split(",") if options.pages else list(pages)
    if unknown := [kind for kind in wanted if kind not in pages]:
        sys.exit(f"no such page: {', '.join(unknown)}; there are {', '.join(pages)}")
    command = lighthouse()
    options.out.mkdir(parents=True, exist_ok=True)
    below = False
    print(f"{'page':<14}" + "".join(f"{c:>17}" for c in CATEGORIES)
          + "".join(f"{m:>8}" for m in _METRICS))  # fmt: skip
    with served(options.site) as server:
        for kind in wanted:
            reports = [
                run_once(
                    command,
                    server.address + pages[kind],
                    options.out.resolve() / f"{kind.replace(' ', '-')}-{number}.json",
                )
                for number in range(1, options.runs + 1)
            ]
            measured = summary(reports)
            print(f"{kind:<14}" + "".join(f"{measured.scores[c]:>17g}" for c in CATEGORIES)
                  + "".join(f"{value:>8.4f}" if name == "CLS" else f"{value:>8.0f}"
                            for name, value in measured.metrics.items()), flush=True)  # fmt: skip
            for line in measured.failed:
                print(f"    {line}")
            below |= any(measured.scores[c] < least for c, least in LEAST.items())
    return 1 if below else 0


if __name__ == "__main__":
    raise SystemExit(main())
