"""Time on the GPU: events on the current stream at both ends of a phase, asked much later whether they are done, never waited for.

An event's elapsed time is a float of milliseconds, so times are taken within one step only: from the event at the step's beginning,
which stands for the CPU time at which it was put into the stream. A duration is exact; a start is early by what was still queued then.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, List, NamedTuple, Optional, Tuple

from . import _layout as L
from ._phases import Open, Phases
from ._recorder import Recorder

_MOST_STEPS = 8
_MOST_PAIRS = 256


class Mark(NamedTuple):
    """An event in a stream, and which step it belongs to."""

    event: Any
    stream: int
    step: int


class _Step(NamedTuple):
    number: int
    start: int
    first: Mark
    pairs: List[Tuple[Open, Mark, Mark]]


class Gpu:
    """Pool of events, and the steps whose events have not been read. `cuda` is torch.cuda, or what stands in for it."""

    def __init__(self, cuda: Any, to: Recorder, spans: Phases) -> None:
        self._cuda = cuda
        self._to = to
        self._phases = spans
        self._free: List[Any] = []
        self._running: Optional[_Step] = None
        self._waiting: Deque[Tuple[_Step, Optional[Mark]]] = deque()
        self._step = 0

    def usable(self) -> bool:
        """Never the one that initialises CUDA."""
        return bool(self._cuda.is_initialized()) and not self._capturing()

    def _capturing(self) -> bool:
        capturing = getattr(self._cuda, "is_current_stream_capturing", None)
        return bool(capturing is not None and capturing())

    def mark(self) -> Optional[Mark]:
        """An event on the current stream, now. None while a graph is captured, which must not contain it."""
        if not self.usable():
            return None
        stream = self._cuda.current_stream()
        event = self._free.pop() if self._free else self._cuda.Event(enable_timing=True)
        event.record(stream)
        return Mark(event, int(getattr(stream, "cuda_stream", 0)), self._step)

    def pair(self, span: Open, end: Optional[Mark]) -> None:
        """Both ends of a span are in the stream."""
        begin: Mark = span.event
        running = self._running
        if end is None or running is None or begin.step != end.step or begin.stream != end.stream:
            self._give(begin, end)  # across steps or streams there is no time between them
        elif len(running.pairs) >= _MOST_PAIRS:
            self._give(begin, end)
            self._count()
        else:
            running.pairs.append((span, begin, end))

    def step_begins(self, number: int, start: int) -> None:
        if not self._to.phases_on:
            self._step_over(None)
            return
        self._step += 1
        first = self.mark()
        self._step_over(first)
        self._running = _Step(number, start, first, []) if first is not None else None

    def _step_over(self, last: Optional[Mark]) -> None:
        if self._running is not None:
            self._waiting.append((self._running, last))
            self._running = None
        while len(self._waiting) > _MOST_STEPS:
            self._count(1 + len(self._waiting[0][0].pairs))
            self._drop(*self._waiting.popleft())

    def poll(self) -> None:
        """Reads the steps that the GPU is done with, oldest first."""
        while self._waiting:
            step, last = self._waiting[0]
            end = last if last is not None else (step.pairs[-1][2] if step.pairs else step.first)
            if not end.event.query() or not all(p[2].event.query() for p in step.pairs[-4:]):
                return
            self._waiting.popleft()
            self._read(step, last)
            self._drop(step, last)

    def _read(self, step: _Step, last: Optional[Mark]) -> None:
        ring = self._to.ring
        if ring is None:
            return
        for span, begin, end in step.pairs:
            if not end.event.query():
                self._count()
                continue
            offset = int(step.first.event.elapsed_time(begin.event) * 1e6)
            duration = int(begin.event.elapsed_time(end.event) * 1e6)
            if duration < 0:
                ring.count(L.LOST_IMPOSSIBLE)
                continue
            ring.later((L.KIND_SHADOW, span.dimension, 0, span.name, step.start + max(0, offset), duration, begin.stream,
                        span.enclosing, 0))
        if last is not None and last.stream == step.first.stream:
            duration = int(step.first.event.elapsed_time(last.event) * 1e6)
            ring.later((L.STEP_GPU, step.start, max(0, duration), step.first.stream, step.number))

    def _drop(self, step: _Step, last: Optional[Mark]) -> None:
        # The last event of a step is the first of the next, which gives it back.
        self._give(step.first, *(m for p in step.pairs for m in p[1:]))

    def _give(self, *marks: Optional[Mark]) -> None:
        for m in marks:
            if m is not None and len(self._free) < 4 * _MOST_PAIRS:
                self._free.append(m.event)

    def _count(self, n: int = 1) -> None:
        ring = self._to.ring
        if ring is not None:
            ring.count(L.LOST_NO_BUFFER, n)
