"""A language model of GPT's kind, and its loss in the ways that the lab compares."""

import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Model(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, length):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def features(self, tokens, checkpointed=False):
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if checkpointed else block(x)
        return self.norm(x)

    def loss(self, tokens, targets, checkpointed=False, pieces=0):
        """The mean loss; with ``pieces``, logits of that many parts come one after another and again backward."""
        x = self.features(tokens, checkpointed)
        if not pieces:
            return self.of_rows(x.flatten(0, 1), targets.flatten())
        rows = zip(x.flatten(0, 1).chunk(pieces), targets.flatten().chunk(pieces), strict=True)
        return sum(checkpoint(self.of_rows, *each, use_reentrant=False) for each in rows) / pieces

    def of_rows(self, x, targets):
        return F.cross_entropy(self.head(x).float(), targets)
