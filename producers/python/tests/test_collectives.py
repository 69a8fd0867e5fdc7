"""Identity of collectives: counted alike by all members, whatever else each does."""

import os
import unittest
from collections import defaultdict

from tests.ringreader import LANE, read_all
from tests.support import HERE, Rings, needs_torch

BARRIERS = ("all_reduce", "all_gather", "broadcast", "reduce", "gather", "scatter", "barrier")


@needs_torch
class GroupsTest(Rings):
    def test_four_ranks_many_groups(self):
        self.run_ranks(4, os.path.join(HERE, "worker_groups.py"))
        ranks = read_all(self.rings)
        self.assertEqual([0, 1, 2, 3], [r.identity[1][-1][1] for r in ranks])
        for check in (self.groups, self.begun_and_ended, self.members_agree, self.pairs_match, self.lanes, self.kinds):
            with self.subTest(check.__name__):
                check(ranks)

    def groups(self, ranks):
        names = [{g.members: (g.size, g.name) for g in r.groups.values()} for r in ranks]
        self.assertEqual({"0-3", "0-2", "0,2"}, set(names[0]))
        self.assertEqual({"0-3"}, set(names[3]))
        for members in ("0-3", "0-2", "0,2"):
            self.assertEqual(1, len({n[members] for n in names if members in n}), "one name on all members")
        self.assertEqual(2, [g.dimension for g in ranks[0].groups.values() if g.members == "0-2"][-1], "DDP says it is dp")

    def begun_and_ended(self, ranks):
        for r in ranks:
            self.assertEqual(0, sum(r.dropped))
            self.assertEqual([], r.losses)

            def key(c):
                return (c.op, c.group, c.sequence, c.start, c.thread, c.size, c.operations)

            self.assertEqual([], [c for c in r.begun() if c.sequence < 0], "no begin that no end could be found for")
            wild = {key(c) for c in r.ended()} - {key(c) for c in r.begun()}
            self.assertEqual(1 if r is ranks[0] else 0, len(wild), "the receive from anybody")
            self.assertEqual(sorted(key(c) for c in r.begun()), sorted(key(c) for c in r.ended() if key(c) not in wild))
            for c in r.ended():
                self.assertTrue(c.flags & 4, "gloo: times of the work itself")
                self.assertGreaterEqual(c.duration, 0)
                self.assertTrue(c.name.startswith("gloo:"), c.name)

    def members_agree(self, ranks):
        calls = defaultdict(lambda: defaultdict(list))
        for i, r in enumerate(ranks):
            for c in r.ended():
                if c.op in BARRIERS:
                    calls[r.groups[c.group].members][i].append(c)
        self.assertEqual([0, 1, 2, 3], sorted(calls["0-3"]))
        self.assertEqual([0, 2], sorted(calls["0,2"]))
        for members, by_rank in calls.items():
            seen = [sorted(c.identity() + (c.peer,) for c in cs) for cs in by_rank.values()]
            for other in seen[1:]:
                self.assertEqual(seen[0], other, members)
            numbers = sorted(c.sequence for c in next(iter(by_rank.values())))
            self.assertEqual(list(range(len(numbers))), numbers, "no number is missing")
        ddp = [c for c in calls["0-2"][0] if c.op == "all_reduce" and c.thread >= LANE]
        self.assertGreaterEqual(len(ddp), 3 + 2 * 3, "the reducer's own, where our hook is")

    def pairs_match(self, ranks):
        sent, received = defaultdict(list), defaultdict(list)
        for i, r in enumerate(ranks):
            for c in r.ended():
                if c.op == "send":
                    sent[i, c.peer].append((c.sequence, c.size))
                elif c.op == "recv":
                    received[c.peer, i].append((c.sequence, c.size))
        self.assertEqual({(i, (i + d) % 4) for i in range(4) for d in (1, 3)}, set(sent))
        self.assertEqual({k: sorted(v) for k, v in sent.items()}, {k: sorted(v) for k, v in received.items()})
        self.assertEqual([(0, 16), (1, 16), (2, 16), (3, 64), (4, 64)], sorted(sent[0, 1]))
        self.assertEqual(6, len(received[3, 0]), "one of them named no source, which is known when it has come")

    def lanes(self, ranks):
        for r in ranks:
            by_thread = defaultdict(list)
            for c in r.ended():
                by_thread[c.thread].append((c.start, c.start + c.duration))
            self.assertTrue(any(t >= LANE for t in by_thread), "asynchronous work has lanes of its own")
            main = r.identity[13][-1][1]
            self.assertEqual({main}, {t for t in by_thread if t < LANE})
            for lane, times in by_thread.items():
                times.sort()
                for (_, end), (start, _) in zip(times, times[1:]):
                    self.assertLessEqual(end, start, "two at once on lane %x" % lane)

    def kinds(self, ranks):
        one = [c for c in ranks[1].ended() if ranks[1].groups[c.group].members == "0-3"]
        by_op = {c.op: c for c in one}
        self.assertEqual(1, next(c for c in one if c.op == "broadcast" and c.size == 32).peer)
        self.assertEqual(2, by_op["reduce"].peer)
        self.assertEqual(3, by_op["scatter"].peer)
        self.assertEqual(4 * 32, next(c for c in one if c.op == "all_gather").size, "bytes of the whole operation")
        self.assertEqual(-1, by_op["barrier"].size)


if __name__ == "__main__":
    unittest.main()
