"""Times on the GPU, against a stand-in for torch.cuda whose clock the test turns."""

import os
import time
import unittest

from argus import _layout as L
from argus._config import Config
from argus._cuda import Gpu
from argus._phases import Phases
from argus._recorder import Recorder
from argus._ring import Ring
from argus._ringfile import Head, create
from argus._steps import Steps
from tests.ringreader import read
from tests.support import Rings


class Stream:
    def __init__(self, number):
        self.cuda_stream = number


class Cuda:
    """A GPU on which events happen when the test says so. Waiting for it is an error."""

    def __init__(self):
        self.now = 0.0
        self.stream = Stream(7)
        self.capturing = False
        self.initialized = True
        self.reached = 0
        self.recorded = []
        outer = self

        class Event:
            made = 0

            def __init__(self, enable_timing=False):
                assert enable_timing
                Event.made += 1

            def record(self, stream):
                self.at = outer.now
                outer.recorded.append(self)
                self.number = len(outer.recorded)

            def query(self):
                return self.number <= outer.reached

            def elapsed_time(self, other):
                assert self.query() and other.query(), "not done: torch would raise"
                return (other.at - self.at) * 1.0

            def synchronize(self):
                raise AssertionError("nobody may wait")

        self.Event = Event

    def is_initialized(self):
        return self.initialized

    def is_current_stream_capturing(self):
        return self.capturing

    def current_stream(self):
        return self.stream

    def synchronize(self):
        raise AssertionError("nobody may wait")

    def finish(self):
        self.reached = len(self.recorded)


class GpuTest(Rings):
    def setUp(self):
        super().setUp()
        self.to = Recorder()
        self.to.config = Config()
        self.to.live = True
        self.to.ring = Ring(create(self.rings, "x.ring", Head(2, 4096, 1, 1, 2, 3)), 4096)
        self.to._apply()
        self.phases = Phases(self.to)
        self.cuda = Cuda()
        self.gpu = self.phases.gpu = Gpu(self.cuda, self.to, self.phases)
        self.steps = Steps(self.to)
        self.steps.on_begin.append(lambda n: self.gpu.step_begins(n, self.steps.start))
        self.steps.on_end.append(lambda n: self.gpu.poll())

    def content(self):
        self.assertEqual(0, self.to.errors)
        self.to.ring.flush()
        return read(os.path.join(self.rings, "x.ring"))

    def phase(self, name, milliseconds, stream=None):
        span = self.phases.begin(name, 2)
        self.cuda.now += milliseconds
        if stream is not None:
            self.cuda.stream = stream
        self.phases.end(span)

    def step(self, *phases):
        self.steps.begin()
        for name, ms in phases:
            self.phase(name, ms)
        self.steps.end()

    def test_durations_and_places_are_the_gpus_and_read_late(self):
        self.step(("forward", 3), ("backward", 5))
        self.assertEqual([], [s for s in self.content().spans if s.kind == 5], "the GPU is not there yet")
        self.step(("forward", 4))
        self.cuda.finish()
        self.gpu.poll()
        c = self.content()
        shadow = [s for s in c.spans if s.kind == 5]
        self.assertEqual([("forward", 3_000_000), ("backward", 5_000_000)], [(s.name, s.duration) for s in shadow])
        first = next(s for s in c.steps if s.flags & 4)
        self.assertEqual([first.start, first.start + 3_000_000], [s.start for s in shadow])
        self.assertEqual({7}, {s.thread for s in shadow})
        self.assertEqual({2}, {s.dimension for s in shadow})
        self.assertEqual([(0, 8_000_000, 7)], [(s.number, s.duration, s.thread) for s in c.steps if s.flags & 1])

    def test_events_are_used_again(self):
        for _ in range(50):
            self.step(("forward", 1), ("backward", 1))
            self.cuda.finish()
        self.assertLessEqual(self.cuda.Event.made, 16)
        self.assertEqual(0, self.content().dropped[L.LOST_NO_BUFFER])

    def test_a_gpu_that_does_not_come_loses_counted_steps_and_never_blocks(self):
        for _ in range(20):
            self.step(("forward", 1))
        c = self.content()
        self.assertEqual([], [s for s in c.spans if s.kind == 5])
        self.assertGreater(c.dropped[L.LOST_NO_BUFFER], 10)
        self.assertLess(self.cuda.Event.made, 64)

    def test_nothing_is_measured_over_two_streams_or_two_steps(self):
        self.steps.begin()
        self.phase("forward", 1, Stream(9))
        open_span = self.phases.begin("backward", 2)
        self.steps.end()
        self.steps.begin()
        self.phases.end(open_span)
        self.steps.end()
        self.steps.begin()
        self.cuda.finish()
        self.gpu.poll()
        self.assertEqual([], [s for s in self.content().spans if s.kind == 5])

    def test_nothing_goes_into_a_graph_that_is_captured_or_initialises_cuda(self):
        for name in ("capturing", "initialized"):
            self.cuda.capturing, self.cuda.initialized = name == "capturing", name != "initialized"
            self.step(("forward", 1))
        self.assertEqual([], self.cuda.recorded)
        self.assertEqual(2, len(self.content().named("forward")), "on the CPU they are there")

    def test_without_phases_no_events(self):
        self.to.phases_on = False
        self.steps.on_begin[0](0)
        self.assertEqual([], self.cuda.recorded)


class OverheadOfNothing(unittest.TestCase):
    def test_hooks_of_a_recorder_that_is_off_do_nothing(self):
        to = Recorder()
        spans = Phases(to)
        self.assertIsNone(spans.begin("forward", 0))
        spans.end(None)
        Steps(to).begin()
        self.assertIsNone(to.ring)
        self.assertGreater(time.monotonic_ns(), 0)


if __name__ == "__main__":
    unittest.main()
