"""Who reaches whom, for each way to connect a virtual machine?

    reach.py matrix MODE…   each machine connects to each: the source address that the server saw
    reach.py forward        a port of the host that leads to the guest: from where it works, and what the guest sees
    reach.py walls          what keeps a neighbour out that knows the way, and whether 127.0.0.1 of the host is private
    reach.py lan            what the LAN sees: hardware addresses, broadcasts, a port that admits one address only
    reach.py macvlan        modes of macvtap, and the way around its gap

Run it as root of new namespaces: `unshare -rn python3 reach.py …`. Each ends with one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from machines import PORT
from modes import (
    FORWARDED,
    HOST,
    INTERNET,
    MODES,
    NAMES,
    NEIGHBOUR,
    World,
    isolated,
    macvtap,
    masqueraded,
    nat,
    passt,
    slirp,
)

Numbers = dict[str, int]
Build = Callable[[World], None]


def shown(answer: tuple[str, str], server: str) -> str:
    """A cell of the table: the source that the right server saw, who else answered, or a dash."""
    name, source = answer
    return source if name == server else f"({name})" if name else "-"


def ask(world: World, client: str, server: str, address: str, port: int = PORT) -> str:
    """One connection, as a cell."""
    return ask_all(world, client, [(server, address, port)])[0]


def ask_all(world: World, client: str, tried: list[tuple[str, str, int]]) -> list[str]:
    """Connections of one client at the same time."""
    answers = world[client].dial([(address, port) for _, address, port in tried])
    return [shown(answer, server) for answer, (server, _, _) in zip(answers, tried, strict=True)]


def built(build: Build) -> World:
    """A new world of that mode, with its services."""
    world = World()
    build(world)
    world.serve()
    return world


def row(name: str, cells: list[str], first: int, width: int) -> None:
    """Print one row of a table."""
    print((f"{name:<{first}}" + "".join(f"{cell:<{width}}" for cell in cells)).rstrip())


def matrix(modes: list[str]) -> Numbers:
    """All pairs of machines."""
    numbers: Numbers = {}
    for mode in modes:
        world = built(MODES[mode])
        for client in NAMES:
            world[client].send("dial", [(world.address(client, server), PORT) for server in NAMES])
        row(f"{mode}: from / to", list(NAMES), 21, 16)
        for client in NAMES:
            cells = [shown(answer, server) for server, answer in zip(NAMES, world[client].receive(), strict=True)]
            cells[NAMES.index(client)] = "."
            row(client, cells, 21, 16)
            for server, cell in zip(NAMES, cells, strict=True):
                numbers[f"{mode}_{client}_{server}".replace("-", "_")] = int(cell[0].isdigit())
                if client == "guest" and server == "neighbour":
                    numbers[f"{mode}_as_host".replace("-", "_")] = int(cell == HOST)
        print()
        world.end()
    return numbers


def forwarded(world: World, admit: str = "") -> None:
    """nat, with the host's port translated to the guest's; ``admit`` names the chain that gets an exception."""
    nat(world)
    world.host.rules(f"""
        table ip forward_port {{
          chain pre {{
            type nat hook prerouting priority dstnat;
            ip daddr {HOST} tcp dport {FORWARDED} dnat to 192.168.122.31:{PORT}
          }}
        }}""")
    world.host.rules("table ip mine { chain forward { type filter hook forward priority filter - 10; }; }")
    if admit:
        world.host.run(f"nft insert rule ip {admit} ip daddr 192.168.122.31 tcp dport {PORT} accept")


def forward() -> Numbers:
    """The forwarded port, dialled from several places."""
    ways: dict[str, Build] = {
        "nat, dnat only": forwarded,
        "nat, accept elsewhere": partial(forwarded, admit="mine forward"),
        "nat, dnat and accept": partial(forwarded, admit="libvirt_network guest_input"),
        "slirp, any address": partial(slirp, forwards=("0.0.0.0",)),
        "slirp, 127.0.0.1": partial(slirp, forwards=("127.0.0.1",)),
        "passt, any address": partial(passt, forwards=("0.0.0.0",)),
        "passt, 127.0.0.1": partial(passt, forwards=("127.0.0.1",)),
    }
    tried = [("neighbour", HOST), ("host", HOST), ("host", "127.0.0.1")]
    print("the source address that the guest sees")
    row("port 2222, dialled at", [address for _, address in tried] + [HOST], 24, 16)
    row("by", [client for client, _ in tried] + ["neighbour, waits"], 24, 16)
    numbers: Numbers = {}
    for name, build in ways.items():
        world = built(build)
        ask(world, "guest", "internet", INTERNET)  # passt learns the guest's hardware address from its first frame
        cells = [ask(world, client, "guest", address, FORWARDED) for client, address in tried]
        waits = shown(world["neighbour"].wait_for((HOST, FORWARDED)), "guest")
        row(name, [*cells, waits], 24, 16)
        key = name.replace(", ", "_").replace(" ", "_").replace(".", "_")
        for (client, address), cell in zip(tried, cells, strict=True):
            where = "_lo" if address == "127.0.0.1" else ""
            numbers[f"{key}_{client}{where}"] = int(cell[0].isdigit())
        numbers[f"{key}_source_kept"] = int(cells[0] == NEIGHBOUR)
        numbers[f"{key}_waits"] = int(waits != "-")
        world.end()
    return numbers


def walls() -> Numbers:
    """A neighbour with a route to the guests' network, and a service on the host's 127.0.0.1."""
    numbers: Numbers = {}

    def forwarding(build: Build, world: World) -> None:
        build(world)
        world.host.forward("eth0", "vboxnet0")

    ways: dict[str, tuple[Build, str]] = {
        "masquerade alone": (masqueraded, "192.168.122"),
        "nat with libvirt's filter": (nat, "192.168.122"),
        "host-only": (MODES["host-only"], "192.168.56"),
        "host-only, forwarding on": (partial(forwarding, MODES["host-only"]), "192.168.56"),
        "the same, libvirt's filter": (partial(forwarding, isolated), "192.168.56"),
    }
    print("neighbour with a route to the guest's network, and back")
    for name, (build, network) in ways.items():
        world = built(build)
        world["neighbour"].run(f"ip route add {network}.0/24 via {HOST}")
        into = ask(world, "neighbour", "guest", f"{network}.31")
        out = ask(world, "guest", "neighbour", NEIGHBOUR)  # the route serves its answers, too
        row(f"  {name}", [f"to guest: {into}", f"from guest: {out}"], 33, 26)
        key = name.replace("'", "").replace(", ", "_").replace(" ", "_").replace("-", "_")
        numbers[f"{key}_in"], numbers[f"{key}_out"] = int(into != "-"), int(out != "-")
        world.end()
    print("guest to a service on the host's 127.0.0.1")
    private: dict[str, Build] = {
        "bridge": MODES["bridge"], "nat": nat, "host-only": MODES["host-only"], "slirp": slirp,
        "slirp, disable-host-loopback": partial(slirp, options=("--disable-host-loopback",)),
        "passt": passt, "passt, no-map-gw": partial(passt, options=("--no-map-gw",)),
    }  # fmt: skip
    for name, build in private.items():
        world = built(build)
        address = world.address("guest", "host")
        cell = ask(world, "guest", "host", address, PORT + 1)
        row(f"  {name}", [f"{address}: {cell}"], 33, 26)
        numbers["lo_" + name.replace(", ", "_").replace("-", "_")] = int(cell != "-")
        world.end()
    return numbers


def lan() -> Numbers:
    """The LAN's side of the host's network cable."""
    numbers: Numbers = {}
    modes = ("bridge", "macvtap", "nat", "slirp", "passt")
    row("", list(modes), 42, 10)
    cells: dict[str, list[str]] = {"addresses": [], "heard": [], "free": [], "guarded": []}
    for mode in modes:
        world = built(MODES[mode])
        cells["free"].append("yes" if ask(world, "guest", "internet", INTERNET) != "-" else "no")
        for client in ("host", "guest2"):
            ask(world, client, "internet", INTERNET)
        learned = world["switch"].run("bridge fdb show brport port1").splitlines()
        cells["addresses"].append(str(len({line.split()[0] for line in learned if "permanent" not in line})))
        world["neighbour"].shout("eth0")
        time.sleep(0.3)
        cells["heard"].append(str(world.guest.who_shouted().count("neighbour")))
        card = world.hardware_address("eth0")
        world["switch"].rules(f"""
            table netdev guard {{
              chain in {{
                type filter hook ingress device "port1" priority 0;
                ether saddr != {card} drop
              }}
            }}""")
        cells["guarded"].append("yes" if ask(world, "guest", "internet", INTERNET) != "-" else "no")
        world.end()
    titles = {
        "addresses": "hardware addresses at the host's cable", "heard": "broadcasts of the LAN that guest hears",
        "free": "guest reaches the internet", "guarded": "... if the LAN admits one address",
    }  # fmt: skip
    for key, title in titles.items():
        row(title, cells[key], 42, 10)
        for mode, cell in zip(modes, cells[key], strict=True):
            numbers[f"{key}_{mode}"] = {"yes": 1, "no": 0}.get(cell, -1) if not cell.isdigit() else int(cell)
    calls = Path("/proc/sys/net/bridge/bridge-nf-call-iptables")
    numbers["calls"] = int(calls.read_text()) if calls.exists() else 0
    print(f"\nbridge, and the host drops what it forwards (bridge-nf-call-iptables = {numbers['calls']})")
    for key, title, exception in (
        ("dropped", "policy drop", ""), ("excepted", "policy drop, br0 to br0 accepted", 'iifname "br0" oifname "br0" accept;'),
    ):  # fmt: skip
        world = built(MODES["bridge"])
        world.host.rules(f"table ip f {{ chain c {{ type filter hook forward priority filter; policy drop; {exception} }}; }}")
        cell = ask(world, "guest", "neighbour", NEIGHBOUR)
        row(f"  {title}", [f"guest to neighbour: {cell}"], 42, 10)
        numbers[key] = int(cell != "-")
        world.end()
    return numbers


def macvlan() -> Numbers:
    """Modes of macvtap, with and without a switch that sends frames back where they came from."""
    numbers: Numbers = {}
    row("", ["guest to guest2", "guest to host"], 40, 18)
    for mode, hairpin, shim in (
        ("bridge", False, False), ("private", False, False), ("vepa", False, False), ("vepa", True, False),
        ("private", True, False), ("bridge", False, True),
    ):  # fmt: skip
        world = built(partial(macvtap, mode=mode))
        host = HOST
        if hairpin:
            world["switch"].run("ip link set port1 type bridge_slave hairpin on")
        if shim:
            host = "192.168.1.11"
            world.host.run(f"""ip link add link eth0 name shim type macvlan mode bridge
                ip link set shim up
                ip address add {host}/32 dev shim
                ip route add 192.168.1.31/32 dev shim""")
        cells = ask_all(world, "guest", [("guest2", "192.168.1.32", PORT), ("host", host, PORT)])
        extra = ", reflecting switch" if hairpin else ", host on a macvlan too" if shim else ""
        row(f"{mode}{extra}", cells, 40, 18)
        key = mode + ("_hairpin" if hairpin else "_shim" if shim else "")
        numbers[f"{key}_guest2"], numbers[f"{key}_host"] = (int(cell != "-") for cell in cells)
        world.end()
    return numbers


def main() -> None:
    """Run one experiment and print its numbers."""
    name, *words = sys.argv[1:]
    numbers = matrix(words) if name == "matrix" else globals()[name]()
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
