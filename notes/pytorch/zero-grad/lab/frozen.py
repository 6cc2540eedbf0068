"""A parameter that is frozen with requires_grad_(False) while the optimizer still holds it."""

import torch

for none in (True, False):
    w, v = (torch.nn.Parameter(torch.ones(1)) for _ in range(2))
    opt = torch.optim.AdamW([w, v], lr=0.1)
    for step in range(4):
        opt.zero_grad(set_to_none=none)
        if step == 2:
            w.requires_grad_(False)
            frozen_at = w.item()
        (w * v).sum().backward()
        opt.step()
    print("None" if none else "zero", f"frozen at {frozen_at:.4f}, two steps later {w.item():.4f}")
