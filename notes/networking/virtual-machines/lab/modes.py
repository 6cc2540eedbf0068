"""The ways to connect a virtual machine, each built of bridges, routes, rules and programs.

    internet 203.0.113.9 --- router 203.0.113.1 | 192.168.1.1 --- LAN --- neighbour 192.168.1.20
                                                                   |
                                                      host 192.168.1.10 --- guest, guest2
"""

from __future__ import annotations

import json
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from machines import PORT, Machine, cable

HOST, NEIGHBOUR, ROUTER, INTERNET = "192.168.1.10", "192.168.1.20", "192.168.1.1", "203.0.113.9"
NAMES = ("guest", "guest2", "host", "neighbour", "internet")
FORWARDED = 2222  # the host's port that leads to the guest's service

MASQUERADE = """
table ip NAME {
  chain post {
    type nat hook postrouting priority srcnat;
    ip saddr INSIDE ip daddr != INSIDE masquerade
  }
}
"""


class World:
    """Five machines, a switch and a router. ``dial`` says under which address a client has to look for a server."""

    def __init__(self) -> None:
        self.machines = {name: Machine(name) for name in (*NAMES, "switch", "router")}
        self.guest, self.guest2, self.host = (self[name] for name in NAMES[:3])
        self.folder = Path(tempfile.mkdtemp())
        self.addresses = {"host": HOST, "neighbour": NEIGHBOUR, "internet": INTERNET}
        switch, router, neighbour, internet = self["switch"], self["router"], self["neighbour"], self["internet"]
        switch.run("ip link add lan type bridge\nip link set lan up")
        for machine, device, port in ((self.host, "eth0", "port1"), (neighbour, "eth0", "port2"), (router, "lan", "port3")):
            cable(machine, device, switch, port)
            switch.run(f"ip link set {port} master lan")
        router.run("ip address add 192.168.1.1/24 dev lan")
        cable(internet, "eth0", router, "wan")
        router.run("ip address add 203.0.113.1/24 dev wan")
        internet.run(f"ip address add {INTERNET}/24 dev eth0")
        neighbour.run(f"ip address add {NEIGHBOUR}/24 dev eth0\nip route add default via {ROUTER}")
        router.forward("lan", "wan")
        # A home router: addresses of the LAN are hidden behind its own, and nothing new comes in from outside.
        router.rules(MASQUERADE.replace("NAME", "home").replace("INSIDE", "192.168.1.0/24") + """
            table ip wall {
              chain forward {
                type filter hook forward priority filter;
                ct state established,related accept
                iifname "wan" reject
              }
            }""")

    def __getitem__(self, name: str) -> Machine:
        return self.machines[name]

    def host_on(self, device: str) -> None:
        """The host's address on the LAN lies on this device."""
        self.host.run(f"ip address add {HOST}/24 dev {device}\nip route add default via {ROUTER}")

    def guests_on(self, bridge: str, network: str, gateway: str = "") -> None:
        """Plug both guests into a bridge of the host; their addresses end in .31 and .32."""
        for name, last in (("guest", 31), ("guest2", 32)):
            cable(self[name], "eth0", self.host, f"tap-{name}")
            self.host.run(f"ip link set tap-{name} master {bridge}")
            self.give(name, f"{network}.{last}", gateway)

    def give(self, name: str, address: str, gateway: str = "") -> None:
        """Give a guest its address and its default route."""
        self[name].run(f"ip address add {address}/24 dev eth0")
        if gateway:
            self[name].run(f"ip route add default via {gateway}")
        self.addresses[name] = address

    def bridge(self, name: str, address: str = "") -> None:
        """A bridge in the host, with an address of the host or without."""
        self.host.run(f"ip link add {name} type bridge\nip link set {name} up")
        if address:
            self.host.run(f"ip address add {address}/24 dev {name}")

    def hardware_address(self, device: str) -> str:
        """The hardware address of a device of the host."""
        return self.host.run(f"ip -o link show {device}").split("link/ether ")[1].split()[0]

    def address(self, client: str, server: str) -> str:
        """What the client dials to reach the server."""
        return self.addresses.get(f"{client}>{server}", self.addresses[server])

    def serve(self) -> None:
        """Start the services; the host has one more on 127.0.0.1 only."""
        for name in NAMES:
            self[name].listen("0.0.0.0", PORT)
            self[name].ear()
        self.host.listen("127.0.0.1", PORT + 1)

    def end(self) -> None:
        """End all machines."""
        for machine in self.machines.values():
            machine.end()


def bridged(world: World) -> None:
    """The host's network card and the guests are ports of one bridge; the host's address lies on the bridge."""
    world.bridge("br0")
    card = world.hardware_address("eth0")
    world.host.run(f"ip link set br0 address {card}\nip link set eth0 master br0")
    world.host_on("br0")
    world.guests_on("br0", "192.168.1", ROUTER)


def masqueraded(world: World) -> None:
    """Address translation and nothing else: forwarding, and one rule that changes the source."""
    world.host_on("eth0")
    world.bridge("virbr0", "192.168.122.1")
    world.guests_on("virbr0", "192.168.122", "192.168.122.1")
    world.host.forward("eth0", "virbr0")
    world.host.rules(MASQUERADE.replace("NAME", "nat").replace("INSIDE", "192.168.122.0/24"))
    world.addresses |= {"guest>host": "192.168.122.1", "guest2>host": "192.168.122.1"}


def nat(world: World) -> None:
    """The same with the filter that libvirt adds for a network of mode nat."""
    masqueraded(world)
    world.host.rules("""
        table ip libvirt_network {
          chain guest_cross {
            iifname "virbr0" oifname "virbr0" accept
          }
          chain guest_input {
            oifname "virbr0" ip daddr 192.168.122.0/24 ct state related,established accept
            oifname "virbr0" reject
          }
          chain guest_output {
            iifname "virbr0" ip saddr 192.168.122.0/24 accept
            iifname "virbr0" reject
          }
          chain forward {
            type filter hook forward priority filter;
            jump guest_cross
            jump guest_input
            jump guest_output
          }
        }""")


def host_only(world: World) -> None:
    """A bridge with an address of the host, and no forwarding."""
    world.host_on("eth0")
    world.bridge("vboxnet0", "192.168.56.1")
    world.guests_on("vboxnet0", "192.168.56", "192.168.56.1")
    world.addresses |= {"guest>host": "192.168.56.1", "guest2>host": "192.168.56.1"}


def isolated(world: World) -> None:
    """host_only with the filter that libvirt adds for a network without `<forward>`."""
    host_only(world)
    world.host.rules("""
        table ip libvirt_network {
          chain forward {
            type filter hook forward priority filter;
            iifname "vboxnet0" oifname "vboxnet0" accept
            oifname "vboxnet0" reject
            iifname "vboxnet0" reject
          }
        }""")


def internal(world: World) -> None:
    """A bridge on which the host has no address."""
    world.host_on("eth0")
    world.bridge("intnet")
    world.guests_on("intnet", "192.168.57", "")


def macvtap(world: World, mode: str = "bridge") -> None:
    """Each guest has a device on top of the host's network card (macvlan; macvtap is the same with a file for QEMU)."""
    world.host_on("eth0")
    for name, last in (("guest", 31), ("guest2", 32)):
        world.host.run(f"ip link add link eth0 name mv-{name} type macvlan mode {mode}")
        world.host.run(f"ip link set mv-{name} netns {world[name].pid} name eth0")
        world[name].run("ip link set eth0 up")
        world.give(name, f"192.168.1.{last}", ROUTER)


def _user(world: World, start: Callable[[str, str], None], kind: str) -> None:
    """A program of its own for each guest; frames go to it over a socket."""
    for name in ("guest", "guest2"):
        path = str(world.folder / f"{name}.socket")
        start(name, path)
        for _ in range(500):
            if Path(path).exists():
                break
            time.sleep(0.01)
        else:
            raise RuntimeError(f"no {path}")
        guest = world[name]
        guest.run("ip link add eth0 type veth peer name qemu\nip link set eth0 up\nip link set qemu up")
        guest.no_offload("eth0")
        time.sleep(0.1)
        guest.plug("qemu", path, kind)


def slirp(world: World, forwards: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> None:
    """libslirp, the library behind QEMU's `-netdev user`, here in slirp4netns: connections of the guest become the host's."""
    world.host_on("eth0")

    def start(name: str, path: str) -> None:
        world.host.start("slirp4netns", "--target-type=bess", *options, f"--api-socket={path}.api", path)

    _user(world, start, "message")
    for name in ("guest", "guest2"):
        world.give(name, "10.0.2.15", "10.0.2.2")
    world.addresses |= {"guest>host": "10.0.2.2", "guest2>host": "10.0.2.2"}
    for address in forwards:
        order = {"execute": "add_hostfwd", "arguments": {
            "proto": "tcp", "host_addr": address, "host_port": FORWARDED, "guest_addr": "10.0.2.15", "guest_port": PORT,
        }}  # fmt: skip
        with socket.socket(socket.AF_UNIX) as api:
            api.connect(str(world.folder / "guest.socket.api"))
            api.sendall(json.dumps(order).encode())
            api.shutdown(socket.SHUT_WR)
            if "error" in (answer := json.loads(api.recv(1000))):
                raise RuntimeError(answer)


def passt(world: World, forwards: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> None:
    """passt, also QEMU's and libvirt's: no network of its own; the guest gets the host's address."""
    world.host_on("eth0")

    def start(name: str, path: str) -> None:
        ports = [word for address in forwards if name == "guest" for word in ("-t", f"{address}/{FORWARDED}:{PORT}")]
        world.host.start("passt", "-f", "-q", "-4", "-s", path, *(ports or ["-t", "none"]), "-u", "none", *options)

    _user(world, start, "stream")
    for name in ("guest", "guest2"):
        world.give(name, HOST, ROUTER)
    world.addresses |= {"guest>host": ROUTER, "guest2>host": ROUTER}


MODES = {
    "bridge": bridged, "macvtap": macvtap, "nat": nat, "slirp": slirp, "passt": passt,
    "host-only": host_only, "internal": internal,
}  # fmt: skip
