"""Phases and their parts as spans, on the CPU's clock and, where there is a GPU, by events on its stream."""

from __future__ import annotations

import threading
import time
from typing import Any, List, NamedTuple, Optional

from . import _layout as L
from ._recorder import Recorder, recorder
from ._threads import thread_id


class Open(NamedTuple):
    """A span that runs."""

    name: int
    dimension: int
    kind: int
    start: int
    thread: int
    enclosing: int
    event: Any


class _Stack(threading.local):
    def __init__(self) -> None:
        self.names: List[int] = []
        self.silent = False


class Phases:
    """Begins and ends spans. `begin` gives None where phases are off; `end` takes that."""

    def __init__(self, to: Recorder) -> None:
        self._to = to
        self._stack = _Stack()
        #: Set where there is a GPU: marks events on its current stream, and takes pairs of them.
        self.gpu: Optional[Any] = None
        #: The dimension whose peers do the same work, for whole phases: dp in a job of several ranks.
        self.dimension = L.DIM_NONE

    def begin(self, name: str, dimension: int, announce: bool = True, kind: int = L.KIND_ANNOTATION,
              gpu: bool = True) -> Optional[Open]:
        to = self._to
        ring = to.ring
        if not to.phases_on or ring is None:
            return None
        try:
            stack = self._stack
            if stack.silent:
                return None
            i = ring.name(name)
            names = stack.names
            enclosing = names[-1] if names else 0
            event = self.gpu.mark() if gpu and self.gpu is not None else None
            thread = thread_id()
            start = time.monotonic_ns()
            if announce:
                ring.span(kind, dimension, L.SPAN_BEGIN, i, start, 0, thread, enclosing)
            names.append(i)
            return Open(i, dimension, kind, start, thread, enclosing, event)
        except Exception:
            to.failed()
            return None

    def end(self, span: Optional[Open]) -> None:
        if span is None:
            return
        to = self._to
        try:
            now = time.monotonic_ns()
            names = self._stack.names
            # What was left open by an exception goes with it.
            if span.name in names:
                while names.pop() != span.name:
                    pass
            ring = to.ring
            if ring is None:
                return
            ring.span(span.kind, span.dimension, 0, span.name, span.start, now - span.start, span.thread, span.enclosing)
            if span.event is not None and self.gpu is not None:
                self.gpu.pair(span, self.gpu.mark())
        except Exception:
            to.failed()

    def silence(self, on: bool) -> None:
        """Nothing begins on this thread meanwhile: a compiler that calls the model runs no forward pass."""
        self._stack.silent = on

    def within(self, name: str) -> bool:
        """True if a span of this name runs on this thread, innermost."""
        ring = self._to.ring
        names = self._stack.names
        return ring is not None and bool(names) and names[-1] == ring.name(name)

    def span(self, name: str, start: int, end: int, kind: int = L.KIND_PYTHON, dimension: int = L.DIM_NONE) -> None:
        """A span that is over already."""
        ring = self._to.ring
        if ring is not None and self._to.phases_on:
            names = self._stack.names
            ring.span(kind, dimension, 0, ring.name(name), start, end - start, thread_id(), names[-1] if names else 0)


phases = Phases(recorder)
