"""Completion in bash, zsh and fish: what a shell offers comes from the parsers and the notes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from perfnotes.cli import completion
from perfnotes.cli.commands import commands, names, summary
from perfnotes.cli.completion import SHELLS, candidates
from perfnotes.cli.main import main, parser
from perfnotes.graph.site import Site
from tests.example_notes import write_notes
from tests.project import ROOT, environment

# Each prints what the shell would offer behind each line, one to a line, and "==" behind all.
DRIVERS = {
    "bash": """\
eval "$(perfnotes completion bash)"
asked=$(complete -p perfnotes | sed 's/.*-F \\([^ ]*\\).*/\\1/')
for line; do
    COMP_LINE=$line COMP_POINT=${#line} COMP_TYPE=9
    "$asked" perfnotes
    printf '%s\\n' "${COMPREPLY[@]}" '=='
done
""",
    "fish": """\
perfnotes completion fish | source
for line in $argv
    complete -C $line
    echo '=='
end
""",
    "zsh": """\
autoload -U compinit && compinit -D -u
eval "$(perfnotes completion zsh)"
_describe() { print -rl -- "${(@P)2}" }
for line; do
    BUFFER=$line CURSOR=${#line} words=(${(z)line})
    $_comps[perfnotes]
    echo '=='
done
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example notes, and a ``perfnotes`` on the path that is this one."""
    write_notes(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n")
    program = tmp_path / "bin" / "perfnotes"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m perfnotes "$@"\n')
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(project: Path, shell: str, *lines: str) -> list[list[str]]:
    """What a shell offers behind each line, without descriptions and spaces behind it."""
    assert shutil.which(shell), f"{shell} is missing: `make test` installs it"
    env = environment(
        PATH=f"{project / 'bin'}:{os.environ['PATH']}",
        PYTHONPATH=str(ROOT / "tools"),
        HOME=str(project),
    )
    plain = {"bash": "--norc", "fish": "--no-config", "zsh": "-f"}[shell]
    driver = project / "driver"
    driver.write_text(DRIVERS[shell])
    done = subprocess.run(
        [shell, plain, str(driver), *lines],
        cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == "", done.stderr
    mark = ":" if shell == "zsh" else "\t"
    groups = done.stdout.split("==\n")[:-1]
    return [
        sorted(w for x in g.splitlines() if (w := x.partition(mark)[0].strip())) for g in groups
    ]


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_offers_commands_options_and_names(project: Path, shell: str) -> None:
    offers = {
        "perfnotes ": sorted(names()),
        "perfnotes lab rec": ["record"],
        "perfnotes new note --le": ["--level"],
        "perfnotes move caches/r": ["caches/rows"],
        "perfnotes new note caches/x --tags cache,c": ["cache,cache"],
    }
    assert ask(project, shell, *offers) == list(offers.values())


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("TOPIC", ["caches", "gpu"]),
        ("TAG", ["cache"]),
        ("TERM", ["cache-line", "warp"]),
        ("NOTE", ["caches/lines", "caches/rows", "caches/steps", "gpu/warps"]),
        ("LAB", ["caches/steps"]),
        ("KEY", ["drepper2007memory"]),
        ("MACHINE", ["example-cpu"]),
        ("ENTITY", ["chip"]),
        ("FACTS", ["chips"]),
    ],
)
@pytest.mark.usefixtures("project")
def test_names_by_what_an_argument_takes(kind: str, found: list[str]) -> None:
    assert candidates(kind) == found


def test_check_codes_and_things_to_rename(project: Path) -> None:
    assert {"PN101", "PN804", "PN903"} <= set(candidates("CODE"))
    assert {"caches/rows", "cache", "warp", "@drepper2007memory"} <= set(candidates("OLD"))
    (project / "mkdocs.yml").unlink()
    assert "caches/rows" not in candidates("NOTE")  # of this folder; perhaps the clone's own


@pytest.mark.slow
def test_names_of_the_project_itself_are_those_that_are_read(
    own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scan by lines sees what the readers see."""
    monkeypatch.chdir(ROOT)
    library = own_site.library
    assert candidates("TOPIC") == sorted(library.topics)
    assert candidates("TAG") == sorted(library.tags)
    assert candidates("TERM") == sorted(library.terms)
    assert candidates("NOTE") == sorted({**library.notes, **library.drafts})
    assert candidates("LAB") == sorted(library.labs)
    assert candidates("KEY") == sorted(library.references)
    assert candidates("ENTITY") == sorted(library.facts.entities)


@pytest.mark.slow
def test_an_answer_imports_neither_engine_nor_readers(project: Path) -> None:
    """Somebody waits for it: what takes long to import stays out, whatever command is asked."""
    heavy = {"mkdocs", "pint", "jsonschema_rs", "pybtex", "selectolax", "perfnotes.model.library"}
    for name in names():
        line = f"perfnotes {name} --"
        asked = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1"}
        asked["_ARGCOMPLETE_STDOUT_FILENAME"] = str(project / "answer")
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "perfnotes"],
            cwd=project,
            env=environment(PYTHONPATH=str(ROOT / "tools"), **asked),
            capture_output=True,
            text=True,
            check=True,
        )
        imported = {row.rpartition("|")[2].strip() for row in done.stderr.splitlines()}
        assert "argparse" in imported
        assert not heavy & imported, name
        (project / "answer").unlink()


def test_help_and_parsers_are_the_same_for_one_command_and_for_all() -> None:
    for name, module in commands().items():
        assert summary(name) == (module.__doc__ or "").strip().splitlines()[0].rstrip(".")
    assert parser("lab").format_help() == parser().format_help()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "perfnotes" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["completion", "ksh"])


def test_fish_calls_the_program_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: True)
    monkeypatch.setattr("sys.argv", ["/a place/it's/perfnotes"])
    assert "'/a place/it\\'s/perfnotes' 8>&1" in completion.script("fish")
