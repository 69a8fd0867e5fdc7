"""The core of a ring's writer: its lock, its room, publication, gaps, clocks, its state.

A record is packed into its place and published by one aligned store of 8 bytes. Nothing here waits for the reader or calls the system
for a record.
"""

from __future__ import annotations

import mmap
import platform
import struct
import threading
import time
from collections import deque
from typing import Deque, List, Optional, Tuple

from . import _layout as L

_CLOCK = struct.Struct("=BBHIQQQ").pack_into
_LOSS = _CLOCK

#: The lock is held for a microsecond. Who has it longer has been put aside by the system, or lost it to an exception.
PATIENCE_SECONDS = 0.2
_MOST_MISSES = 5

#: Stores may pass each other elsewhere than on x86: there a lock given and taken stands between a record and its publication.
NEEDS_FENCE = platform.machine() not in ("x86_64", "AMD64", "i686")


class RingCore:
    """Memory, positions and counts of a ring; whoever writes calls `_enter`, `_place`, `_publish`, `_leave`."""

    def __init__(self, memory: mmap.mmap, capacity: int) -> None:
        self._memory = memory
        self._words = memoryview(memory).cast("Q")
        self._capacity = capacity
        self._mask = capacity - 1
        self._position = 0
        self._read = 0
        self._limit = capacity
        self._lock = threading.RLock()
        self._acquire, self._release = self._lock.acquire, self._lock.release
        self._busy = False
        self._misses = 0
        self._fence = threading.Lock()
        self._fence.acquire()
        self.live = True
        self._gap: Optional[List[int]] = None
        #: Records that wait for the next one, in order: whoever appends needs no lock.
        self._aside: Deque[Tuple[int, ...]] = deque()

    def _drain(self) -> None:
        """Writes what was put aside. Called with the lock held."""
        raise NotImplementedError

    # -- the lock, room, publication -------------------------------------------------------------------------------

    def _enter(self) -> bool:
        """False where nothing may be written: off, or a signal handler or collection has come in between on this thread."""
        if not self.live:
            return False
        if not self._acquire(True, PATIENCE_SECONDS):
            return self._stuck()
        if self._busy or not self.live:
            self._release()
            return False
        self._busy = True
        return True

    def _leave(self) -> None:
        self._busy = False
        self._release()

    def _stuck(self) -> bool:
        """Somebody was interrupted between taking the lock and his first line: nobody waits for him, and after a few times it is over."""
        self._misses += 1
        if self._misses >= _MOST_MISSES:
            self.live = False
        return False

    def _place(self, records: int, end: int = 0) -> int:
        """Offset for so many records, told gaps before them; -1 where there is no room, which is counted. `end`: when what they tell of ended, 0 for now."""
        if self._gap is not None and not self._tell_gap(records):
            self._lose(end)
            return -1
        if self._position + records - self._read > self._capacity and not self._look(records):
            self._lose(end)
            return -1
        return L.HEADER_BYTES + L.RECORD_BYTES * (self._position & self._mask)

    def _look(self, records: int) -> bool:
        read = self._words[L.READ_POSITION]
        used = self._position - read
        if used < 0 or used > self._capacity:
            return False
        self._read = read
        if self._gap is None:
            self._limit = read + self._capacity
        return used + records <= self._capacity

    def _lose(self, end: int) -> None:
        now = time.monotonic_ns()
        if self._gap is None:
            self._gap = [now, now, 0]
            self._limit = 0
        self._missing_from(end)
        self._gap[1] = now
        self._gap[2] += 1
        self._count(L.LOST_FULL, 1)

    def _missing_from(self, end: int) -> None:
        """What found no room ended then, and was put aside for a while: the gap is as old. 0 for now."""
        gap = self._gap
        if gap is not None and 0 < end < gap[0]:
            gap[0] = end

    def _tell_gap(self, records: int) -> bool:
        gap = self._gap
        if gap is None or not self._look(records + 2):
            return False
        self._gap = None
        self._limit = self._read + self._capacity
        self._loss(L.LOST_FULL, gap[0], gap[1], gap[2])
        self._clock(time.monotonic_ns(), time.monotonic_ns(), time.time_ns())
        return True

    def _publish(self, records: int) -> None:
        if NEEDS_FENCE:
            self._order()
        self._position += records
        self._words[L.WRITE_POSITION] = self._position

    def _order(self) -> None:
        """What was stored before is seen before what is stored from here on."""
        self._fence.release()
        self._fence.acquire()

    def _next(self, offset: int) -> int:
        at = offset + L.RECORD_BYTES
        return at if at < L.HEADER_BYTES + L.RECORD_BYTES * self._capacity else L.HEADER_BYTES

    def _count(self, reason: int, n: int) -> None:
        at = L.DROPPED + reason
        self._words[at] = min(self._words[at] + n, (1 << 64) - 1)

    def count(self, reason: int, n: int = 1) -> None:
        """Adds to the counts of what was not recorded."""
        if self._enter():
            try:
                self._count(reason, n)
            finally:
                self._leave()

    # -- gaps and clocks ---------------------------------------------------------------------------------------------

    def clock(self) -> bool:
        """A pair of clocks, the wall clock read between two looks at the monotonic one."""
        before = time.monotonic_ns()
        wall = time.time_ns()
        middle = (before + time.monotonic_ns()) // 2
        if not self._enter():
            return False
        try:
            return self._clock(middle, middle, wall)
        finally:
            self._leave()

    def _clock(self, own: int, monotonic: int, wall: int) -> bool:
        at = self._place(1)
        if at < 0:
            return False
        _CLOCK(self._memory, at, L.CLOCK, 0, 0, 0, own, monotonic, wall)
        self._publish(1)
        return True

    def loss(self, reason: int, start: int, end: int, count: int) -> bool:
        if not self._enter():
            return False
        try:
            return self._loss(reason, start, end, count)
        finally:
            self._leave()

    def _loss(self, reason: int, start: int, end: int, count: int) -> bool:
        at = self._place(1)
        if at < 0:
            return False
        _LOSS(self._memory, at, L.LOSS, reason, 0, 0, start, end, count)
        self._publish(1)
        return True

    # -- life --------------------------------------------------------------------------------------------------------------

    def control(self) -> int:
        """The control word, as it stands."""
        return self._words[L.CONTROL] if self.live else 0

    def agent_seen(self) -> bool:
        return self.live and self._words[L.AGENT_HEARTBEAT] != 0

    def state(self, state: int, why: int = L.WHY_NOT) -> None:
        if self._enter():
            try:
                if self._aside:
                    self._drain()
                self._words[L.STATE] = state | why << 32
            finally:
                self._leave()

    def close(self) -> None:
        """The last word: closed in order. Nothing is written afterwards."""
        self.state(L.STATE_CLOSED)
        self.live = False
        self._aside.clear()

    def abandon(self) -> None:
        """In a forked child: the file is the parent's."""
        self.live = False
        self._aside.clear()
