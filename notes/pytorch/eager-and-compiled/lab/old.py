import torch

torch.jit.script(torch.nn.ReLU())
torch.jit.trace(torch.nn.ReLU(), torch.ones(1))
