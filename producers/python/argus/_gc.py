"""Collections of garbage that last. Python calls back in the middle of anything, so nothing is written there: it is kept, and written soon."""

from __future__ import annotations

import gc
import time
from collections import deque
from typing import Any, Deque, Dict, Tuple

from . import _layout as L
from ._recorder import Recorder, recorder
from ._threads import thread_id

_MOST_KEPT = 1024


class Collections:
    """Kept until the next step or heartbeat, at most 1,024 of them."""

    def __init__(self, to: Recorder) -> None:
        self._to = to
        self._start = 0
        self._kept: Deque[Tuple[int, int, int, int]] = deque(maxlen=_MOST_KEPT)

    def install(self) -> None:
        if self._seen not in gc.callbacks:
            gc.callbacks.append(self._seen)
            self._to.on_beat.append(self.write)

    def _seen(self, phase: str, info: Dict[str, Any]) -> None:
        if phase == "start":
            self._start = time.monotonic_ns()
            return
        now = time.monotonic_ns()
        if self._start and now - self._start >= self._to.config.gc_least_nanos and self._to.live:
            self._kept.append((self._start, now, int(info.get("generation", -1)), thread_id()))

    def write(self) -> None:
        ring = self._to.ring
        while self._kept:
            try:
                start, end, generation, thread = self._kept.popleft()
            except IndexError:
                return  # the other thread was faster
            if ring is not None and self._to.phases_on:
                # "gc.collect" is the word by which garbage collection is known in stacks and ranges alike.
                name = ring.name(L.STALL + "gc.collect (generation %d)" % generation)
                ring.later((L.KIND_PYTHON, L.DIM_NONE, 0, name, start, end - start, thread, 0, 0))


collections = Collections(recorder)
