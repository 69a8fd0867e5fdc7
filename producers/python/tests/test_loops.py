"""Steps and phases of plain loops."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from tests.ringreader import read_all
from tests.support import HERE, PACKAGE, Rings, environment, needs_torch

NEXT = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


CASES = ("plain", "workers", "accumulation", "two_optimizers", "explicit", "evaluation", "errors", "storms", "interleaved",
         "operators", "broken", "heartbeat")


@needs_torch
class LoopsTest(Rings):
    @classmethod
    def setUpClass(cls):
        cls.cases = tempfile.mkdtemp(prefix="argus-test-")
        cls.addClassCleanup(shutil.rmtree, cls.cases, True)
        cls.came_through = subprocess.run(
            [sys.executable, os.path.join(HERE, "worker_plain.py"), cls.cases, *CASES], stdout=subprocess.PIPE, text=True,
            env=environment(ARGUS_RING_KEEP="1", ARGUS_DEBUG="1"), timeout=300).stdout.splitlines()

    def ring_of(self, case):
        with open(os.path.join(self.cases, case, "said")) as f:
            self.said = f.read()
        self.assertIn(case + " True", self.came_through, self.said)
        return self.only(read_all(os.path.join(self.cases, case, "rings")))

    def only(self, rings):
        self.assertEqual(1, len(rings), "one process, one ring")
        self.assertEqual(3, rings[0].header["state"], "closed in order")
        return rings[0]

    def numbers(self, ring):
        return [s.number for s in ring.whole_steps()]

    def test_a_plain_loop(self):
        r = self.ring_of("plain")
        self.assertEqual([0, 1, 2, 3, 4, 5], self.numbers(r))
        begun = {s.number: s for s in r.steps if s.flags & 4}
        for s in r.whole_steps():
            self.assertEqual((s.start, 0, s.thread), (begun[s.number].start, begun[s.number].duration, begun[s.number].thread))
        for name in ("forward", "backward", "Optimizer.step#SGD.step", "self_attention", "mlp", "moe_experts"):
            self.assertEqual(6, len([s for s in r.spans if s.name == name and not s.flags & 1]), name)
        for s in r.whole_steps():
            inside = [p for p in r.spans if s.start <= p.start and p.end <= s.start + s.duration and not p.flags & 1]
            order = [p.name for p in sorted(inside, key=lambda p: p.start) if not p.enclosing and "iter" not in p.name
                     and "gc." not in p.name]
            self.assertEqual([NEXT, "forward", "backward", "Optimizer.step#SGD.step"], order)
        self.assertEqual({"forward"}, {s.enclosing for s in r.spans if s.name in ("self_attention", "mlp", "moe_experts")})
        self.assertEqual({0}, {s.dimension for s in r.spans}, "no peers in a job of one")
        self.assertEqual(0, sum(r.dropped))
        self.assertIn("torch=", " ".join(t for t, _ in r.identity[7]))

    def test_without_import_by_the_environment(self):
        """The line of the .pth file, as site would run it: torch is not imported by it, but hooked when it is."""
        with open(os.path.join(PACKAGE, "argus-start.pth")) as f:
            line = f.read()
        with open(os.path.join(self.folder, "sitecustomize.py"), "w") as f:
            f.write(line + "\nimport sys\nassert 'torch' not in sys.modules\n")
        self.run_python(os.path.join(HERE, "worker_plain.py"), ARGUS="1", PYTHONPATH=self.folder + os.pathsep + PACKAGE)
        self.assertEqual([0, 1, 2, 3, 4, 5], self.numbers(self.only(read_all(self.rings))))

    def test_workers_of_a_loader_write_nothing(self):
        r = self.ring_of("workers")
        self.assertEqual([0, 1, 2, 3, 4, 5], self.numbers(r))
        self.assertEqual(7, len(r.named("_MultiProcessingDataLoaderIter.__next__")))

    def test_gradient_accumulation_is_one_step_an_optimizer_step(self):
        r = self.ring_of("accumulation")
        self.assertEqual([0, 1, 2], self.numbers(r))
        self.assertEqual(12, len(r.named("forward")))

    def test_of_several_optimizers_the_first_and_outermost_ends_the_step(self):
        r = self.ring_of("two_optimizers")
        self.assertEqual([0, 1, 2, 3, 4], self.numbers(r))
        self.assertEqual((5, 5), (len(r.named("Optimizer.step#Outer")), len(r.named("Optimizer.step#SGD"))))

    def test_the_users_own_steps(self):
        r = self.ring_of("explicit")
        self.assertEqual([100, 101, 102, 103, 104], self.numbers(r))
        self.assertEqual([105], [s.number for s in r.steps if s.flags & 4][-1:])
        self.assertEqual([1, 1, 1], [s.dimension for s in r.named("get_batch")])

    def test_evaluation_and_checkpoints_have_their_names(self):
        r = self.ring_of("evaluation")
        self.assertEqual([0, 1, 2, 3], self.numbers(r))
        self.assertEqual((4, 3, 1), (len(r.named("forward")), len(r.named("evaluation")), len(r.named("checkpoint torch.save"))))

    def test_what_the_user_raises_passes_through(self):
        r = self.ring_of("errors")
        self.assertEqual([0, 1], self.numbers(r)[-2:])
        self.assertEqual("", [s for s in r.spans if s.name == "forward"][-1].enclosing)

    def test_garbage_collection_and_compilation_are_named(self):
        r = self.ring_of("storms")
        collections = [s for s in r.named("argus: gc.collect (generation 2)") if s.duration > 1_000_000]
        self.assertTrue(collections)
        self.assertEqual({3}, {s.kind for s in collections})
        self.assertTrue(r.named("argus: torch.jit.trace"))
        self.assertTrue(r.named("argus: torch.jit.script"))

    def test_interleaving_and_signals_are_obeyed(self):
        r = self.ring_of("interleaved")
        flags = {s.number: s.flags for s in r.whole_steps()}
        self.assertEqual({n: 2 if n % 5 >= 2 else 0 for n in range(10)}, {n: f for n, f in flags.items() if n < 10})
        self.assertEqual([10, 11, 14], [n for n in flags if n > 9], "without the signal no steps are recorded, but counted")
        with_phases = set()
        for s in r.whole_steps():
            if any(s.start <= p.start < s.start + s.duration for p in r.named("forward")):
                with_phases.add(s.number)
        self.assertEqual({0, 1, 5, 6, 14}, with_phases)
        self.assertEqual([(8, 3), (8, 3)], [(reason, n) for reason, _, _, n in r.losses])
        self.assertEqual(6, r.dropped[8])
        self.assertEqual(4 << 56 | 0xFFFF, r.header["obeyed"])

    def test_operators(self):
        self.assertEqual([], [s for s in self.ring_of("plain").spans if s.kind == 2], "only where they are allowed")
        r = self.ring_of("operators")
        of_forward = {s.name for s in r.spans if s.kind == 2 and s.enclosing in ("forward", "mlp", "self_attention")}
        self.assertIn("aten::addmm", of_forward)
        self.assertTrue([s for s in r.spans if s.kind == 2 and s.enclosing == "backward"])

    def test_errors_of_our_own_reach_nobody(self):
        r = self.ring_of("broken")
        self.assertGreaterEqual(r.dropped[7], 99)
        self.assertEqual(1, self.said.count("argus: goes off"), self.said)

    def test_the_heart_beats_while_nothing_happens(self):
        r = self.ring_of("heartbeat")
        self.assertGreaterEqual(r.header["beat"] - r.clocks[0][1], 1_000_000_000)


if __name__ == "__main__":
    unittest.main()
