#!/usr/bin/env python3
"""A small real training job on the CPU: a transformer under DistributedDataParallel over gloo, one process and one thread a rank.

Without RANK in the environment it starts its ranks by itself, with it it is one of them (torchrun). Seeds are fixed; a step takes about
100 ms on one core. A fault can be put into one rank from a step on:

    loader   the data loader sleeps                  gc        collections of much garbage inside the step
    compile  the model is traced anew in each step    extension  an extension is built inside the step (needs a compiler)
    hang     the rank never enters the step's last collective
    slow     the rank computes its batch twice
"""

from __future__ import annotations

import argparse
import gc
import os
import socket
import subprocess
import sys
import tempfile
import time

FAULTS = ("none", "loader", "gc", "compile", "extension", "hang", "slow")


def arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ranks", type=int, default=2, help="number of processes (%(default)s)")
    p.add_argument("--steps", type=int, default=30, help="number of steps (%(default)s)")
    p.add_argument("--size", type=int, default=96, help="width of the model, a multiple of 4; the time of a step grows with its square")
    p.add_argument("--layers", type=int, default=4)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--fault", choices=FAULTS, default="none")
    p.add_argument("--fault-rank", type=int, default=1, help="rank with the fault (%(default)s)")
    p.add_argument("--fault-from", type=int, default=10, help="first step with the fault (%(default)s)")
    p.add_argument("--fault-ms", type=float, default=200, help="loader, gc: length of the sleep, and about that of the collections (%(default)g)")
    p.add_argument("--say-every", type=float, default=5, metavar="SECONDS", help="rank 0 says after so many seconds how far it is; 0: never (%(default)g)")
    p.add_argument("--times", help="file for rank 0's steps, one a line: duration and CPU time of the process, in nanoseconds")
    p.add_argument("--no-argus", action="store_true", help="do not start the producer here")
    p.add_argument("--init", help="where the ranks meet, instead of the environment's address: file://...")
    p.add_argument("--block", help="STEPS,IN,OUT: wait for a byte on descriptor IN before every so many steps, write begin, end and CPU time to OUT")
    p.add_argument("--timeout", type=float, default=600, help="seconds after which ranks that are left are ended (%(default)g)")
    return p.parse_args()


def launch(a: argparse.Namespace) -> int:
    """Starts the ranks, each with one thread, and waits for them."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    ranks = []
    for rank in range(a.ranks):
        env = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(a.ranks), MASTER_ADDR="127.0.0.1",
                   MASTER_PORT=str(port), OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
        ranks.append(subprocess.Popen([sys.executable, os.path.abspath(__file__), *sys.argv[1:]], env=env))
    until = time.monotonic() + a.timeout
    try:
        return max(r.wait(max(0.1, until - time.monotonic())) for r in ranks)
    except subprocess.TimeoutExpired:
        return 1
    finally:
        for r in ranks:
            if r.poll() is None:
                r.kill()


def train(a: argparse.Namespace) -> None:
    if not a.no_argus:
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        import argus

        argus.start()
    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel
    from torch.utils.data import DataLoader, Dataset

    torch.set_num_threads(1)
    torch.manual_seed(7)
    if a.init:
        dist.init_process_group("gloo", init_method=a.init, rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))
    else:
        dist.init_process_group("gloo")
    rank = dist.get_rank()
    mine = rank == a.fault_rank
    length, words = 32, 256
    step = 0

    def faulty(kind: str) -> bool:
        return mine and a.fault == kind and step >= a.fault_from

    class Words(Dataset):
        def __len__(self) -> int:
            return a.steps * a.batch

        def __getitem__(self, i: int) -> torch.Tensor:
            if faulty("loader") and i % a.batch == 0:
                time.sleep(a.fault_ms / 1000)
            seeded = torch.Generator().manual_seed(1000 * rank + i)
            return torch.randint(words, (length + 1,), generator=seeded)

    class SelfAttention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.into, self.out = nn.Linear(a.size, 3 * a.size), nn.Linear(a.size, a.size)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            q, k, v = (t.view(t.shape[0], length, 4, -1).transpose(1, 2) for t in self.into(x).chunk(3, -1))
            weights = (q @ k.transpose(-1, -2) * (a.size // 4) ** -0.5).softmax(-1)
            return self.out((weights @ v).transpose(1, 2).reshape(x.shape))

    class Mlp(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.up, self.down = nn.Linear(a.size, 4 * a.size), nn.Linear(4 * a.size, a.size)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.down(torch.relu(self.up(x)))

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention, self.mlp = SelfAttention(), Mlp()
            self.before, self.between = nn.LayerNorm(a.size), nn.LayerNorm(a.size)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = x + self.attention(self.before(x))
            return x + self.mlp(self.between(x))

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(words, a.size)
            self.blocks = nn.Sequential(*(Block() for _ in range(a.layers)))
            self.head = nn.Linear(a.size, words)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.head(self.blocks(self.embedding(x)))

    model = Model()
    ddp = DistributedDataParallel(model, bucket_cap_mb=1)
    optimizer = torch.optim.AdamW(ddp.parameters(), lr=1e-3)
    loss_of = nn.CrossEntropyLoss()
    times = []
    in_block, go, done = map(int, a.block.split(",")) if a.block else (0, -1, -1)
    begun = begun_cpu = 0
    said = time.monotonic()
    if rank == 0 and a.say_every > 0:
        what = "" if a.fault == "none" else ", %s on rank %d from step %d on" % (a.fault, a.fault_rank, a.fault_from)
        print("training: %d ranks, %d steps%s" % (dist.get_world_size(), a.steps, what), flush=True)
    last, last_cpu = time.monotonic_ns(), time.process_time_ns()
    for batch in DataLoader(Words(), batch_size=a.batch):
        if in_block and step % in_block == 0:
            if step:
                os.write(done, b"%d %d %d\n" % (begun, time.monotonic_ns(), time.process_time_ns() - begun_cpu))
            os.read(go, 1)
            begun, begun_cpu = time.monotonic_ns(), time.process_time_ns()
        optimizer.zero_grad()
        if faulty("compile"):
            torch.jit.trace(model, batch[:, :-1], check_trace=False)
        if faulty("extension"):
            build(step)
        if faulty("gc"):
            storm(a.fault_ms)
        for _ in range(2 if faulty("slow") else 1):
            loss = loss_of(ddp(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        loss.backward()
        total = loss.detach().clone()
        if faulty("hang"):
            time.sleep(3600)
        dist.all_reduce(total)
        optimizer.step()
        now, cpu = time.monotonic_ns(), time.process_time_ns()
        times.append((now - last, cpu - last_cpu))
        last, last_cpu = now, cpu
        step += 1
        if rank == 0 and 0 < a.say_every <= time.monotonic() - said and step < a.steps:
            said = time.monotonic()
            print("step %d of %d, the last took %.1f ms" % (step, a.steps, times[-1][0] / 1e6), flush=True)
    if rank == 0:
        print("loss %.6f after %d steps, median %.1f ms" % (total.item() / dist.get_world_size(), step,
                                                            sorted(times)[len(times) // 2][0] / 1e6), flush=True)
        if a.times:
            with open(a.times, "w") as f:
                f.writelines("%d %d\n" % t for t in times)
    dist.destroy_process_group()


def storm(milliseconds: float) -> None:
    """Much that a collection has to walk through, and collections of it for so long."""
    until = time.monotonic() + milliseconds / 1000
    kept = [[{}, [i]] for i in range(50_000)]
    while time.monotonic() < until:
        gc.collect()
    del kept


def build(step: int) -> None:
    """A library of its own for each step, without torch's headers, which would take a minute."""
    from torch.utils import cpp_extension

    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "answer.cpp")
        with open(source, "w") as f:
            f.write("#include <map>\n#include <string>\n#include <regex>\n"
                    "extern \"C\" int answer() { return std::regex_match(std::string(\"%d\"), std::regex(\"[0-9]+\")); }\n" % step)
        cpp_extension.load("argus_example_%d" % step, [source], build_directory=folder, is_python_module=False)


if __name__ == "__main__":
    parsed = arguments()
    if "RANK" in os.environ:
        train(parsed)
    else:
        sys.exit(launch(parsed))
