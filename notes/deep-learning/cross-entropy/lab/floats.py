"""Arithmetic in narrow formats: compute in double precision, then round to nearest, ties to even.

For + - * / this gives what the format's own instruction gives, since a double has more than twice
as many digits. exp and log come out as from a library that rounds them correctly.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """A binary format of IEEE 754's kind, with subnormal numbers."""

    name: str
    exponent: int
    mantissa: int

    @property
    def bias(self):
        return 2 ** (self.exponent - 1) - 1

    @property
    def largest(self):
        return (2 - 2.0**-self.mantissa) * 2.0**self.bias

    @property
    def smallest(self):
        return 2.0 ** (1 - self.bias - self.mantissa)

    def __call__(self, x):
        """The number of this format that is nearest to x; infinity beyond the largest."""
        if x == 0 or not math.isfinite(x):
            return x
        step = self.ulp(x)
        rounded = round(x / step) * step
        return rounded if abs(rounded) <= self.largest else math.copysign(math.inf, x)

    def ulp(self, x):
        """The spacing of this format's numbers at x."""
        return 2.0 ** (max(math.frexp(x)[1] - 1, 1 - self.bias) - self.mantissa)

    def exp(self, x):
        return self(math.exp(x)) if x < 700 else math.inf

    def log(self, x):
        return self(math.log(x)) if 0 < x < math.inf else (-math.inf if x == 0 else x)

    def divide(self, a, b):
        return math.nan if math.isinf(a) and math.isinf(b) else self(a / b)

    def sum(self, values):
        """One after the other, rounded after each addition."""
        total = 0.0
        for value in values:
            total = self(total + value)
        return total

    def positive(self):
        """Every positive finite number of the format; for those of 16 bits."""
        for power in range(1 - self.bias, self.bias + 1):
            low = 0 if power == 1 - self.bias else 2**self.mantissa
            for digits in range(low, 2 ** (self.mantissa + 1)):
                if digits:
                    yield digits * 2.0 ** (power - self.mantissa)


FLOAT32 = Format("float32", 8, 23)
BFLOAT16 = Format("bfloat16", 8, 7)
FLOAT16 = Format("float16", 5, 10)
FORMATS = (FLOAT32, BFLOAT16, FLOAT16)


def naive(f, logits, target):
    """-log(softmax): exponentials as they are, a division, a logarithm."""
    powers = [f.exp(x) for x in logits]
    return -f.log(f.divide(powers[target], f.sum(powers)))


def shifted(f, logits, target, epsilon=0.0):
    """The same after subtracting the largest logit; epsilon is added to the probability."""
    most = max(logits)
    powers = [f.exp(f(x - most)) for x in logits]
    return -f.log(f(f.divide(powers[target], f.sum(powers)) + f(epsilon)))


def fused(f, logits, target):
    """log-sum-exp: the logarithm of the sum, and no probability on the way."""
    most = max(logits)
    total = f.sum(f.exp(f(x - most)) for x in logits)
    return f(f.log(total) - f(logits[target] - most))


def fused_back(f, logits, target):
    """log-sum-exp with the largest logit added again before the target's is subtracted."""
    most = max(logits)
    total = f.sum(f.exp(f(x - most)) for x in logits)
    return f(f(most + f.log(total)) - logits[target])


def precise(f, logits, target):
    """log-sum-exp by log1p: the largest term, which is 1, is left out of the sum."""
    place = logits.index(max(logits))
    most = logits[place]
    rest = f.sum(f.exp(f(x - most)) for i, x in enumerate(logits) if i != place)
    return f(f(math.log1p(rest)) - f(logits[target] - most))


def exact(logits, target):
    """In double precision, for comparison."""
    place = logits.index(max(logits))
    most = logits[place]
    rest = math.fsum(math.exp(x - most) for i, x in enumerate(logits) if i != place)
    return math.log1p(rest) + (most - logits[target])
