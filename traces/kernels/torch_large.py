# SPDX-License-Identifier: MIT
"""Runs an operation of PyTorch that takes an H200 about a millisecond: torch_large.py NAME [SHARE [RUNS]]. SHARE of its rows
(default 1), RUNS times (default 2); prints the milliseconds of each run by CUDA events. The first launch of
the operation's kernel comes with its code still to be loaded, so --launch 2 is the one to capture."""
import sys

import torch

F = torch.nn.functional


def empty(*shape):
    return torch.empty(*shape, device="cuda")


def integers(high, *shape):
    return torch.randint(0, high, shape, device="cuda")


OPERATIONS = {
    "add": lambda rows: (lambda x: x + 1, empty(rows(1 << 19), 1024)),
    "softmax": lambda rows: (lambda x: torch.softmax(x, 1), empty(rows(1 << 19), 1024).zero_()),
    "layer_norm": lambda rows: (lambda x: F.layer_norm(x, (2048,)), empty(rows(1 << 18), 2048).zero_()),
    "sum": lambda rows: (lambda x: x.sum(1), empty(rows(1 << 18), 4096)),
    "transpose": lambda rows: (lambda x: x.t().contiguous(), empty(rows(1 << 14), 1 << 14)),
    "scatter_add": lambda rows: (lambda i: torch.zeros(1 << 20, device="cuda").scatter_add_(0, i, torch.ones(1, device="cuda").expand(len(i))),
                                 integers(1 << 20, rows(1 << 14) << 11)),
}


def main():
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    operation, argument = OPERATIONS[sys.argv[1]](lambda n: max(1, int(n * share)))
    torch.cuda.synchronize()
    for _ in range(runs):
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        result = operation(argument)
        events[1].record()
        torch.cuda.synchronize()
        print(f"{sys.argv[1]} {events[0].elapsed_time(events[1]):.4f} ms")
        del result


main()
