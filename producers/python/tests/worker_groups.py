"""A rank that makes every kind of call that gloo can make, in several groups, interleaved."""

import os
import sys

import torch.distributed as dist
from torch.distributed import irecv as early_irecv  # taken before argus comes: torch compares it with what it then has
from torch.distributed import isend as early_isend

import argus
from argus._recorder import recorder

argus.start()

import torch  # noqa: E402
from torch.nn.parallel import DistributedDataParallel as DDP  # noqa: E402

torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, n = dist.get_rank(), dist.get_world_size()
low = dist.new_group([0, 1, 2])
even = dist.new_group([0, 2])


def interleaved():
    """Two groups and the world at once, ended in another order than begun."""
    for size in (10, 20, 30):
        t = [torch.ones(size) for _ in range(3)]
        works = [dist.all_reduce(t[0], async_op=True)]
        if rank in (0, 2):
            works.append(dist.all_reduce(t[1], group=even, async_op=True))
        if rank < 3:
            works.append(dist.all_reduce(t[2], group=low, async_op=True))
        for w in reversed(works):
            w.wait()
        assert t[0][0] == n


def every_kind():
    t = torch.ones(8)
    dist.broadcast(t, 1)
    dist.reduce(t, dst=2)
    dist.all_gather([torch.empty(8) for _ in range(n)], t)
    dist.gather(t, [torch.empty(8) for _ in range(n)] if rank == 0 else None, 0)
    dist.scatter(t, [torch.ones(8) for _ in range(n)] if rank == 3 else None, src=3)
    dist.barrier()
    dist.all_gather_object([None] * n, {"rank": rank})
    if rank < 3:
        dist.barrier(group=low)


def pairs():
    """Sends and receives of several pairs in another order on every rank, one by one and in batches."""
    after, before = (rank + 1) % n, (rank - 1) % n
    for i in range(3):
        if (rank + i) % 2:
            dist.send(torch.full((4,), float(rank)), after)
            dist.recv(torch.empty(4), before)
        else:
            got = torch.empty(4)
            dist.recv(got, before)
            dist.send(torch.full((4,), float(rank)), after)
            assert got[0] == before
    for i in range(2):
        ops = [dist.P2POp(early_isend, torch.ones(16), after), dist.P2POp(dist.irecv, torch.empty(16), before),
               dist.P2POp(dist.isend, torch.ones(32), before), dist.P2POp(early_irecv, torch.empty(32), after)]
        for w in dist.batch_isend_irecv(ops[::-1] if i and rank % 2 == 0 else ops):
            w.wait()
    if rank == 0:
        assert dist.recv(torch.empty(4)) == 3
    if rank == 3:
        dist.send(torch.ones(4), 0)


def same_gradients():
    """DDP over three ranks: a third has no exact binary form, so that any other arithmetic shows."""
    if rank > 2:
        return
    grads = []
    for ours, view in ((False, False), (True, False), (False, True), (True, True)):
        recorder.config.ddp_hook = ours
        torch.manual_seed(3)
        net = torch.nn.Sequential(torch.nn.Linear(40, 50), torch.nn.Tanh(), torch.nn.Linear(50, 10))
        ddp = DDP(net, process_group=low, bucket_cap_mb=0.002, gradient_as_bucket_view=view)
        for i in range(3):
            torch.manual_seed(100 * rank + i)
            ddp.zero_grad()
            ddp(torch.randn(7, 40)).square().sum().backward()
        grads.append([p.grad.clone() for p in net.parameters()])
    for a, b in ((0, 1), (2, 3)):
        assert all(torch.equal(x, y) for x, y in zip(grads[a], grads[b])), "not the same to the bit"


def hook_of_the_user():
    """Registered before and after our own: it is the one that runs."""
    recorder.config.ddp_hook = True
    for late in (False, True):
        called = []

        def hook(state, bucket):
            called.append(state)
            return dist.all_reduce(bucket.buffer(), async_op=True).get_future().then(lambda f: f.value()[0])

        ddp = DDP(torch.nn.Linear(3, 3))
        if late:
            ddp(torch.ones(1, 3)).sum().backward()
        ddp.register_comm_hook("mine", hook)
        ddp(torch.ones(1, 3)).sum().backward()
        assert called == ["mine"], called


for part in (interleaved, every_kind, pairs, same_gradients, hook_of_the_user):
    part()
    dist.barrier()
dist.destroy_process_group()
assert recorder.errors == 0, recorder.errors
sys.stdout.flush()
os._exit(0) if "--abrupt" in sys.argv else None
