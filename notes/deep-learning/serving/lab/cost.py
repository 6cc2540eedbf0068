"""What one step of a decoder costs at least: the roofline of a GPU, and the shapes of a model.

Nothing here is measured. A step takes the longer of two times: its operations at the peak rate, or
its bytes at the full bandwidth. Real kernels reach neither, so every time is a lower bound.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    """A decoder with grouped-query attention and a gated feed-forward part, in 16 bits."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    inner: int
    words: int
    bytes_each: int = 2

    @property
    def head_size(self):
        return self.hidden // self.heads

    @property
    def layer(self):
        """Parameters of one layer's matrices."""
        attention = 2 * self.hidden * self.hidden + 2 * self.hidden * self.kv_heads * self.head_size
        return attention + 3 * self.hidden * self.inner

    @property
    def output(self):
        """Parameters of the matrix that gives the scores of all words."""
        return self.hidden * self.words

    @property
    def parameters(self):
        """All parameters: with the table of embeddings and the weights of the normalisations."""
        norms = (2 * self.layers + 1) * self.hidden
        return self.layers * self.layer + 2 * self.output + norms

    @property
    def kv(self):
        """Bytes that one token keeps: a key and a value for each layer and KV head."""
        return 2 * self.layers * self.kv_heads * self.head_size * self.bytes_each


LLAMA_8B = Model(layers=32, hidden=4096, heads=32, kv_heads=8, inner=14336, words=128256)
LLAMA_70B = Model(layers=80, hidden=8192, heads=64, kv_heads=8, inner=28672, words=128256)


@dataclass(frozen=True)
class Gpu:
    """A peak rate in FLOP/s and a bandwidth in B/s."""

    peak: float
    bandwidth: float


def step(model, gpu, work):
    """Least time of one step in seconds.

    ``work`` has three numbers for each request: tokens computed in this step, tokens that lie in the
    cache already, and tokens whose next word is wanted.
    """
    new = sum(n for n, _, _ in work)
    wanted = sum(w for _, _, w in work)
    pairs = sum(n * before + n * (n + 1) // 2 for n, before, _ in work)
    held = sum(n + before for n, before, _ in work)
    operations = 2 * model.layers * model.layer * new + 2 * model.output * wanted
    operations += 4 * model.layers * model.hidden * pairs
    weights = model.layers * model.layer + model.output
    moved = model.bytes_each * weights + model.kv * held
    return max(operations / gpu.peak, moved / gpu.bandwidth)
