"""In-place changes after a tensor was saved: what backward() says, and the gradient that it computes.

In each case w is [1, 1, 1]; without the change the gradient of (w * 2) ** 2 is 8.
"""

import torch
from torch.autograd.graph import allow_mutation_on_saved_tensors, saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

w = torch.ones(3, requires_grad=True)


def saved_operand():
    h = w * 2
    y = h * h  # saves h
    h.zero_()
    return y


def not_saved():
    h = w * 2
    y = h + h  # saves nothing
    h.zero_()
    return y


def saved_result():
    y = w.exp()  # saves its result
    y += 1
    return y


def other_half():
    h = w * 2
    y = h[:2] * h[:2]  # saves a view of the first two
    h[2] = 5
    return y


def under_no_grad():
    h = w * 2
    y = h * h
    with torch.no_grad():
        h.zero_()
    return y


def through_detach():
    h = w * 2
    y = h * h
    h.detach().zero_()
    return y


def through_data():
    h = w * 2
    y = h * h
    h.data.zero_()
    return y


def with_hooks():
    with saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        return saved_operand()


def inside_checkpoint():
    return checkpoint(saved_operand, use_reentrant=False)


def checkpoint_input():
    h = w * 2
    y = checkpoint(lambda t: t * t, h, use_reentrant=False)
    h.zero_()
    return y


def mutation_allowed():
    with allow_mutation_on_saved_tensors():
        y = saved_operand()
        y.sum().backward()


def optimizer_between():
    layer = torch.nn.Linear(3, 3)
    loss = (layer(layer(w))).sum()
    loss.backward(retain_graph=True)
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    return loss


def leaf():
    w.add_(1)


CASES = [saved_operand, not_saved, saved_result, other_half, under_no_grad, through_detach, through_data,
         with_hooks, checkpoint_input, inside_checkpoint, mutation_allowed, optimizer_between, leaf]  # fmt: skip

if __name__ == "__main__":
    for case in CASES:
        w.grad = None
        try:
            y = case()
            if y is not None:
                y.sum().backward()
            told = f"gradient {w.grad.tolist()}"
        except RuntimeError as error:
            told = str(error).split(" Hint")[0]
            told = told[told.find("[torch") :] if "[torch" in told else told
        print(f"{case.__name__:<18} {told}")
    h = w.detach() * 2
    h.add_(1)
    print("versions", h._version, h[0]._version, h.detach()._version, h.data._version)
