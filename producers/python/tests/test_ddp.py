"""The example job under the producer: two ranks of DistributedDataParallel, healthy and with faults."""

import os
import time
import unittest

from tests.ringreader import LANE, read_all
from tests.support import PACKAGE, Rings, needs_torch

JOB = os.path.join(PACKAGE, "examples", "train_ddp.py")
SMALL = ("--size", "32", "--layers", "2", "--batch", "4")


@needs_torch
class DdpTest(Rings):
    def test_steps_phases_and_reducers_calls_of_two_ranks(self):
        self.run_ranks(2, JOB, *SMALL, "--steps", "6", "--fault", "compile", "--fault-from", "3")
        ranks = read_all(self.rings)
        self.assertEqual([[0, 1, 2, 3, 4, 5]] * 2, [[s.number for s in r.whole_steps()] for r in ranks])
        for r in ranks:
            self.assertEqual(0, sum(r.dropped))
            self.assertEqual({2}, {s.dimension for s in r.named("forward") + r.named("mlp") + r.named("Optimizer.step")})
            for s in r.whole_steps():
                inside = [c for c in r.ended() if s.start <= c.start < s.start + s.duration]
                self.assertTrue([c for c in inside if c.thread >= LANE and c.op == "all_reduce"], "the reducer's")
                self.assertTrue([c for c in inside if c.size == 4], "the loop's own")
            self.assertEqual(2 * 6, len(r.named("self_attention")), "what a tracer calls is no forward pass")
            self.assertEqual([("gloo", 0)], r.identity[11])
        calls = [[(c.op, c.sequence, c.size) for c in sorted(r.ended(), key=lambda c: c.sequence)] for r in ranks]
        self.assertEqual(calls[0], calls[1])
        self.assertEqual((0, 3), tuple(len(r.named("argus: torch.jit.trace")) for r in ranks))

    def test_a_rank_that_never_comes_is_seen_by_what_it_has_not_begun(self):
        ranks = self.start_ranks(2, JOB, *SMALL, "--steps", "6", "--fault", "hang", "--fault-from", "2")
        seen = []
        until = time.monotonic() + 60
        while time.monotonic() < until and not self.hangs(seen):
            time.sleep(0.2)
        for p in ranks:
            p.kill()
        waiting, missing = self.open_calls(0), self.open_calls(1)
        self.assertEqual([("all_reduce", 4)], [(c.op, c.size) for c in waiting])
        self.assertEqual([], missing)
        reached = [max(c.sequence for c in r.begun()) for r in read_all(self.rings)]
        self.assertEqual(reached[0], reached[1] + 1)
        for r in read_all(self.rings):
            self.assertEqual([2], [s.number for s in r.steps if s.flags & 4 and s.number not in {e.number for e in r.whole_steps()}])

    def hangs(self, _):
        try:
            rings = read_all(self.rings)
        except (OSError, AssertionError, KeyError):
            return False
        return len(rings) == 2 and all(len(r.whole_steps()) == 2 for r in rings) and bool(self.open_calls(0))

    def open_calls(self, rank):
        r = read_all(self.rings)[rank]
        over = {(c.op, c.group, c.sequence) for c in r.ended()}
        return [c for c in r.begun() if (c.op, c.group, c.sequence) not in over and c.size == 4]


if __name__ == "__main__":
    unittest.main()
