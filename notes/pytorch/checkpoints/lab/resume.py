"""How many losses of a resumed run are those of the run that went on, by what the checkpoint lacks; then JSON."""

import copy
import json

import torch
from torch import nn

SAMPLES, BATCH, STOP, STEPS = 256, 16, 21, 8
torch.manual_seed(0)
DATA, TARGETS = torch.randn(SAMPLES, 32), torch.randn(SAMPLES, 1)


class Run:
    """A network with dropout, AdamW, a schedule, and shuffled batches."""

    def __init__(self, seed):
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=1e-2)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.opt, 4, gamma=0.7)
        self.order, self.place = torch.randperm(SAMPLES), 0

    def step(self):
        rows = self.order[self.place : self.place + BATCH]
        self.place += BATCH
        if self.place >= SAMPLES:
            self.order, self.place = torch.randperm(SAMPLES), 0
        loss = nn.functional.mse_loss(self.net(DATA[rows]), TARGETS[rows])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.step()
        return loss.item()

    def state(self):
        return copy.deepcopy(
            {
                "net": self.net.state_dict(),
                "opt": self.opt.state_dict(),
                "schedule": self.schedule.state_dict(),
                "data": (self.order, self.place),
                "rng": torch.get_rng_state(),
            }
        )

    def load(self, state, lacks):
        self.net.load_state_dict(state["net"])
        if lacks != "opt":
            self.opt.load_state_dict(state["opt"])
        if lacks != "schedule":
            self.schedule.load_state_dict(state["schedule"])
        else:
            self.opt.param_groups[0]["lr"] = 1e-2
        if lacks != "data":
            self.order, self.place = state["data"]
        if lacks != "rng":
            torch.set_rng_state(state["rng"])


def moved(run):
    """How far a step moves a weight, the median, in units of the learning rate."""
    before = [p.detach().clone() for p in run.net.parameters()]
    rate = run.opt.param_groups[0]["lr"]
    run.step()
    far = [(p.detach() - b).abs().flatten() for p, b in zip(run.net.parameters(), before, strict=True)]
    return torch.cat(far).median().item() / rate


def main():
    first = Run(1)
    for _ in range(STOP):
        first.step()
    state = first.state()
    expected = [first.step() for _ in range(STEPS)]
    result = {}
    print(f"the checkpoint lacks      losses as before, of {STEPS}")
    for lacks in ["nothing", "rng", "data", "schedule", "opt"]:
        run = Run(2)
        run.load(state, lacks)
        result[lacks] = sum(run.step() == loss for loss in expected)
        print(f"{lacks:<26}{result[lacks]:>3}")
    for lacks in ["nothing", "opt"]:
        run = Run(2)
        run.load(state, lacks)
        result[f"moved_{lacks}"] = moved(run)
    print(f"first step, learning rates: {result['moved_nothing']:.2f}, without opt {result['moved_opt']:.2f}")
    print(json.dumps(result))


main()
