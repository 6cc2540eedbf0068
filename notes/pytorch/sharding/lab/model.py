"""A small language model: an embedding, eight blocks, and the layer that predicts the next token."""

import torch
import torch.nn.functional as F
from torch import nn

WORDS, WIDTH, BLOCKS = 2048, 256, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(BLOCKS)])
        self.head = nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def made():
    """The same model in each process."""
    torch.manual_seed(0)
    return Model()


def batch(rank, step=0, length=8):
    """Tokens of this process, and those that they are to predict."""
    torch.manual_seed(100 + 10 * step + rank)
    tokens = torch.randint(0, WORDS, (1, length + 1))
    return tokens[:, :-1], tokens[:, 1:]


def loss_of(model, tokens, targets):
    return F.cross_entropy(model(tokens).flatten(0, 1).float(), targets.flatten())


def bytes_of(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())
