"""Narrow number formats in software: what each can represent, and rounding to the nearest of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Format:
    """A sign bit, `exponent` bits with a bias, `mantissa` bits below the leading one."""

    name: str
    exponent: int
    mantissa: int
    specials: str  # codes lost to infinity and NaN: "ieee" a whole exponent, "one" a code, "none"

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.mantissa

    @property
    def bias(self) -> int:
        return int(2 ** (self.exponent - 1)) - 1

    @property
    def smallest_normal(self) -> float:
        return 2.0 ** (1 - self.bias)

    @property
    def smallest(self) -> float:
        return self.smallest_normal * 2.0**-self.mantissa

    @property
    def epsilon(self) -> float:
        return 2.0**-self.mantissa

    @property
    def largest(self) -> float:
        top = int(2**self.exponent) - 1 - self.bias - (self.specials == "ieee")
        return 2.0**top * (2 - self.epsilon * (2 if self.specials == "one" else 1))

    def rounded(self, x: Numbers) -> Numbers:
        """The nearest number of the format, ties to even; what is too large becomes the largest."""
        exponent = np.maximum(np.frexp(x)[1] - 1, 1 - self.bias)
        step = np.ldexp(1.0, exponent - self.mantissa)
        return np.clip(np.rint(x / step) * step, -self.largest, self.largest)

    def decoded(self, codes: npt.NDArray[np.uint8]) -> Numbers:
        """The numbers that codes of the format stand for, in magnitude and sign."""
        sign = np.where(codes >> (self.bits - 1) & 1, -1.0, 1.0)
        exponent = (codes >> self.mantissa & (2**self.exponent - 1)).astype(int)
        fraction = (codes & (2**self.mantissa - 1)) * self.epsilon
        power = np.ldexp(1.0, np.maximum(exponent, 1) - self.bias)
        return np.asarray(sign * power * (fraction + (exponent > 0)))


FP32 = Format("FP32", 8, 23, "ieee")
TF32 = Format("TF32", 8, 10, "ieee")
BF16 = Format("BF16", 8, 7, "ieee")
FP16 = Format("FP16", 5, 10, "ieee")
E5M2 = Format("E5M2", 5, 2, "ieee")
E4M3 = Format("E4M3", 4, 3, "one")
E3M2 = Format("E3M2", 3, 2, "none")
E2M3 = Format("E2M3", 2, 3, "none")
E2M1 = Format("E2M1", 2, 1, "none")
ALL = (FP32, TF32, BF16, FP16, E5M2, E4M3, E3M2, E2M3, E2M1)


def truncated_tf32(x: Numbers) -> Numbers:
    """What is left of a float if its lower 13 bits are dropped."""
    bits = x.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)
