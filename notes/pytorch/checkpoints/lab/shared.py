"""What safetensors does with tied weights and with a transposed tensor; then the counts as JSON."""

import json
import os

import torch
from safetensors.torch import load_model, save_file, save_model
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(8192, 256), nn.Linear(256, 8192, bias=False)
        self.head.weight = self.embedding.weight


def tried(what, body):
    try:
        body()
    except (RuntimeError, ValueError) as error:
        print(f"{what}: {type(error).__name__}: {' '.join(str(error).split())[:96]}…")
        return 1
    print(f"{what}: no error")
    return 0


def main():
    net, path = Tied(), "model.safetensors"
    state = net.state_dict()
    result = {"tied": tried("save_file, tied", lambda: save_file(state, path))}
    result["transposed"] = tried("save_file, transposed", lambda: save_file({"w": torch.zeros(4, 8).t()}, path))
    save_file({name: each.clone() for name, each in state.items()}, path)
    result["cloned_bytes"] = os.path.getsize(path)
    save_model(net, path)
    result["model_bytes"] = os.path.getsize(path)
    missing, _ = load_model(Tied(), path)
    result["missing"] = len(missing)
    print(f"each cloned: {result['cloned_bytes']:,} bytes, save_model: {result['model_bytes']:,}; missing: {missing}")
    save_file({"w": torch.zeros(1024, 1024)[0]}, path)
    result["row"] = os.path.getsize(path)
    print(f"a row of a matrix: {result['row']:,} bytes")
    print(json.dumps(result))


main()
