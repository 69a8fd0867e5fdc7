#!/usr/bin/env python3
"""What Argus as a whole costs the example job: two jobs of the same ranks on the same cores, one with the producer and one without, take strict turns.

    overhead_blocks.py --agent "./argus agent" --launches 8 --blocks 24 --steps 10

Each job waits (blocked in a read) while the other makes a block of steps, so that each block with everything lies beside one without it. The agent is stopped (SIGSTOP)
during blocks without: nothing of Argus runs then but one heartbeat a second of the producer that waits. Orders alternate: with, without; without, with. The ranks are
started anew for each launch, because two processes differ by where their memory lies, and that does not average out within one; the agent goes on, as it does on a host,
and its first blocks (the compilation of its code) are not counted.

One line a block: launch, block, what (on, off; with --same: same, off, both without Argus), wall nanoseconds, CPU nanoseconds of all ranks, CPU nanoseconds of the agent.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO, List, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Job:
    """The ranks of one job, each with a pipe to say go and one to hear of its block."""

    def __init__(self, folder: str, name: str, a: argparse.Namespace, argus: bool) -> None:
        store = os.path.join(folder, name + ".store")
        self.argus = argus
        self.go: List[int] = []
        self.done: List[IO[str]] = []
        self.ranks: List[subprocess.Popen] = []
        cores = sorted(os.sched_getaffinity(0))
        for rank in range(a.ranks):
            go_read, go_write = os.pipe()
            done_read, done_write = os.pipe()
            core = cores[rank % len(cores)]
            env = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(a.ranks), OMP_NUM_THREADS="1", MKL_NUM_THREADS="1",
                       ARGUS_RING_DIR=os.path.join(folder, "rings"), ARGUS_JOB="none", PYTHONHASHSEED="0")
            command = [sys.executable, os.path.join(HERE, "train_ddp.py"), "--ranks", str(a.ranks), "--steps", str((a.blocks + a.warm_up + 1) * a.steps),
                       "--init", "file://" + store, "--say-every", "0", "--block", "%d,%d,%d" % (a.steps, go_read, done_write)]
            self.ranks.append(subprocess.Popen(command + ([] if argus else ["--no-argus"]), env=env, pass_fds=(go_read, done_write),
                                               stdout=subprocess.DEVNULL, preexec_fn=lambda c=core: os.sched_setaffinity(0, {c})))
            os.close(go_read)
            os.close(done_write)
            self.go.append(go_write)
            self.done.append(os.fdopen(done_read))

    def block(self) -> Tuple[int, int]:
        """One block of all ranks: wall nanoseconds from the first begin to the last end, and CPU nanoseconds."""
        for pipe in self.go:
            os.write(pipe, b"g")
        lines = [[int(n) for n in d.readline().split()] for d in self.done]
        return max(x[1] for x in lines) - min(x[0] for x in lines), sum(x[2] for x in lines)

    def end(self) -> None:
        for r in self.ranks:
            r.kill()
        for r in self.ranks:
            r.wait()
        for pipe in self.go:
            os.close(pipe)
        for d in self.done:
            d.close()


class Agent:
    def __init__(self, command: Optional[str], folder: str) -> None:
        self.process: Optional[subprocess.Popen] = None
        if command:
            self.process = subprocess.Popen(shlex.split(command) + ["--rings", os.path.join(folder, "rings")],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def signal(self, what: int) -> None:
        if self.process:
            self.process.send_signal(what)

    def cpu(self) -> int:
        """CPU nanoseconds of its threads that there are."""
        total = 0
        if self.process:
            folder = "/proc/%d/task" % self.process.pid
            for task in os.listdir(folder):
                try:
                    with open(os.path.join(folder, task, "schedstat")) as f:
                        total += int(f.read().split()[0])
                except OSError:
                    continue
        return total

    def end(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()


def launch(number: int, a: argparse.Namespace, folder: str, agent: Agent) -> None:
    agent.signal(signal.SIGCONT)
    first = Job(folder, "first%d" % number, a, not a.same)
    second = Job(folder, "second%d" % number, a, False)
    try:
        for block in range(-a.warm_up, a.blocks):
            for with_argus in ((True, False) if block % 2 == 0 else (False, True)):
                if with_argus:
                    agent.signal(signal.SIGCONT)
                before = agent.cpu()
                wall, cpu = (first if with_argus else second).block()
                spent = agent.cpu() - before
                if with_argus:
                    agent.signal(signal.SIGSTOP)
                if block >= 0:
                    what = "off" if not with_argus else "same" if a.same else "on"
                    print(number, block, what, wall, cpu, spent if with_argus else 0, flush=True)
    finally:
        first.end()
        second.end()


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ranks", type=int, default=2)
    p.add_argument("--launches", type=int, default=8)
    p.add_argument("--blocks", type=int, default=24, help="pairs of blocks a launch")
    p.add_argument("--warm-up", type=int, default=8, help="pairs before them, which are not counted")
    p.add_argument("--steps", type=int, default=10, help="steps a block")
    p.add_argument("--agent", help="command of the agent; without it the producer alone is measured")
    p.add_argument("--same", action="store_true", help="both jobs without Argus: what the measure itself shows")
    parsed = p.parse_args()
    with tempfile.TemporaryDirectory(dir=MEMORY) as scratch:
        os.mkdir(os.path.join(scratch, "rings"), 0o700)
        watcher = Agent(None if parsed.same else parsed.agent, scratch)
        try:
            for n in range(parsed.launches):
                launch(n, parsed, scratch, watcher)
        finally:
            watcher.end()
