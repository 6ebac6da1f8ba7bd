# SPDX-License-Identifier: MIT
"""Runs one operation of PyTorch twice on the GPU: torch_launch.py NAME. Inputs are made on the CPU, so that
the only kernels are the operation's own; the second time finds them in the L2 cache."""
import sys

import torch

torch.manual_seed(5)
F = torch.nn.functional


def numbers(*shape):
    return torch.randn(*shape).cuda()


def integers(high, *shape):
    return torch.randint(0, high, shape).cuda()


OPERATIONS = {
    "argmax": lambda: (torch.argmax, (numbers(256, 1024), 1)),
    "batch_norm": lambda: (F.batch_norm, (numbers(8, 32, 16, 16), None, None, None, None, True)),
    "bincount": lambda: (torch.bincount, (integers(64, 32768), None, 64)),
    "bincount_weights": lambda: (torch.bincount, (integers(64, 16384), numbers(16384).abs(), 64)),
    "cross_entropy": lambda: (F.cross_entropy, (numbers(256, 128), integers(128, 256))),
    "cumsum": lambda: (torch.cumsum, (numbers(64, 1024), 1)),
    "embedding": lambda: (F.embedding, (integers(100, 1024), numbers(100, 64))),
    "group_norm": lambda: (F.group_norm, (numbers(8, 32, 8, 8), 4)),
    "histc": lambda: (torch.histc, (numbers(32768), 100, -3.0, 3.0)),
    "index_add": lambda: (torch.index_add, (numbers(64, 64), 0, integers(64, 512), numbers(512, 64))),
    "kthvalue": lambda: (torch.kthvalue, (numbers(64, 1000), 100)),
    "layer_norm": lambda: (F.layer_norm, (numbers(64, 1000), (1000,), numbers(1000), numbers(1000))),
    "logsumexp": lambda: (torch.logsumexp, (numbers(64, 2000), 1)),
    "median": lambda: (torch.median, (numbers(32, 1000), 1)),
    "mode": lambda: (torch.mode, (integers(50, 16, 500), 1)),
    "norm": lambda: (torch.linalg.norm, (numbers(64, 1024),)),
    "scatter_add": lambda: (torch.scatter_add, (numbers(4096), 0, integers(4096, 16384), numbers(16384))),
    "softmax": lambda: (torch.softmax, (numbers(128, 512), 1)),
    "softmax_large": lambda: (torch.softmax, (numbers(16, 4000), 1)),
    "sort": lambda: (torch.sort, (numbers(64, 1000), 1)),
    "sum": lambda: (torch.sum, (numbers(128, 2048), 1)),
    "topk": lambda: (torch.topk, (numbers(32, 2000), 10, 1)),
    "unique": lambda: (torch.unique, (integers(500, 8192),)),
    "var": lambda: (torch.var, (numbers(64, 1024), 1)),
}

operation, arguments = OPERATIONS[sys.argv[1]]()
torch.cuda.synchronize()
for _ in range(2):
    operation(*arguments)
    torch.cuda.synchronize()
