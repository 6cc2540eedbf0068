import logging
import time

log = logging.getLogger("orders")


def price(line):
    log.debug(f"{line}")
    return float(line.split()[1])


def total(lines):
    return sum(price(line) for line in lines)


def depth(tree):
    return 1 + max((depth(part) for part in tree), default=0)


def fetch():
    time.sleep(0.2)
    return [f"item{i} {i}.50" for i in range(100_000)]


lines = fetch()
total(lines)
depth([[[[]] * 10] * 10] * 10)
