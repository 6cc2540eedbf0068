"""The gradients of versions.py that are computed without an error, as JSON: 8 is right."""

import json

from versions import inside_checkpoint, through_data, w, with_hooks


def untouched():
    h = w * 2
    return h * h


result = {}
for case in (untouched, through_data, with_hooks, inside_checkpoint):
    w.grad = None
    case().sum().backward()
    result[case.__name__] = w.grad[0].item()
print(json.dumps(result))
