"""A reference to a gradient that was taken before zero_grad, and code that finds None."""

import torch

p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
for none in (True, False):
    p.grad = None
    (p * 2).sum().backward()
    kept = p.grad                         # a reference taken before zero_grad
    opt.zero_grad(set_to_none=none)
    (p * 5).sum().backward()
    print("None" if none else "zero", "kept", kept.tolist(), "p.grad", p.grad.tolist())

opt.zero_grad()
print(torch.nn.utils.clip_grad_norm_([p], 1.0))
try:
    print(p.grad.norm())
except AttributeError as error:
    print("AttributeError:", error)
