#!/usr/bin/python3
"""A small real training job which records one PyTorch profiler trace per rank.

Four processes train a small language model with DistributedDataParallel over gloo, on CPUs.
From a given step on one of them computes its batch several times over, so that it is late
for the all-reduce of the gradients and the others wait for it.

    /usr/bin/python3 example/train.py --out DIR                  # rank 2 slow from step 8 on
    /usr/bin/python3 example/train.py --out DIR --healthy        # nobody slow
    /usr/bin/python3 example/train.py --out DIR --slow-rank 0 --slow-factor 1.6

Needs python3-torch (written for 1.13), two idle CPU cores and about fifteen seconds.
"""

import argparse
import datetime
import gc
import glob
import gzip
import os
import shutil
import signal
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import BatchSampler, DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

SEED = 20240607
VOCABULARY, CONTEXT, WIDTH, LAYERS = 64, 8, 256, 2
BATCH = 64
UNRECORDED = 3  # the first steps allocate, and DDP regroups its gradients in them


class LanguageModel(nn.Module):
    """Predicts the next token from the last few: embedding, residual feed-forward blocks, projection."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH // CONTEXT)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
            for _ in range(LAYERS))
        self.head = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY))

    def forward(self, tokens):
        hidden = self.embedding(tokens).flatten(1)
        for block in self.blocks:
            hidden = hidden + block(hidden)
        return self.head(hidden)


def samples(count):
    """Contexts of random tokens; the token to predict follows from the last by a rule the model can learn."""
    tokens = torch.randint(VOCABULARY, (count, CONTEXT), generator=torch.Generator().manual_seed(SEED))
    return tokens, (5 * tokens[:, -1] + 1) % VOCABULARY


def train(rank, options, folder):
    # One core per rank, dealt round: otherwise the scheduler may put three ranks on one core.
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group(
        "gloo", init_method="file://" + os.path.join(folder, "rendezvous"), rank=rank, world_size=options.ranks,
        timeout=datetime.timedelta(seconds=options.timeout))

    steps = UNRECORDED + options.steps
    data = TensorDataset(*samples(steps * BATCH * options.ranks))
    sampler = BatchSampler(DistributedSampler(data, options.ranks, rank, seed=SEED), BATCH, drop_last=True)
    batches = iter(DataLoader(data, sampler=sampler, batch_size=None, num_workers=0))
    model = nn.parallel.DistributedDataParallel(LanguageModel())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    criterion = nn.CrossEntropyLoss()

    def save(profiler):
        profiler.export_chrome_trace(os.path.join(folder, "rank%d.pt.trace.json" % rank))

    gc.collect()
    gc.disable()  # as large jobs do: a collection on one rank makes all others wait
    losses = []
    plan = schedule(wait=UNRECORDED - 1, warmup=1, active=options.steps, repeat=1)
    with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=save) as profiler:
        for step in range(steps):
            # PyTorch 1.13 numbers its ProfilerStep marks one behind the loop; count as the trace does.
            number = int(profiler.step_rec_fn.name.split("#")[1])
            slow = rank == options.slow_rank and number >= options.slow_from and not options.healthy
            # Every rank picks rows, so that all launch the same operators; the slow rank picks each row more often.
            rows = torch.arange(round(BATCH * (options.slow_factor if slow else 1))) % BATCH
            with record_function("dataloader"):
                tokens, answers = next(batches)
            with record_function("forward"):
                loss = criterion(model(tokens[rows]), answers[rows])
            with record_function("backward"):  # DDP all-reduces the gradients in here and waits at its end
                loss.backward()
            with record_function("optimizer"):
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            # The mean loss, for the log. Waiting for it also gives gloo's threads time to note the end of the
            # gradients' all-reduce: an event whose end comes after the last step is lost.
            mean = loss.detach() / options.ranks
            dist.all_reduce(mean)
            losses.append(mean)
            profiler.step()
    dist.barrier()
    if rank == 0:
        print("mean loss %.3f at the first step, %.3f at the last" % (losses[0], losses[-1]))
    dist.destroy_process_group()


def run(options, folder):
    """Runs all ranks; raises when one of them fails or time is up. No process outlives the call."""
    workers = mp.start_processes(train, (options, folder), options.ranks, join=False, start_method="spawn")
    deadline = time.monotonic() + options.timeout
    try:
        while not workers.join(timeout=1):
            if time.monotonic() > deadline:
                raise TimeoutError("not done after %d s" % options.timeout)
    finally:
        for process in workers.processes:
            if process.is_alive():
                process.kill()
            process.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the traces; made when missing")
    parser.add_argument("--ranks", type=int, default=4, metavar="N", help="processes (default 4)")
    parser.add_argument("--steps", type=int, default=16, metavar="N", help="recorded steps (default 16)")
    parser.add_argument("--slow-rank", type=int, default=2, metavar="N", help="the slow rank (default 2)")
    parser.add_argument("--slow-factor", type=float, default=2.5, metavar="X", help="its work, 1 = as the others (default 2.5)")
    parser.add_argument("--slow-from", type=int, default=10, metavar="N", help="its first slow step, as numbered in the trace (default 10)")
    parser.add_argument("--healthy", action="store_true", help="slow nobody down")
    parser.add_argument("--timeout", type=int, default=120, metavar="S", help="give up after so many seconds (default 120)")
    options = parser.parse_args()
    if options.ranks < 2 or options.steps < 1 or options.timeout < 1 or options.slow_factor < 1:
        parser.error("needs --ranks >= 2, --steps >= 1, --timeout >= 1 and --slow-factor >= 1")
    if not options.healthy and not 0 <= options.slow_rank < options.ranks:
        parser.error("--slow-rank must be one of 0 to %d" % (options.ranks - 1))

    names = ["rank%d.pt.trace.json" % rank for rank in range(options.ranks)]
    others = {os.path.basename(f) for f in glob.glob(os.path.join(glob.escape(options.out), "*.pt.trace.json*"))}
    others -= {name + ".gz" for name in names}
    if others:
        parser.error("%s holds traces of another job: %s" % (options.out, ", ".join(sorted(others)[:3])))

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the clean-up below runs
    folder = tempfile.mkdtemp(prefix="argus-example-")
    try:
        run(options, folder)
        os.makedirs(options.out, exist_ok=True)
        for name in names:  # the bytes the profiler wrote, compressed as by gzip -9n
            with open(os.path.join(folder, name), "rb") as trace, \
                    open(os.path.join(options.out, name + ".gz"), "wb") as file, \
                    gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
                shutil.copyfileobj(trace, packed)
    except Exception as failure:
        sys.exit("train.py: %s" % failure)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("wrote %d traces to %s" % (options.ranks, options.out))


if __name__ == "__main__":
    main()
