"""Say in plain words what changes for readers since a revision.

Compares the notes and the site's own pages of BASE with the working tree, uncommitted edits
included, or with another revision: pages, links, numbers, evidence, results, facts, references,
vocabulary, translations and findings. Needs no network and leaves the working tree as it is.
Differences are no errors: the exit status is 0.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from perfnotes.cli.commands._options import whole
from perfnotes.source.project import UsageError, project_root

EXAMPLE = "perfnotes diff --merge-base main"
_FORMATS = ("json", "markdown", "text")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", help="a revision: main, HEAD~3, a tag, a commit")
    parser.add_argument(
        "head", metavar="HEAD", nargs="?", help="another revision; default: the working tree"
    )
    parser.add_argument(
        "--merge-base", action="store_true",
        help="compare with the last commit that BASE shares with HEAD, as a pull request does",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=_FORMATS, default="text", help="the form of the report; default: text"
    )
    parser.add_argument(
        "--screenshots", metavar="DIR",
        help="write pictures of changed pages to DIR (needs Playwright and a Chromium)",
    )  # fmt: skip
    parser.add_argument(
        "--pages",
        type=whole(0),
        default=6,
        metavar="N",
        help="pages to take pictures of at most; default: 6",
    )


def run(options: argparse.Namespace) -> int:
    from perfnotes.review.markdown import as_markdown
    from perfnotes.review.output import as_json, as_text
    from perfnotes.review.pair import Pair
    from perfnotes.review.parts import report
    from perfnotes.review.revision import RevisionError, resolve
    from perfnotes.review.side import side_of, working_side
    from perfnotes.source.read.memo import remembered_files

    root = project_root()
    shared = (options.head or "HEAD") if options.merge_base else ""
    try:
        with ExitStack() as stack:
            memo = stack.enter_context(remembered_files(root))
            base = resolve(root, options.base, shared)
            before = stack.enter_context(side_of(base, memo))
            if options.head:
                after = stack.enter_context(side_of(resolve(root, options.head), memo))
            else:
                after = working_side(root, base.commit, memo)
            pair = Pair(before, after)
            found = report(pair)
            if options.screenshots:
                from perfnotes.review.pictures import with_pictures

                found = with_pictures(found, pair, root, Path(options.screenshots), options.pages)
    except RevisionError as error:
        raise UsageError(str(error)) from None
    forms = {"text": as_text, "markdown": as_markdown, "json": as_json}
    sys.stdout.write(forms[options.format](found))
    return 0
