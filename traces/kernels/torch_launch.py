# SPDX-License-Identifier: MIT
"""Runs operations of PyTorch on the GPU: torch_launch.py NAME[,NAME...]|all|held-back|later|unseen [RUNS], each 2 times or so
often as RUNS says. Inputs are made on the CPU where that can be, so that the only kernels are the operation's own; from the second
run on they are in the L2 cache. Of several operations a kernel that only sleeps stands before each, to tell them apart."""
import sys

import torch

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

# Chosen when the model was done: no constant or rule was made with them in sight.
HELD_BACK = {
    "amax": lambda: (torch.amax, (numbers(200, 600), 1)),
    "avg_pool": lambda: (F.avg_pool2d, (numbers(2, 8, 32, 32), 3)),
    "bucketize": lambda: (torch.bucketize, (numbers(8192), torch.linspace(-3, 3, 200).cuda())),
    "cat": lambda: (torch.cat, ([numbers(32, 40), numbers(32, 56)], 1)),
    "cdist": lambda: (torch.cdist, (numbers(40, 24), numbers(48, 24), 1.0)),
    "cummax": lambda: (torch.cummax, (numbers(32, 300), 1)),
    "embedding_bag": lambda: (lambda i, w, o: F.embedding_bag(i, w, o, mode="sum"),
                              (integers(200, 600), numbers(200, 32), torch.arange(0, 600, 10).cuda())),
    "gather": lambda: (torch.gather, (numbers(64, 200), 1, integers(200, 64, 100))),
    "gelu": lambda: (F.gelu, (numbers(64, 777),)),
    "grid_sample": lambda: (lambda x, g: F.grid_sample(x, g, align_corners=False),
                            (numbers(1, 4, 32, 32), numbers(1, 24, 24, 2).tanh())),
    "index_select": lambda: (torch.index_select, (numbers(100, 96), 0, integers(100, 80))),
    "interpolate": lambda: (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (numbers(1, 6, 24, 24),)),
    "logcumsumexp": lambda: (torch.logcumsumexp, (numbers(16, 500), 1)),
    "log_softmax": lambda: (F.log_softmax, (numbers(96, 250), 1)),
    "masked_select": lambda: (lambda x: x[x > 0.5], (numbers(6000),)),
    "max_pool": lambda: (F.max_pool2d, (numbers(2, 8, 40, 40), 2)),
    "nonzero": lambda: (torch.nonzero, (integers(3, 5000),)),
    "prod": lambda: (torch.prod, (numbers(30, 1500), 0)),
    "renorm": lambda: (torch.renorm, (numbers(48, 120), 2, 0, 1.0)),
    "roll": lambda: (torch.roll, (numbers(90, 130), 7, 1)),
    "searchsorted": lambda: (torch.searchsorted, (numbers(32, 64).sort(1)[0], numbers(32, 100))),
    "std_all": lambda: (torch.std, (numbers(20000),)),
    "transpose_copy": lambda: (lambda x: x.t().contiguous(), (numbers(150, 210),)),
    "tril": lambda: (torch.tril, (numbers(120, 140),)),
    "where": lambda: (lambda x, y: torch.where(x > y, x, y), (numbers(300, 100), numbers(300, 100))),
}


# Chosen when constants, the cause of most errors of the two tables above, had been dealt with, and counted and replayed once.
LATER = {
    "adaptive_pool": lambda: (lambda x: F.adaptive_avg_pool2d(x, 7), (numbers(2, 6, 28, 28),)),
    "addcmul": lambda: (torch.addcmul, (numbers(70, 90), numbers(70, 90), numbers(70, 90))),
    "aminmax": lambda: (lambda x: torch.aminmax(x, dim=1), (numbers(64, 700),)),
    "any": lambda: (torch.any, (integers(2, 100, 300), 1)),
    "cross": lambda: (torch.linalg.cross, (numbers(500, 3), numbers(500, 3))),
    "cumprod": lambda: (torch.cumprod, (numbers(40, 200), 1)),
    "diff": lambda: (torch.diff, (numbers(8000),)),
    "flip": lambda: (torch.flip, (numbers(60, 70), (0, 1))),
    "glu": lambda: (F.glu, (numbers(64, 256),)),
    "instance_norm": lambda: (F.instance_norm, (numbers(4, 16, 10, 10),)),
    "lerp": lambda: (torch.lerp, (numbers(5000), numbers(5000), 0.3)),
    "mse_loss": lambda: (F.mse_loss, (numbers(3000), numbers(3000))),
    "nansum": lambda: (torch.nansum, (numbers(90, 210), 1)),
    "pad_reflect": lambda: (lambda x: F.pad(x, (2, 2, 2, 2), mode="reflect"), (numbers(1, 3, 30, 30),)),
    "pixel_shuffle": lambda: (F.pixel_shuffle, (numbers(1, 16, 12, 12), 2)),
    "rms_norm": lambda: (F.rms_norm, (numbers(48, 600), (600,))),
    "scatter": lambda: (torch.scatter, (numbers(64, 100), 1, integers(100, 64, 40), numbers(64, 40))),
    "softplus": lambda: (F.softplus, (numbers(44, 555),)),
    "sort_rows": lambda: (torch.sort, (numbers(20, 100), 1)),
    "take": lambda: (torch.take, (numbers(3000), integers(3000, 2500))),
    "unfold": lambda: (F.unfold, (numbers(1, 4, 20, 20), 3)),
    "upsample": lambda: (lambda x: F.interpolate(x, scale_factor=3), (numbers(1, 5, 20, 20),)),
}


# Chosen when the model of waiting scans was done, and replayed once.
UNSEEN = {
    "clamp": lambda: (torch.clamp, (numbers(9000), -1.0, 1.0)),
    "cosine_similarity": lambda: (F.cosine_similarity, (numbers(60, 200), numbers(60, 200))),
    "count_nonzero": lambda: (torch.count_nonzero, (integers(3, 70, 260), 1)),
    "cumsum_columns": lambda: (torch.cumsum, (numbers(150, 48), 0)),
    "elu": lambda: (F.elu, (numbers(37, 333),)),
    "fold": lambda: (lambda x: F.fold(x, (12, 12), 3), (numbers(1, 36, 100),)),
    "hardswish": lambda: (F.hardswish, (numbers(55, 210),)),
    "index_copy": lambda: (torch.index_copy, (numbers(120, 40), 0, torch.randperm(120)[:50].cuda(), numbers(50, 40))),
    "index_fill": lambda: (torch.index_fill, (numbers(80, 90), 1, integers(90, 30), 2.0)),
    "kl_div": lambda: (lambda x, y: F.kl_div(x, y, reduction="sum"), (numbers(40, 150), numbers(40, 150).abs())),
    "l1_loss": lambda: (F.l1_loss, (numbers(4200), numbers(4200))),
    "layer_norm_small": lambda: (F.layer_norm, (numbers(300, 96), (96,))),
    "logaddexp": lambda: (torch.logaddexp, (numbers(6100), numbers(6100))),
    "masked_fill": lambda: (torch.masked_fill, (numbers(75, 110), integers(2, 75, 110).bool(), 0.5)),
    "max_rows": lambda: (torch.max, (numbers(50, 900), 1)),
    "mean_columns": lambda: (torch.mean, (numbers(700, 60), 0)),
    "min_all": lambda: (torch.min, (numbers(15000),)),
    "nll_loss": lambda: (F.nll_loss, (numbers(180, 30), integers(30, 180))),
    "norm_one": lambda: (lambda x: torch.linalg.vector_norm(x, 1, 1), (numbers(100, 400),)),
    "outer": lambda: (torch.outer, (numbers(110), numbers(95))),
    "permute_copy": lambda: (lambda x: x.permute(2, 0, 1).contiguous(), (numbers(18, 22, 26),)),
    "rot90": lambda: (torch.rot90, (numbers(64, 88),)),
    "scatter_amax": lambda: (lambda x, i, y: x.scatter_reduce(0, i, y, "amax"),
                             (numbers(2000), integers(2000, 6000), numbers(6000))),
    "softmax_columns": lambda: (torch.softmax, (numbers(90, 70), 0)),
    "stack": lambda: (torch.stack, ([numbers(45, 60), numbers(45, 60), numbers(45, 60)],)),
    "take_along": lambda: (torch.take_along_dim, (numbers(48, 80), integers(80, 48, 33), 1)),
    "triu": lambda: (torch.triu, (numbers(3, 50, 64),)),
    "var_mean": lambda: (torch.var_mean, (numbers(40, 900), 1)),
}

TABLES = {"all": OPERATIONS, "held-back": HELD_BACK, "later": LATER, "unseen": UNSEEN}


def make(name):
    """The operation and its inputs, which are the same whatever else is run."""
    seed, table = next((s, t) for s, t in zip((5, 7, 11, 13), TABLES.values()) if name in t)
    torch.manual_seed(seed)
    return table[name]()


names = list(TABLES.get(sys.argv[1], sys.argv[1].split(",")))
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
made = [make(name) for name in names]
torch.cuda.synchronize()
for operation, arguments in made:
    if len(made) > 1:
        torch.cuda._sleep(1000)
    for _ in range(runs):
        operation(*arguments)
        torch.cuda.synchronize()
