"""Which variables do programs obey, and what arrives at the proxy?

    proxies.py variables PROGRAM…    which variables lead an http:// and an https:// URL to the proxy
    proxies.py exceptions PROGRAM…   which entries of no_proxy keep a URL away from it
    proxies.py addresses PROGRAM…    what arrives, by how the proxy's own address is written
    proxies.py socks PROGRAM…        whether the name or an address arrives
    proxies.py certificates PROGRAM… which variable makes a program trust the proxy's certificate
    proxies.py environment           what a shell, env -i, CGI and ssh make of the variables
    proxies.py settings              whether a program's own setting or the variable counts
    proxies.py arrives               the first lines that the proxy gets from curl
    proxies.py messages              how programs complain
    proxies.py versions PROGRAM…     what each program says of its version

All but the last three print a table and end with one line of JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from programs import call, words
from watcher import Watcher

HTTP = "http://web.test/x"
HTTPS = "https://web.test/x"
Numbers = dict[str, int]


def table(heads: list[str], rows: list[tuple[str, list[str]]], first: int) -> None:
    """Print rows under heads; the first column has that width."""
    print(" " * first + "".join(f"{head:>10}" for head in heads))
    for name, cells in rows:
        print(f"{name:<{first}}" + "".join(f"{cell:>10}" for cell in cells))


def fetched(program: str, url: str, **variables: str) -> list[str]:
    """What a proxy saw while the program fetched the URL; P in a variable is the proxy's address."""
    watcher = Watcher()
    here = f"127.0.0.1:{watcher.port}"
    call(words(program, url), {name: text.replace("P", here, 1) for name, text in variables.items()})
    return watcher.seen


def variables(programs: list[str]) -> Numbers:
    """Each variable alone, with an http:// and an https:// URL."""
    tried = [
        ("http", HTTP, "http_proxy"), ("http", HTTP, "HTTP_PROXY"),
        ("http", HTTP, "all_proxy"), ("http", HTTP, "ALL_PROXY"),
        ("https", HTTPS, "http_proxy"), ("https", HTTPS, "https_proxy"),
        ("https", HTTPS, "HTTPS_PROXY"), ("https", HTTPS, "all_proxy"), ("https", HTTPS, "ALL_PROXY"),
    ]  # fmt: skip
    numbers: Numbers = {}
    rows = []
    for kind, url, name in tried:
        cells = []
        for program in programs:
            seen = fetched(program, url, **{name: "http://P"})
            case = "upper" if name.isupper() else "lower"
            key = f"{program}_{kind}_{name.lower().removesuffix('_proxy')}_{case}"
            numbers[key] = int(bool(seen))
            cells.append(seen[0].split()[0] if seen else "-")
        rows.append((f"{name:<12}{kind}://", cells))
    for program in programs:  # that it works at all: the watcher as a server
        watcher = Watcher()
        call(words(program, f"{watcher.url()}/x"), {})
        numbers[f"{program}_direct"] = int(any(line.startswith("GET /x") for line in watcher.seen))
    table(programs, rows, 22)
    return numbers


def exceptions(programs: list[str]) -> Numbers:
    """``no_proxy`` with one entry, and a URL; 1 where the proxy saw nothing."""
    tried = [
        ("nothing", "", "web.test"), ("localhost", "", "localhost"), ("same", "web.test", "web.test"),
        ("below", "web.test", "a.web.test"), ("dot_below", ".web.test", "a.web.test"),
        ("dot_same", ".web.test", "web.test"), ("tail", "web.test", "myweb.test"),
        ("star_below", "*.web.test", "a.web.test"), ("star", "*", "web.test"),
        ("case", "WEB.TEST", "web.test"), ("port", "web.test:8080", "web.test:8080"),
        ("other_port", "web.test:8080", "web.test:8081"),
        ("comma", "x.test,web.test", "web.test"), ("blank", "x.test, web.test", "web.test"),
        ("address", "127.0.0.9", "127.0.0.9"), ("block", "127.0.0.0/8", "127.0.0.9"),
        ("upper", "web.test", "web.test"),
    ]  # fmt: skip
    numbers: Numbers = {}
    rows = []
    for key, entry, host in tried:
        name = "NO_PROXY" if key == "upper" else "no_proxy"
        cells = []
        for program in programs:
            given = {"http_proxy": "http://P", name: entry}
            seen = fetched(program, f"http://{host}/x", **given)
            numbers[f"{program}_{key}"] = int(not seen)
            cells.append("proxy" if seen else "direct")
        shown = f"NO_PROXY={entry}" if key == "upper" else entry or "(empty)"
        rows.append((f"{shown:<19}{host}", cells))
    table(programs, rows, 33)
    return numbers


def addresses(programs: list[str]) -> Numbers:
    """The proxy's own address in ``https_proxy``, written in several ways."""
    numbers: Numbers = {}
    rows = []
    for key, shown, start in (
        ("http", "http://", "http://"), ("bare", "(no scheme)", ""), ("https", "https://", "https://"),
    ):  # fmt: skip
        cells = []
        for program in programs:
            seen = fetched(program, HTTPS, https_proxy=f"{start}P")
            cells.append(seen[0].split()[0] if seen else "-")
            numbers[f"{program}_{key}_connect"] = int(cells[-1] == "CONNECT")
            numbers[f"{program}_{key}_tls"] = int(cells[-1] == "TLS")
        rows.append((shown, cells))
    cells = []
    for program in programs:
        for key, user in (("nobody", ""), ("login", "ann:p%40ss@")):
            watcher = Watcher(asks=True)
            call(words(program, HTTPS), {"https_proxy": watcher.url(user=user)})
            numbers[f"{program}_{key}"] = int("ann:p@ss" in watcher.logins)
        cells.append(watcher.logins[0] if watcher.logins else "-")
    rows.append(("ann:p%40ss@", cells))
    table(programs, rows, 14)
    return numbers


def socks(programs: list[str]) -> Numbers:
    """SOCKS schemes, for a name that this machine knows (lab) and one that it does not."""
    numbers: Numbers = {}
    rows = []
    for scheme in ("socks4", "socks4a", "socks5", "socks5h"):
        for host in ("lab", "web.test"):
            cells = []
            for program in programs:
                seen = fetched(program, f"http://{host}/x", http_proxy=f"{scheme}://P")
                words_seen = seen[0].split() if seen else ["-"]
                cells.append(words_seen[1] if words_seen[0].startswith("SOCKS") else words_seen[0])
                key = f"{program}_{scheme}_{'known' if host == 'lab' else 'unknown'}"
                numbers[f"{key}_name"] = int(cells[-1] == "name")
                numbers[f"{key}_address"] = int(cells[-1] == "address")
            rows.append((f"{scheme + '://':<11}{host}", cells))
    table(programs, rows, 20)
    return numbers


def certificates(programs: list[str]) -> Numbers:
    """A proxy that answers for the server, with a certificate of its own authority."""
    here = Path.cwd()
    make_certificates(here)
    make_certificates(here / "other")
    names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE", "PIP_CERT"]
    another = dict.fromkeys(names, str(here / "other" / "ca.crt"))
    tried = [("(another authority)", another), *((name, {name: str(here / "ca.crt")}) for name in names)]
    numbers: Numbers = {}
    rows = []
    for name, given in tried:
        cells = []
        for program in programs:
            watcher = Watcher(str(here / "web.pem"))
            call(words(program, HTTPS), {"https_proxy": watcher.url(), **given})
            inside = any(line.startswith("inside") for line in watcher.seen)
            cells.append("trusts" if inside else "refuses" if watcher.seen else "no call")
            key = "another" if name.startswith("(") else name.lower()
            numbers[f"{program}_{key}"] = int(inside)
        rows.append((name, cells))
    table(programs, rows, 22)
    watcher = Watcher(str(here / "web.pem"))
    command = ["wget", "-q", "--tries=1", "-O", "out", "--ca-certificate", str(here / "ca.crt")]
    call([*command, HTTPS], {"https_proxy": watcher.url()})
    numbers["wget_option"] = int(any(line.startswith("inside") for line in watcher.seen))
    print(f"wget --ca-certificate: {'trusts' if numbers['wget_option'] else 'refuses'}")
    seen = Watcher(str(here / "web.pem"))
    asked = ["openssl", "s_client", "-proxy", f"127.0.0.1:{seen.port}", "-connect", "web.test:443"]
    done = subprocess.run(
        asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    issuer = [line for line in done.stdout.splitlines() if line.startswith("issuer")]
    print(f"openssl s_client -proxy: {issuer[0] if issuer else '-'}")
    return numbers


def make_certificates(here: Path) -> None:
    """An authority, ``ca.crt``, and ``web.pem``: a certificate for web.test with its key."""
    here.mkdir(exist_ok=True)
    for line in (
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=lab"
        " -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign -config own.cnf",
        "req -newkey rsa:2048 -nodes -keyout web.key -out web.csr -subj /CN=web.test"
        " -config own.cnf",
        "x509 -req -in web.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out web.crt -days 2"
        " -extfile web.ext",
    ):
        (here / "own.cnf").write_text("[req]\ndistinguished_name = name\n[name]\n")
        (here / "web.ext").write_text("subjectAltName = DNS:web.test\n")
        subprocess.run(["openssl", *line.split()], cwd=here, check=True, capture_output=True)
    (here / "web.pem").write_text((here / "web.key").read_text() + (here / "web.crt").read_text())


def environment() -> Numbers:
    """Where the variable gets lost, and programs that have another way."""
    numbers: Numbers = {}
    fetch = "curl -qsS -m 20 -o out http://web.test/x"
    rows = []
    for key, shown, script in (
        ("exported", "export http_proxy=P; curl", f"export http_proxy=$P; {fetch}"),
        ("not_exported", "http_proxy=P; curl", f"http_proxy=$P; {fetch}"),
        ("before", "http_proxy=P curl", f"http_proxy=$P {fetch}"),
        ("emptied", "export http_proxy=P; env -i curl", f"export http_proxy=$P; env -i {fetch}"),
        (
            "given",
            "env -i http_proxy=P curl",
            f"env -i http_proxy=$P {fetch}",
        ),
    ):
        watcher = Watcher()
        call(["bash", "-c", script], {"P": watcher.url()})
        numbers[key] = int(bool(watcher.seen))
        rows.append((shown, ", ".join(watcher.seen) or "-"))

    def note(key: str, shown: str, command: list[str], **more: str) -> None:
        watcher = Watcher()
        every = {f"{name}_proxy": watcher.url() for name in ("http", "https", "all")}
        call(
            [word.replace("PORT", str(watcher.port)) for word in command],
            (every if not more.pop("without", "") else {})
            | {name: value.replace("P", watcher.url(), 1) for name, value in more.items()},
        )
        numbers[key] = int(bool(watcher.seen))
        rows.append((shown, ", ".join(watcher.seen) or "-"))

    ssh = ["ssh", "-F", "none", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20"]
    through = f"{sys.executable} {Path(__file__).with_name('through.py')} 127.0.0.1 PORT %h %p"
    note("ssh", "ssh web.test, all variables set", [*ssh, "web.test"])
    note("ssh_command", "ssh, ProxyCommand", [*ssh, "-o", f"ProxyCommand={through}", "web.test"])
    note("git_ssh", "git ls-remote ssh://…, http.proxy set",
         ["git", "-c", "http.proxy=http://127.0.0.1:PORT", "ls-remote", "ssh://git@web.test/r"])  # fmt: skip
    note("git_https", "git ls-remote https://…, http.proxy set",
         ["git", "-c", "http.proxy=http://127.0.0.1:PORT", "ls-remote", "https://web.test/r"],
         without="yes")  # fmt: skip
    note("tcp", "bash, /dev/tcp/localhost/9", ["bash", "-c", ": < /dev/tcp/localhost/9"])
    urllib = words("urllib", HTTP)
    note("cgi_upper", "urllib, HTTP_PROXY", urllib, HTTP_PROXY="P", without="yes")
    note("cgi", "urllib, HTTP_PROXY and REQUEST_METHOD", urllib, HTTP_PROXY="P",
         REQUEST_METHOD="GET", without="yes")  # fmt: skip
    for key, option in (("curl_p_connect", "-p"), ("curl_p_get", "-s")):
        line = ["curl", "-qsS", option, "-m", "20", "-o", "out", HTTP]
        note(key, f"curl {option} http://web.test/x", line)
        numbers[key] = int(rows[-1][1].startswith("CONNECT"))
    for shown, seen in rows:
        print(f"{shown:<41}{seen}")
    return numbers


def settings() -> Numbers:
    """Two proxies: P in the variable, Q in the program's own setting; which one is asked?"""
    numbers: Numbers = {}
    apt, git = words("apt", HTTP), words("git", HTTPS)
    for key, shown, command, variable in (
        ("apt_without", "apt, http_proxy=P", apt, "http_proxy"),
        (
            "apt_own",
            "apt, http_proxy=P, Acquire::http::Proxy=Q",
            [apt[0], "-o", "Acquire::http::Proxy=http://Q", *apt[1:]],
            "http_proxy",
        ),
        (
            "apt_direct",
            "apt, http_proxy=P, Acquire::http::Proxy::web.test=DIRECT",
            [apt[0], "-o", "Acquire::http::Proxy::web.test=DIRECT", *apt[1:]],
            "http_proxy",
        ),
        ("git_without", "git, https_proxy=P", git, "https_proxy"),
        (
            "git_own",
            "git, https_proxy=P, http.proxy=Q",
            ["git", "-c", "http.proxy=http://Q", *git[1:]],
            "https_proxy",
        ),
    ):
        of_variable, own = Watcher(), Watcher()
        here = f"127.0.0.1:{own.port}"
        call([word.replace("http://Q", f"http://{here}") for word in command],
             {variable: of_variable.url()})  # fmt: skip
        numbers[key] = int(bool(own.seen))
        numbers[f"{key}_variable"] = int(bool(of_variable.seen))
        asked = ("P" if of_variable.seen else "") + ("Q" if own.seen else "")
        print(f"{shown:<58}{asked or '-'}")
    return numbers


def arrives() -> None:
    """The requests of curl, as the proxy gets them."""
    for variable, scheme, url in (
        ("http_proxy", "http", HTTP), ("https_proxy", "http", HTTPS),
        ("all_proxy", "socks5", "http://lab/x"), ("all_proxy", "socks5h", "http://lab/x"),
        ("all_proxy", "socks5h", HTTPS),
    ):  # fmt: skip
        watcher = Watcher()
        call(words("curl", url), {variable: watcher.url(scheme)})
        print(f"{variable}={scheme}://… curl {url}".ljust(52) + "; ".join(watcher.seen))


def messages() -> None:
    """What programs say about a wrong scheme of the proxy, and about its certificate."""
    here = Path.cwd()
    make_certificates(here)
    make_certificates(here / "other")
    usual = {"CURL_CA_BUNDLE": str(here / "other" / "ca.crt")}  # the sandbox has no /etc/ssl
    certificate = str(here / "web.pem")
    tried = [
        ("https_proxy", "https", HTTPS, ["curl", "git", "requests"], ""),
        ("http_proxy", "socks5", HTTP, ["curl", "wget", "urllib", "requests"], ""),
        ("https_proxy", "http", HTTPS, ["curl", "wget", "git", "urllib", "requests"], certificate),
    ]  # fmt: skip
    watcher = Watcher()
    said = call(["curl", "-v", "-o", "out", HTTP], {"http_proxy": watcher.url()})
    chosen = [line for line in said if "proxy env" in line] or ["-"]
    print(f"curl -v: {chosen[0].removeprefix('* ')}".replace(str(watcher.port), "PORT"))
    for variable, scheme, url, programs, given in tried:
        shown = ", a proxy that answers for the server" if given else ""
        print(f"# {variable}={scheme}://127.0.0.1:PORT{shown}")
        for program in programs:
            watcher = Watcher(given)
            more = usual if program == "curl" else {}
            lines = call(words(program, url), {variable: watcher.url(scheme), **more})
            print(f"{program}: {gist(program, lines)}".replace(str(watcher.port), "PORT"))


def gist(program: str, lines: list[str]) -> str:
    """The line of a message that says what is wrong, of Python's without the parts between."""
    if program in ("urllib", "requests"):
        said = lines[-1] if lines else ""
        cause = re.search(r"\[SSL[^(]*|Missing.*|unknown[^>]*", said)
        return f"{said.partition(':')[0]}: … {cause.group(0).strip()}" if cause else said
    chosen = [line for line in lines if re.match(r"curl:|fatal:|Error|ERROR", line)]
    return (chosen or lines or ["-"])[0].removeprefix("curl: ")


def versions(programs: list[str]) -> None:
    """The first line that each program prints about itself."""
    for program in programs:
        module = {"urllib": [], "requests": [], "pip": ["-m", "pip"]}.get(program)
        command = [program, "--version"] if module is None else [sys.executable, *module, "--version"]
        if program == "requests":
            command = [sys.executable, "-c", "import requests; print('requests', requests.__version__)"]
        if program == "ssh":
            command = ["ssh", "-V"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        line = (done.stdout or done.stderr).splitlines()[0]
        line = f"node {line}" if program == "node" else line
        print(line.split(" from ")[0].split(" (")[0].split(" built")[0].split(",")[0])


if __name__ == "__main__":
    what, *programs = sys.argv[1:]
    if what == "arrives":
        arrives()
    elif what == "messages":
        messages()
    elif what == "versions":
        versions(programs)
    elif what == "environment":
        print(json.dumps(environment()))
    elif what == "settings":
        print(json.dumps(settings()))
    else:
        print(json.dumps(globals()[what](programs)))
