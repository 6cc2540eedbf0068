"""A model of a backward pass with all-reduces beside it, and what of them sticks out.

The backward pass computes layer after layer. A bucket is sent when its layers are done and the
bucket before it has arrived: one at a time, in order. Sending slows nothing down. Times are in ms.
"""

import json
import random

LAYERS, LAYER, START = 24, 4, 0.5
BACKWARD = LAYERS * LAYER


def end(ready, sending):
    """When the last all-reduce is done, played through."""
    now = 0
    for at, long in zip(ready, sending):
        now = max(now, at) + long
    return now


def formula(ready, sending):
    """The same as a bound: from each bucket on, everything has to be sent after it is ready."""
    return max(at + sum(sending[k:]) for k, at in enumerate(ready))


def equal_buckets(size, per_layer):
    ready = [LAYER * size * (k + 1) for k in range(LAYERS // size)]
    return ready, [START + per_layer * size] * len(ready)


def main():
    source = random.Random(1)
    agree = plain = tried = 0
    for _ in range(1000):
        number = source.randint(1, 12)
        ready = sorted(source.randint(1, 100) for _ in range(number))
        sending = [source.randint(1, 30) for _ in range(number)]
        tried += 1
        agree += end(ready, sending) == formula(ready, sending)
        plain += end(ready, sending) == max(ready[-1], sum(sending))
    result = {"tried": tried, "agree": agree, "plain": plain}
    rates = {"half": 2, "same": 4, "twice": 8}
    print(f"backward {BACKWARD} ms; all-reduces 48, 96 or 192 ms in all, and {START} ms each to start")
    print("exposed after the backward pass")
    print("layers in a bucket  buckets    48 ms    96 ms   192 ms")
    for size in (1, 2, 3, 4, 6, 8, 12, 24):
        exposed = {
            name: end(*equal_buckets(size, rate)) - BACKWARD for name, rate in rates.items()
        }
        result |= {f"{name}_{size}": value for name, value in exposed.items()}
        numbers = " ".join(f"{value:8.1f}" for value in exposed.values())
        print(f"{size:>18}  {LAYERS // size:>7} {numbers}")
    print(f"max over k of ready(k) + rest(k) is right in {agree} of {tried} random cases")
    print(f"max(backward, all-reduces) is right in {plain}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
