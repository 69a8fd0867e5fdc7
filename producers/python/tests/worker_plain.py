"""Plain loops on one process: what is found without a word from the user. Each case is a function; the ring is what remains.

Arguments: a folder, then cases, each of which runs in a fork of its own, with its rings and what it said under its name there. Torch is
imported once. Without a folder: the case `plain`, in this process.
"""

import gc
import os
import sys
import tempfile
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class ToyAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        return self.lin(x)


class GatedMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        return self.lin(x).relu()


class ToyExperts(GatedMLP):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.Sequential(ToyAttention(), GatedMLP(), ToyExperts())

    def forward(self, x):
        return self.parts(x)


def loader(batches, **more):
    return DataLoader(TensorDataset(torch.randn(4 * batches, 8)), batch_size=4, **more)


def train(net, optimizer, batches=6, **more):
    for (x,) in loader(batches, **more):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()


def plain():
    net = Net()
    train(net, torch.optim.SGD(net.parameters(), lr=0.1))


def workers():
    """Loader workers are forked children, which must write nothing."""
    net = Net()
    train(net, torch.optim.Adam(net.parameters()), num_workers=1)


def accumulation():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x,) in enumerate(loader(12)):
        net(x).sum().backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()


def two_optimizers():
    """As in a GAN: two a step, and one inside the other."""

    class Outer(torch.optim.Optimizer):
        def __init__(self, inner):
            super().__init__(inner.param_groups, {})
            self.inner = inner

        def step(self, closure=None):
            return self.inner.step(closure)

    one, two = Net(), Net()
    first, second = Outer(torch.optim.SGD(one.parameters(), lr=0.1)), torch.optim.SGD(two.parameters(), lr=0.1)
    for (x,) in loader(5):
        one(x).sum().backward()
        first.step()
        two(x).sum().backward()
        second.step()


def explicit():
    import argus

    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        with argus.step(100 + i):
            with argus.phase("get_batch", "tp"):
                x = torch.ones(2, 8)
            for _ in range(2):
                net(x).sum().backward()
                optimizer.step()
    for _ in range(3):
        argus.step()


def evaluation():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    train(net, optimizer, 2)
    net.eval()
    with torch.no_grad():
        for (x,) in loader(3):
            net(x)
    net.train()
    train(net, optimizer, 2)
    with tempfile.TemporaryDirectory() as folder:
        torch.save(net, os.path.join(folder, "model"))
        again = torch.load(os.path.join(folder, "model"))
    assert type(again) is Net


def errors():
    """Exceptions of the user's pass through and leave nothing open."""
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for wrong in (lambda: net(torch.ones(2, 3)), lambda: torch.ones(2).backward(), lambda: optimizer.step(lambda: 1 // 0)):
        try:
            wrong()
        except (RuntimeError, ZeroDivisionError):
            continue
        raise AssertionError("nothing was raised")
    train(net, optimizer, 2)


def storms():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = [[{}, [i]] for i in range(100_000)]
    gc.collect()
    torch.jit.trace(net, torch.ones(2, 8))
    torch.jit.script(nn.Linear(2, 2))
    train(net, optimizer, 2)
    del kept


def interleaved():
    """Steps on and off in turn, as the control word asks; then phases off; then everything."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from argus._recorder import recorder
    from tests.support import Agent

    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    agent = Agent(recorder.path)

    def control(**word):
        agent.control(**word)
        recorder.poll()

    control(on=2, off=3, generation=1)
    train(net, optimizer, 10)
    control(signals=0xFFFD, generation=2)
    train(net, optimizer, 2)
    control(signals=0, generation=3)
    train(net, optimizer, 2)
    control(generation=4)
    train(net, optimizer, 1)


def operators():
    net = Net()
    train(net, torch.optim.SGD(net.parameters(), lr=0.1), 2)


def broken():
    """Errors of our own reach nobody, are counted, and end in silence."""
    from argus._recorder import recorder

    def fail(*args, **kwargs):
        raise ValueError("on purpose")

    os.environ.pop("ARGUS_DEBUG", None)
    recorder.ring.span = fail
    net = Net()
    train(net, torch.optim.SGD(net.parameters(), lr=0.1), 40)
    assert recorder.errors >= 100 and not recorder.live, recorder.errors


def heartbeat():
    time.sleep(2.5)


def run(case):
    globals()[case]()
    from argus._recorder import recorder

    if case != "broken":
        assert recorder.errors == 0, recorder.errors


def in_fork(folder, case):
    """True if the case came through."""
    place = os.path.join(folder, case)
    os.mkdir(place)
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    os.dup2(os.open(os.path.join(place, "said"), os.O_WRONLY | os.O_CREAT), 2)
    os.environ["ARGUS_RING_DIR"] = os.path.join(place, "rings")
    if case == "operators":
        os.environ["ARGUS_OPERATORS"] = "1"
    import argus

    argus.start()
    run(case)
    sys.exit(0)


if len(sys.argv) == 1:
    run("plain")
else:
    for each in sys.argv[2:]:
        print(each, in_fork(sys.argv[1], each), flush=True)
