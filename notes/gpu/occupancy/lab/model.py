"""How many warps a multiprocessor holds, by a formula of a few lines, held against NVIDIA's header.

    python3 model.py    examples for compute capability 9.0, then JSON

`./oracle` prints what the header says for each point of a grid.
"""

import json
import subprocess

# By compute capability: warps, blocks and bytes of shared memory of a multiprocessor, bytes that
# each block has reserved, and the unit in which shared memory is given out.
CHIPS = {
    "7.0": (64, 32, 98304, 0, 256),
    "7.5": (32, 16, 65536, 0, 256),
    "8.0": (64, 32, 167936, 1024, 128),
    "8.6": (48, 16, 102400, 1024, 128),
    "8.9": (48, 24, 102400, 1024, 128),
    "9.0": (64, 32, 233472, 1024, 128),
    "10.0": (64, 32, 233472, 1024, 128),
    "12.0": (48, 24, 102400, 1024, 128),
}
REGISTERS, PARTS, UNIT = 65536, 4, 256  # of a multiprocessor; it has four parts; given out in units


def up(number, unit):
    return -(-number // unit) * unit


def limits(chip, threads, registers, shared, unit=UNIT):
    """Blocks that fit, by each limit."""
    warps, blocks, memory, reserved, grain = CHIPS[chip]
    of_block = -(-threads // 32)
    by_warp = up(registers * 32, unit)  # registers that one warp occupies
    in_part = REGISTERS // PARTS // by_warp  # warps of which the registers fit in one part
    found = {
        "blocks": blocks,
        "warps": warps // of_block,
        "registers": in_part * PARTS // of_block,
        "shared memory": blocks,
    }
    if up(of_block, PARTS) * by_warp > REGISTERS:
        found["registers"] = 0
    if shared + reserved:
        found["shared memory"] = memory // up(shared + reserved, grain)
    return found


def occupancy(chip, threads, registers, shared):
    """The share of the warps that a multiprocessor can hold, and what limits it."""
    found = limits(chip, threads, registers, shared)
    least = min(found.values())
    limiters = [name for name, blocks in found.items() if blocks == least]
    return least * -(-threads // 32) / CHIPS[chip][0], limiters


def main():
    points = differ = unrounded = 0
    header = subprocess.run(["./oracle"], capture_output=True, text=True, check=True)
    for line in header.stdout.splitlines():
        chip, *rest = line.split()
        threads, registers, shared, blocks = map(int, rest)
        points += 1
        differ += min(limits(chip, threads, registers, shared).values()) != blocks
        unrounded += min(limits(chip, threads, registers, shared, unit=1).values()) != blocks
    result = {"points": points, "differ": differ, "unrounded": unrounded}
    # The two examples that NVIDIA's guide works out for compute capability 7.0.
    result["guide_128"] = occupancy("7.0", 128, 37, 0)[0]
    result["guide_320"] = occupancy("7.0", 320, 37, 0)[0]
    # Little's law for one scheduler that issues an instruction a cycle: as many warps as cycles.
    cycles, schedulers = 4, PARTS
    result["hides_arithmetic"] = cycles * schedulers / CHIPS["7.0"][0]
    print("threads registers  shared  occupancy  limited by")
    for threads, registers, shared in (
        (256, 32, 0), (256, 64, 0), (256, 65, 0), (256, 128, 0), (256, 255, 0),
        (32, 32, 0), (1024, 40, 0), (768, 40, 0), (128, 40, 49152),
    ):  # fmt: skip
        share, limiters = occupancy("9.0", threads, registers, shared)
        print(f"{threads:>7} {registers:>9} {shared:>7} {100 * share:>8.4g} %  {', '.join(limiters)}")
        result[f"t{threads}_r{registers}_s{shared}"] = share
    print(json.dumps(result))


main()
