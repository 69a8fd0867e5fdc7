#!/usr/bin/env python3
"""What the producer costs, for information: a record in nanoseconds, and the example job with and without it.

    measure_overhead.py                 each kind of record, each kind of hook, alone in a loop
    measure_overhead.py --job 400       train_ddp.py on two ranks, the producer on and off in turn by the control word, step for step
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from typing import Callable, List

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # where rings lie; on a disk the first touch of a page costs more
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))


def alone(name: str, call: Callable[[], object], n: int = 20_000, records: int = 1) -> None:
    """Best and median of seven loops."""
    runs = []
    for _ in range(7):
        start = time.perf_counter_ns()
        for _ in range(n):
            call()
        runs.append((time.perf_counter_ns() - start) / n)
    print("%-44s %7.0f ns, median %7.0f ns, %d record%s" % (name, min(runs), statistics.median(runs), records,
                                                           "" if records == 1 else "s"))


def records() -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        os.environ.update(ARGUS_RING_DIR=os.path.join(folder, "rings"), ARGUS_RING_RECORDS=str(1 << 22))
        import argus
        from argus._phases import phases
        from argus._recorder import recorder
        from argus._steps import steps

        assert argus.start()
        ring = recorder.ring
        assert ring is not None
        name = ring.name("forward")
        ring.define_group(1, 2, ring.name("g"), 0, ring.name("0-1"), 2)
        alone("an empty call", lambda: None)
        alone("step", lambda: ring.step(0, 1, 2, 3, 4))
        alone("span", lambda: ring.span(1, 2, 0, name, 1, 2, 3))
        alone("collective", lambda: ring.collective(1, 4, 1, 1, 2, 3, 0, -1, 1, 1024, 5, 2, name), records=2)

        def part() -> None:
            phases.end(phases.begin("mlp", 2, False))

        def phase() -> None:
            phases.end(phases.begin("forward", 2))

        def step() -> None:
            steps.begin()
            steps.end()

        alone("a part of a model, begin and end", part)
        alone("a phase, begin and end", phase, records=2)
        alone("a step, begin and end, control, heartbeat", step, records=2)
        try:
            import torch
        except ImportError:
            return
        from argus._collectives import collectives
        from argus._groups import groups

        dist = torch.distributed
        dist.init_process_group("gloo", init_method="file://" + os.path.join(folder, "store"), rank=0, world_size=1)
        groups.of(None)
        call = collectives.wrapper("all_reduce", lambda tensor, op=None, group=None, async_op=False: None)
        tensor = torch.ones(4)
        alone("all_reduce around nothing", lambda: call(tensor), records=4)
        recorder.stop()
        alone("the same, switched off", lambda: call(tensor), records=0)


def job(steps: int) -> None:
    """One run, in which the control word switches everything but the steps themselves off in every second step."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        rings, times = os.path.join(folder, "rings"), os.path.join(folder, "times")
        run = subprocess.Popen([sys.executable, os.path.join(HERE, "train_ddp.py"), "--steps", str(steps), "--say-every", "0", "--times", times],
                               env=dict(os.environ, ARGUS_RING_DIR=rings))
        told = 0
        while run.poll() is None and told < 2:
            time.sleep(0.1)
            found = [f for f in os.listdir(rings) if f.endswith(".ring")] if os.path.isdir(rings) else []
            if len(found) == 2:
                for f in found:
                    with open(os.path.join(rings, f), "r+b") as ring:
                        ring.seek(280)
                        ring.write(struct.pack("<Q", 0xFFFF | 1 << 32 | 1 << 40 | 1 << 56))
                    told += 1
        run.wait()
        with open(times) as f:
            rows = [tuple(map(int, line.split())) for line in f][10:]
    for what, column in (("duration", 0), ("CPU time", 1)):
        pairs: List[float] = [rows[i][column] / rows[i + 1][column] - 1 for i in range(0, len(rows) - 1, 2)]
        again = random.Random(1)
        spread = sorted(statistics.median(again.choices(pairs, k=len(pairs))) for _ in range(2000))
        print("%s of %d pairs of steps: %.1f ms, on over off %+.2f %%, 95 %% interval %+.2f to %+.2f %%"
              % (what, len(pairs), statistics.median(r[column] for r in rows) / 1e6, 100 * statistics.median(pairs),
                 100 * spread[50], 100 * spread[1949]))


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--job", type=int, default=0, metavar="STEPS")
    a = p.parse_args()
    job(a.job) if a.job else records()
