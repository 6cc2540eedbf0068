"""What each way to allow TF32 changes in PyTorch's settings; works without a GPU.

    python3 settings.py           a table: each way in a process of its own, then counts as JSON
    python3 settings.py STATEMENT   what the settings are after it, as JSON
"""

import json
import subprocess
import sys

import torch

STATEMENTS = (
    "pass",
    "torch.set_float32_matmul_precision('high')",
    "torch.backends.cuda.matmul.allow_tf32 = True",
    "torch.backends.cuda.matmul.fp32_precision = 'tf32'",
    "torch.backends.fp32_precision = 'tf32'",
    "torch.backends.fp32_precision = 'ieee'",
)


def after(statement):
    """The settings in this process after the statement; for one that cannot be read, the error."""
    exec(statement, {"torch": torch})
    cuda, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    readings = {
        "matmul": lambda: cuda.fp32_precision,
        "conv": lambda: cudnn.conv.fp32_precision,
        "allow_tf32": lambda: cuda.allow_tf32,
        "get": torch.get_float32_matmul_precision,
    }
    result = {}
    for name, read in readings.items():
        try:
            result[name] = str(read())
        except RuntimeError as error:
            result[name] = "error"
            result["message"] = str(error).partition(". ")[0]
    return result


def main():
    print(f"{'after':<52} matmul conv  allow_tf32 get_float32_matmul_precision")
    message, counts = "", {"errors": 0, "default_matmul_tf32": 0, "default_conv_tf32": 0}
    for statement in STATEMENTS:
        command = [sys.executable, __file__, statement]
        got = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        shown = "(nothing)" if statement == "pass" else statement
        print(f"{shown:<52} {got['matmul']:<6} {got['conv']:<5} {got['allow_tf32']:<10} {got['get']}")
        if statement.startswith("torch.backends.cuda.matmul.fp32"):
            message = got.get("message", "")
            counts["errors"] = sum(value == "error" for value in got.values())
        elif statement.startswith("torch.backends.cuda.matmul.allow"):
            counts["errors_old"] = sum(value == "error" for value in got.values())
        elif statement == "pass":
            counts["default_matmul_tf32"] = int(got["matmul"] == "tf32" or got["allow_tf32"] == "True")
            counts["default_conv_tf32"] = int(got["conv"] == "tf32")
    print(f"error: {message}")
    print(json.dumps(counts))


if len(sys.argv) > 1:
    print(json.dumps(after(sys.argv[1])))
else:
    main()
