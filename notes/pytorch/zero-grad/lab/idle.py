"""What five steps do to a parameter that the last three of them do not use.

Prints its value after two steps and after five, then the same as one JSON object.
"""

import json

import torch


def run(set_to_none, make):
    used = torch.nn.Parameter(torch.ones(3))
    idle = torch.nn.Parameter(torch.ones(3))
    opt = make([used, idle])
    for step in range(5):
        opt.zero_grad(set_to_none=set_to_none)
        loss = (used * 2).sum()
        if step < 2:                      # from step 2 on, nothing uses `idle`
            loss = loss + (idle * 0.5).sum()
        loss.backward()
        opt.step()
        if step == 1:
            after_two = idle[0].item()
    count = opt.state[idle].get("step", "-")
    return after_two, idle[0].item(), count if count == "-" else int(count)


O = torch.optim
OPTIMIZERS = {
    "SGD": lambda p: O.SGD(p, lr=0.1),
    "SGD, momentum": lambda p: O.SGD(p, lr=0.1, momentum=0.9),
    "SGD, weight decay": lambda p: O.SGD(p, lr=0.1, weight_decay=0.1),
    "Adam": lambda p: O.Adam(p, lr=0.1),
    "AdamW": lambda p: O.AdamW(p, lr=0.1, weight_decay=0.1),
}


def main():
    torch.set_num_threads(1)
    result = {}
    for name, make in OPTIMIZERS.items():
        for none in (True, False):
            two, five, count = run(none, make)
            mode = "None" if none else "zero"
            print(f"{name:18} {mode}  {two:.6f} -> {five:.6f}  count={count}")
            key = f"{name.replace(', ', '_').replace(' ', '_').lower()}_{mode.lower()}"
            result |= {f"{key}_two": two, f"{key}_five": five}
            if count != "-":
                result[f"{key}_count"] = count
    print(json.dumps(result))


if __name__ == "__main__":
    main()
