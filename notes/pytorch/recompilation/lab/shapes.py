import torch


@torch.compile(backend="eager")
def f(x):
    return (x * 2).sum()


for n in (4, 5, 6, 1):
    f(torch.ones(n))
