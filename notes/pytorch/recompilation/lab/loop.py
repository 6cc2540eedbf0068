import torch


@torch.compile(backend="eager")
def loop(x):
    for _ in range(4):
        x = x.relu()
        print(end="")
    return x


loop(torch.ones(4))
