"""Which expressions need values: on fake tensors, which have none, those raise."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

cases = {
    "x.sum().item()":                      lambda x, m, i: x.sum().item(),
    "if x.isnan().any(): ...":             lambda x, m, i: bool(x.isnan().any()),
    "x.tolist()":                          lambda x, m, i: x.tolist(),
    "x[:m.sum()]":                         lambda x, m, i: x[:m.sum()],
    "torch.full((3,), x.sum())":           lambda x, m, i: torch.full((3,), x.sum()),
    "torch.equal(x, x)":                   lambda x, m, i: torch.equal(x, x),
    "one_hot(i)":                          lambda x, m, i: torch.nn.functional.one_hot(i),
    "one_hot(i, num_classes=8)":           lambda x, m, i: torch.nn.functional.one_hot(i, 8),
    "x[m]":                                lambda x, m, i: x[m],
    "x[i]":                                lambda x, m, i: x[i],
    "x.nonzero()":                         lambda x, m, i: x.nonzero(),
    "torch.nonzero_static(x, size=8)":     lambda x, m, i: torch.nonzero_static(x, size=8),
    "x.unique()":                          lambda x, m, i: x.unique(),
    "x.repeat_interleave(i)":              lambda x, m, i: x.repeat_interleave(i),
    "x.repeat_interleave(i, output_size=8)":
        lambda x, m, i: x.repeat_interleave(i, output_size=8),
    "torch.where(m, x, 0.0)":              lambda x, m, i: torch.where(m, x, 0.0),
    "x[m] = 0.0":                          lambda x, m, i: x.__setitem__(m, 0.0),
    "x[m] = x.max()":                      lambda x, m, i: x.__setitem__(m, x.max()),
}
for source, expression in cases.items():
    with FakeTensorMode():                 # tensors with shapes but without values
        x = torch.empty(8)
        m = torch.empty(8, dtype=torch.bool)
        i = torch.empty(8, dtype=torch.int64)
        try:
            expression(x, m, i)
            verdict = "-"
        except Exception as error:
            verdict = f"{type(error).__name__}: {error}"
    print(f"{source:37} {verdict}")
