"""Two models to count: ResNet-50, and a layer of a GPT with every tensor that it makes."""

import torch
import torch.nn.functional as F
from torch import nn


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3, 1 x 1; the stride stands in the first convolution (as published) or in the second."""

    def __init__(self, channels, width, stride, stride_in_second):
        super().__init__()
        first, second = (1, stride) if stride_in_second else (stride, 1)
        out = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(channels, width, 1, first, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, second, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, out, 1, bias=False),
            nn.BatchNorm2d(out),
        )
        self.skip = nn.Identity()
        if stride != 1 or channels != out:
            self.skip = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        return F.relu(self.body(x) + self.skip(x))


def resnet50(stride_in_second):
    blocks, channels = [], 64
    for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for index in range(count):
            blocks.append(Bottleneck(channels, width, stride if index == 0 else 1, stride_in_second))
            channels = 4 * width
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
        *blocks,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(channels, 1000),
    )


class Layer(nn.Module):
    """A layer of a GPT: attention and feed-forward part, each behind a normalisation.

    With `fused`, one operator does the attention. Without, the scores exist as a tensor, and dropout
    makes a mask of one byte per element, as PyTorch does on a GPU.
    """

    def __init__(self, hidden, heads, dropout=0.1, fused=False):
        super().__init__()
        self.heads, self.dropout, self.fused = heads, dropout, fused
        self.before_attention, self.before_feed_forward = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.projection = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def drop(self, x):
        return torch.native_dropout(x, self.dropout, True)[0] if self.dropout else x

    def attend(self, x):
        batch, length, hidden = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, hidden // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        if self.fused:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q / q.shape[-1] ** 0.5) @ k.transpose(-1, -2)
            mixed = self.drop(scores.softmax(-1)) @ v
        return self.projection(mixed.transpose(1, 2).reshape(batch, length, hidden))

    def forward(self, x):
        x = x + self.drop(self.attend(self.before_attention(x)))
        return x + self.drop(self.down(F.gelu(self.up(self.before_feed_forward(x)))))
