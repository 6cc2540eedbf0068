"""What TensorIterator makes of operands before its loop runs, as a table; the last line is JSON.

loop     sizes of the loop, the innermost dimension first
strides  of result, first and second operand in that loop, in elements
result   strides of the tensor that the operator returns
"""

import json
import sys

import torch
from torch._tensor_iterator import binary_op, reduce_op


def elementwise():
    x, y = torch.rand(4, 6), torch.rand(4, 6)
    x_t, y_t = torch.rand(6, 4).t(), torch.rand(6, 4).t()
    nchw = torch.rand(2, 3, 4, 5)
    nhwc = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)
    return {
        "same": ("x + y", x, y),
        "transposed": ("x_t + y_t", x_t, y_t),
        "mixed": ("x + y_t", x, y_t),
        "mixed_first": ("x_t + y", x_t, y),
        "cropped": ("x[:, :5] + y[:, :5]", x[:, :5], y[:, :5]),
        "every_second": ("x[:, ::2] + y[:, ::2]", x[:, ::2], y[:, ::2]),
        "row": ("x + row", x, torch.rand(6)),
        "column": ("x + column", x, torch.rand(4, 1)),
        "scalar": ("x + 0-dim", x, torch.rand(())),
        "channels_last": ("nhwc + nhwc", nhwc, nhwc.clone()),
        "formats": ("nchw + nhwc", nchw, nhwc),
        "formats_first": ("nhwc + nchw", nhwc, nchw),
        "bias_first": ("nchw + bias", nchw, torch.rand(3, 1, 1)),
        "bias_last": ("nhwc + bias", nhwc, torch.rand(3, 1, 1)),
    }


def shown(values):
    return "(" + ",".join(map(str, values)) + ")"


def main():
    if len(sys.argv) > 1:
        sys.exit("usage: built.py")
    counts = {}
    print(f"{'expression':22}{'loop':11}{'strides in the loop':33}result")
    for name, (words, a, b) in elementwise().items():
        iterator, result = binary_op(None, a, b), torch.add(a, b)
        if iterator.output().stride() != result.stride():
            sys.exit(f"{words}: the iterator and the operator disagree on the result")
        strides = " ".join(shown(iterator.element_strides(i)) for i in range(iterator.ntensors))
        print(f"{words:22}{shown(iterator.shape):11}{strides:33}{shown(result.stride())}")
        counts[f"{name}_dimensions"] = iterator.ndim
        counts[f"{name}_contiguous"] = int(result.is_contiguous())
        counts[f"{name}_like_first"] = int(result.stride() == a.stride())
        inner = [iterator.element_strides(i)[0] for i in range(iterator.ntensors)]
        one = [i for i in inner[1:] if i != 1]
        counts[f"{name}_vector"] = int(inner[0] == 1 and (not one or one == [0]))
    x, x_t = torch.rand(4, 6), torch.rand(6, 4).t()
    iterator = binary_op(torch.empty(4, 6), x_t, x_t)
    strides = " ".join(shown(iterator.element_strides(i)) for i in range(iterator.ntensors))
    print(f"{'x_t + y_t, out=x':22}{shown(iterator.shape):11}{strides:33}{shown(iterator.output().stride())}")
    counts["out_dimensions"] = iterator.ndim
    for words, dims in {"x.sum(1)": 1, "x.sum(0)": 0, "x.sum()": (0, 1)}.items():
        iterator = reduce_op(x.sum(dims, keepdim=True), x)
        strides = " ".join(shown(iterator.element_strides(i)) for i in range(iterator.ntensors))
        print(f"{words:22}{shown(iterator.shape):11}{strides:33}{shown(x.sum(dims).stride())}")
        counts[words.replace(".", "_").strip("()").replace("(", "_")] = iterator.ndim
    print(json.dumps(counts))


main()
