"""What torch.save writes for several things: records, bytes, and what compression would save; then the counts as JSON."""

import io
import json
import zipfile
import zlib

import torch
from torch import nn


def saved(thing):
    """The number of tensor records in the file that torch.save writes, and its bytes."""
    file = io.BytesIO()
    torch.save(thing, file)
    with zipfile.ZipFile(file) as archive:
        assert all(each.compress_type == zipfile.ZIP_STORED for each in archive.infolist())
        records = sum("/data/" in each.filename for each in archive.infolist())
    return records, file.tell()


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512))


def adam_of(net):
    """The state of an AdamW that has made a step."""
    optimizer = torch.optim.AdamW(net.parameters())
    net(torch.ones(1, 512, dtype=next(net.parameters()).dtype)).sum().backward()
    optimizer.step()
    return optimizer.state_dict()


def tied():
    embedding, head = nn.Embedding(8192, 256), nn.Linear(256, 8192, bias=False)
    head.weight = embedding.weight
    return nn.ModuleDict({"embedding": embedding, "head": head})


def compressed(dtype):
    """The share that zlib leaves of a million normally distributed weights."""
    torch.manual_seed(0)
    data = torch.empty(1 << 20).normal_(std=0.02).to(dtype).view(torch.uint8).numpy().tobytes()
    return len(zlib.compress(data, 6)) / len(data)


def main():
    matrix = torch.zeros(1024, 1024)
    net, half = network(), network().bfloat16()
    weights, state, master = net.state_dict(), adam_of(net), network()
    copies = {"model": half.state_dict(), "master": master.state_dict(), "optimizer": adam_of(master)}
    average = {name: each.clone() for name, each in weights.items()}
    cases = {
        "row": ("matrix[0]", matrix[0]),
        "clone": ("matrix[0].clone()", matrix[0].clone()),
        "rows": ("list(matrix), 1,024 rows", list(matrix)),
        "numbers": ("1,024 tensors of one number", [torch.zeros(1) for _ in range(1024)]),
        "tied": ("embedding and head tied", tied().state_dict()),
        "weights": ("weights, float32", weights),
        "half": ("weights, bfloat16", half.state_dict()),
        "adam": ("weights and AdamW", {"model": weights, "optimizer": state}),
        "average": ("the same and an average", {"model": weights, "optimizer": state, "ema": average}),
        "master": ("bfloat16, float32 copy, AdamW", copies),
    }
    result = {}
    print("saved                           records       bytes")
    for name, (text, thing) in cases.items():
        result[f"{name}_records"], result[name] = saved(thing)
        print(f"{text:<32}{result[f'{name}_records']:>7}{result[name]:>12,}")
    result |= {"row_bytes": matrix[0].nbytes, "matrix_bytes": matrix.nbytes}
    result |= {"zlib_float32": compressed(torch.float32), "zlib_bfloat16": compressed(torch.bfloat16)}
    print(f"zlib leaves {result['zlib_float32']:.3f} of float32 and {result['zlib_bfloat16']:.3f} of bfloat16")
    print(json.dumps(result))


main()
