"""Counts of the note: bytes of quantised weights, and what a step of decoding gains at most.

Nothing is measured in time. Bytes are those of real packed buffers or follow from the shapes of a model.

usage: sizes.py pack | models | steps
"""

import json
import random
import struct
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Scheme:
    """Integers of ``bits`` bits; for each ``group`` of them a scale and perhaps a zero point, in bits."""

    bits: int
    group: int
    scale: int = 16
    zero: int = 0

    @property
    def effective(self):
        """Bits per weight, with its share of scale and zero point."""
        return self.bits + (self.scale + self.zero) / self.group


SCHEMES = {
    "int8, one per row of 4096": Scheme(8, 4096),
    "int8, 32": Scheme(8, 32),
    "int4, 128": Scheme(4, 128),
    "int4, 128, zero point": Scheme(4, 128, zero=4),
    "int4, 32": Scheme(4, 32),
    "int4, 32, minimum": Scheme(4, 32, zero=16),
    "fp4, 32, 8-bit scale": Scheme(4, 32, scale=8),
    "fp4, 16, 8-bit scale": Scheme(4, 16, scale=8),
}
NAMES = ["row", "q8_0", "g128", "g128_zero", "q4_0", "q4_1", "mxfp4", "nvfp4"]


def packed(scheme, weights):
    """Bytes of a buffer into which ``weights`` random codes and their scales were packed."""
    generator = random.Random(1)
    buffer = bytearray()
    zeros = []
    for start in range(0, weights, scheme.group):
        codes = [generator.randrange(1 << scheme.bits) for _ in range(start, start + scheme.group)]
        buffer += struct.pack("<e", 0.5) if scheme.scale == 16 else bytes([127])
        if scheme.zero == 16:
            buffer += struct.pack("<e", -1.0)
        elif scheme.zero:
            zeros.append(generator.randrange(1 << scheme.zero))
        buffer += bytes(codes) if scheme.bits == 8 else nibbles(codes)
    return bytes(buffer + nibbles(zeros))


def nibbles(codes):
    """Two codes of 4 bits in each byte."""
    return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))


def pack():
    weights = 64 * 4096
    print(f"{'scheme':28}{'bytes':>9}{'bits per weight':>17}{'of 16 bits':>12}")
    result = {"different": 0, "nominal_different": 0}
    for name, (words, scheme) in zip(NAMES, SCHEMES.items(), strict=True):
        size = len(packed(scheme, weights))
        bits = 8 * size / weights
        result[name] = bits
        result["different"] += bits != scheme.effective
        result["nominal_different"] += bits != scheme.bits
        print(f"{words:28}{size:9}{bits:17.4f}{16 / bits:11.2f}x")
    return result


@dataclass(frozen=True)
class Model:
    """A decoder with grouped-query attention and a gated feed-forward part."""

    layers: int
    hidden: int
    kv: int
    inner: int
    words: int
    tied: bool = False

    @property
    def matrices(self):
        """Weights of all layers' matrices, which are quantised."""
        attention = 2 * self.hidden * self.hidden + 2 * self.hidden * self.kv
        return self.layers * (attention + 3 * self.hidden * self.inner)

    @property
    def table(self):
        """Weights of the embedding; the output matrix has as many."""
        return self.words * self.hidden

    @property
    def norms(self):
        return (2 * self.layers + 1) * self.hidden

    def size(self, bits, tables):
        """Bytes with the matrices in ``bits`` and everything else in 16 bits."""
        return self.matrices * bits / 8 + 2 * (tables * self.table + self.norms)


LARGE = Model(layers=80, hidden=8192, kv=1024, inner=28672, words=128256)
MIDDLE = Model(layers=32, hidden=4096, kv=1024, inner=14336, words=128256)
SMALL = Model(layers=16, hidden=2048, kv=512, inner=8192, words=128256, tied=True)


def models():
    bits = Scheme(4, 128).effective
    result = {}
    print("4 bits, groups of 128 with 16-bit scales; embedding, output and norms in 16 bits")
    print(
        f"{'model':8}{'16 bits':>11}{'4 bits':>11}{'ratio':>8}{'left in 16 bits':>17}{'bits per weight':>17}"
    )
    for name, model in (("1b", SMALL), ("8b", MIDDLE), ("70b", LARGE)):
        tables = 1 if model.tied else 2
        full, small = model.size(16, tables), model.size(bits, tables)
        kept = small - model.matrices * bits / 8
        weights = full / 2
        result |= {
            f"full_{name}": full,
            f"small_{name}": small,
            f"ratio_{name}": full / small,
            f"kept_{name}": kept / small,
            f"kept_full_{name}": kept / full,
            f"average_{name}": 8 * small / weights,
            f"matrices_{name}": model.matrices,
            f"matrices_ratio_{name}": 16 / bits,
        }
        print(
            f"{name:8}{full / 1e9:8.2f} GB{small / 1e9:8.2f} GB{full / small:7.2f}x{kept / small:17.1%}{8 * small / weights:17.2f}"
        )
    result["untied_1b"] = SMALL.size(bits, 2)
    result["whole_1b"] = SMALL.size(bits, 0) + SMALL.table * bits / 8
    return result


BANDWIDTH = 3350e9  # NVIDIA's figures for the H100 SXM, as in the facts of this project
HALF, EIGHT = 989.4e12, 1978.9e12


def step(batch, bits, rate):
    """Least time for one token of each of ``batch`` requests, without attention: s."""
    layers = max(MIDDLE.matrices * bits / 8 / BANDWIDTH, 2 * batch * MIDDLE.matrices / rate)
    head = max(MIDDLE.table * 2 / BANDWIDTH, 2 * batch * MIDDLE.table / HALF)
    return layers + head


def steps():
    four, eight = Scheme(4, 128).effective, Scheme(8, 4096).effective
    result = {
        "even_half": HALF * 2 / (2 * BANDWIDTH),
        "even_four": HALF * four / 8 / (2 * BANDWIDTH),
        "even_eight": EIGHT * eight / 8 / (2 * BANDWIDTH),
    }
    print("Llama 3.1 8B on an H100, weights alone: how many times faster than 16 bits at most")
    print(
        f"{'tokens in a step':>17}{'4-bit weights':>15}{'8-bit weights':>15}{'both in 8 bits':>16}"
    )
    for batch in (1, 16, 64, 128, 256, 512, 2048):
        half = step(batch, 16, HALF)
        gains = (
            half / step(batch, four, HALF),
            half / step(batch, eight, HALF),
            half / step(batch, eight, EIGHT),
        )
        result |= {
            f"{name}_{batch}": gain
            for name, gain in zip(("four", "weights", "both"), gains, strict=True)
        }
        print(f"{batch:17}{gains[0]:14.2f}x{gains[1]:14.2f}x{gains[2]:15.2f}x")
    return result


if __name__ == "__main__":
    print(json.dumps({"pack": pack, "models": models, "steps": steps}[sys.argv[1]]()))
