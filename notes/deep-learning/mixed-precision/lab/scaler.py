"""What GradScaler does, step by step: skipped steps and the scale, with gradients that are known.

Prints a table, then counts as JSON. The gradient is float32, and rounded to float16 on its way, as
under autocast; so gradient times scale beyond 65,504 becomes infinite.
"""

import json
import math
import warnings

import torch

STEPS = 10_000


class Half(torch.autograd.Function):
    """The identity, whose gradient passes through float16."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad.half().float()


def run(steps, factor, stop=None, **options):
    """Skipped steps, the scale after them, and the weight."""
    weight = torch.nn.Parameter(torch.zeros(()))
    opt = torch.optim.SGD([weight], lr=0.0)
    scaler = torch.amp.GradScaler("cpu", **options)
    skipped, scale = 0, None
    for step in range(steps):
        opt.zero_grad()
        loss = Half.apply(weight) * factor(step)
        scaler.scale(loss).backward()
        scaler.step(opt)
        before = scaler.get_scale()
        scaler.update()
        scale = scaler.get_scale()
        skipped += scale < before
        if stop is not None and stop(scale):
            break
    return skipped, scale, weight.item()


def after(scale):
    """The weight after one finite gradient at that scale."""
    weight = torch.nn.Parameter(torch.ones(()))
    opt = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=scale)
    scaler.scale(Half.apply(weight) * 1.0).backward()
    scaler.step(opt)
    scaler.update()
    return weight.item()


def clipped(unscale, kind=torch.optim.SGD):
    """How far one step moves a weight with the gradient 3, clipped to 1, at a scale of 1,024."""
    weight = torch.nn.Parameter(torch.zeros(()))
    opt = kind([weight], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    scaler.scale(Half.apply(weight) * 3.0).backward()
    if unscale:
        scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_([weight], 1.0)
    scaler.step(opt)
    return -weight.item()


def warned(first, fused=False):
    """Warnings of a learning rate schedule, if the gradient of the first step is `first`."""
    weight = torch.nn.Parameter(torch.zeros(()))
    opt = torch.optim.SGD([weight], lr=1.0, fused=fused)
    schedule = torch.optim.lr_scheduler.ConstantLR(opt)
    scaler = torch.amp.GradScaler("cpu")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for factor in (first, 0.001):
            opt.zero_grad()
            scaler.scale(Half.apply(weight) * factor).backward()
            scaler.step(opt)
            scaler.update()
            schedule.step()
    return sum("before `optimizer.step()`" in str(w.message) for w in caught)


def refuses(make):
    """Whether unscale_ refuses the gradients of such a parameter."""
    weight = make(torch.zeros(2))
    opt = torch.optim.SGD([weight], lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale((weight * 2).sum().float()).backward()
    try:
        scaler.step(opt)
    except ValueError as error:
        return str(error)
    return ""


def main():
    torch.set_num_threads(1)
    result = {}
    print(f"{'gradient':22}{'steps':>8}{'skipped':>9}{'scale at the end':>18}")
    for key, name, factor, steps in (
        ("small", "0.001", lambda _: 0.001, STEPS),
        ("one", "1", lambda _: 1.0, STEPS),
        ("thousand", "1,000", lambda _: 1000.0, STEPS),
    ):
        skipped, scale, _ = run(steps, factor)
        print(f"{name:22}{steps:8}{skipped:9}{scale:18g}")
        result |= {f"{key}_skipped": skipped, f"{key}_scale": scale}
    for key, name, stop in (("below", "NaN, until below 1", lambda s: s < 1),
                            ("zero", "NaN, until 0", lambda s: s == 0)):
        skipped, scale, _ = run(STEPS, lambda _: math.nan, stop)
        print(f"{name:22}{skipped:8}{skipped:9}{scale:18g}")
        result[f"{key}_skipped"] = skipped
    print(f"weight after one gradient of 1 at scale 1: {after(1.0):g}, at scale 0: {after(0.0):g}")
    for kind in (torch.optim.SGD, torch.optim.Adam):
        print(f"one clipped step of {kind.__name__}, with unscale_ {clipped(True, kind):.3g}, "
              f"without {clipped(False, kind):.3g}")
    print(f"schedule's warnings: first step skipped {warned(1.0)}, skipped by a fused optimizer "
          f"{warned(1.0, True)}, not skipped {warned(0.001)}")
    for name, dtype in (("float16", torch.float16), ("bfloat16", torch.bfloat16)):
        said = refuses(lambda t, d=dtype: torch.nn.Parameter(t.to(d)))
        print(f"parameters in {name}: {said or 'no error'}")
        result[f"refused_{name}"] = int(bool(said))
    result |= {"steps": STEPS, "nan_after_zero": int(math.isnan(after(0.0))),
               "nan_after_one": int(math.isnan(after(1.0))), "clip_with": clipped(True),
               "clip_without": clipped(False), "clip_with_adam": clipped(True, torch.optim.Adam),
               "clip_without_adam": clipped(False, torch.optim.Adam), "warned": warned(1.0),
               "warned_fused": warned(1.0, True), "not_warned": warned(0.001)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
