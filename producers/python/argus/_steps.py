"""Steps: begun by the first sign of work after the last one ended, ended by the optimizer or by the user."""

from __future__ import annotations

import time
from typing import Callable, List, Optional

from . import _layout as L
from ._recorder import Recorder, recorder
from ._threads import thread_id


class Steps:
    """The step of this process. Numbers count from `first` or are the user's own."""

    def __init__(self, to: Recorder) -> None:
        self._to = to
        self.number = 0
        self.open = False
        self.explicit = False
        self.start = 0
        self._flags = 0
        self._off_from = 0
        self._off_steps = 0
        #: Called with the number when a step begins, and with number and end when it ended.
        self.on_begin: List[Callable[[int], None]] = []
        self.on_end: List[Callable[[int], None]] = []

    def activity(self) -> None:
        """A sign of work: begins a step where none runs and steps are found automatically."""
        if not self.open and not self.explicit:
            self.begin()

    def begin(self, number: Optional[int] = None, at: Optional[int] = None) -> None:
        to = self._to
        if not to.live or (to.ring is None and not to.open()):
            return
        if number is not None:
            self.number = number
        self.start = time.monotonic_ns() if at is None else at
        self.open = True
        self._flags = flags = to.step_begins(self.number)
        self._interleave(flags)
        ring = to.ring
        if ring is not None and to.steps_on:
            ring.step(L.STEP_BEGIN | flags, self.start, 0, thread_id(), self.number)
        for each in self.on_begin:
            to.guarded(each, self.number)

    def end(self) -> None:
        """Ends the step that runs; the next has the next number."""
        to = self._to
        if not self.open:
            return
        self.open = False
        now = time.monotonic_ns()
        number, self.number = self.number, self.number + 1
        ring = to.ring
        if ring is None or not to.live:
            return
        if to.steps_on:
            ring.later((self._flags, self.start, now - self.start, thread_id(), number))
        for each in self.on_end:
            to.guarded(each, number)
        to.poll()

    def _interleave(self, flags: int) -> None:
        """Steps in which the other signals are off, told in one loss for each stretch of them."""
        ring = self._to.ring
        if ring is None:
            return
        if flags & L.STEP_INTERLEAVED:
            if self._off_steps == 0:
                self._off_from = self.start
            self._off_steps += 1
            ring.count(L.LOST_OFF)
        elif self._off_steps:
            ring.loss(L.LOST_OFF, self._off_from, self.start, self._off_steps)
            self._off_steps = 0


steps = Steps(recorder)
