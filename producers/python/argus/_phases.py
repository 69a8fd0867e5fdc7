"""Phases and their parts as spans, on the CPU's clock and, where there is a GPU, by events on its stream."""

from __future__ import annotations

from time import monotonic_ns
from typing import Any, NamedTuple, Optional, Tuple

from . import _layout as L
from ._recorder import Recorder, recorder
from ._threads import threads


class Open(NamedTuple):
    """A span that runs."""

    name: int
    dimension: int
    kind: int
    start: int
    thread: int
    enclosing: int
    event: Any


_open = tuple.__new__


class Phases:
    """Begins and ends spans. `begin` gives None where phases are off; `end` takes that.

    A begin that is announced is written at once; ends wait for the next one, for the end of the step, or for the heartbeat.
    """

    def __init__(self, to: Recorder) -> None:
        self._to = to
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
            own = threads.own
            if own.silent:
                return None
            i = ring.name(name)
            names = own.names
            enclosing = names[-1] if names else 0
            event = self.gpu.mark() if gpu and self.gpu is not None else None
            start = monotonic_ns()
            if announce:
                ring.span(kind, dimension, L.SPAN_BEGIN, i, start, 0, own.id, enclosing)
            names.append(i)
            return _open(Open, (i, dimension, kind, start, own.id, enclosing, event))
        except Exception:
            to.failed()
            return None

    def end(self, span: Optional[Tuple[int, int, int, int, int, int, Any]]) -> None:
        if span is None:
            return
        to = self._to
        try:
            now = monotonic_ns()
            name, dimension, kind, start, thread, enclosing, event = span
            names = threads.own.names
            # What was left open by an exception goes with it.
            if name in names:
                while names.pop() != name:
                    pass
            ring = to.ring
            if ring is None:
                return
            ring.later((kind, dimension, 0, name, start, now - start, thread, enclosing, 0))
            if event is not None and self.gpu is not None:
                self.gpu.pair(Open(*span), self.gpu.mark())
        except Exception:
            to.failed()

    def silence(self, on: bool) -> None:
        """Nothing begins on this thread meanwhile: a compiler that calls the model runs no forward pass."""
        threads.own.silent = on

    def span(self, name: str, start: int, end: int, kind: int = L.KIND_PYTHON, dimension: int = L.DIM_NONE) -> None:
        """A span that is over already."""
        ring = self._to.ring
        if ring is not None and self._to.phases_on:
            own = threads.own
            ring.later((kind, dimension, 0, ring.name(name), start, end - start, own.id, own.names[-1] if own.names else 0, 0))


phases = Phases(recorder)
