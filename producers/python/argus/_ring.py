"""The writer of a ring. One lock; a record is packed into its place and published by one aligned store of 8 bytes.

Nothing here waits for the reader, calls the system for a record, or raises into its caller.
"""

from __future__ import annotations

import mmap
import platform
import struct
import threading
import time
from typing import Any, Dict, List, Optional, Set, Tuple

from . import _layout as L

_STEP = struct.Struct("=BBHIQQq").pack_into
_SPAN = struct.Struct("=BBBBIQQII").pack_into
_COLLECTIVE = struct.Struct("=BBHIQQIi").pack_into
_MORE = struct.Struct("=BBHIqqiI").pack_into
_GROUP = struct.Struct("=BBHIIIIIII").pack_into
_IDENTITY = struct.Struct("=BBHIqQQ").pack_into
_STRING = struct.Struct("=BBHI24s").pack_into
_CLOCK = struct.Struct("=BBHIQQQ").pack_into
_LOSS = _CLOCK
_KERNEL = struct.Struct("=BBHIQQIf").pack_into
_LAUNCH = struct.Struct("=BBHIQQII").pack_into
_COPY = struct.Struct("=BBBBIQQII").pack_into

_CLOCK_EVERY_NANOS = 10_000_000_000
_MOST_NAMES = 4096
_U32 = 0xFFFFFFFF

#: Stores may pass each other elsewhere than on x86: there a lock given and taken stands between a record and its publication.
_NEEDS_FENCE = platform.machine() not in ("x86_64", "AMD64", "i686")


def duration_and_thread(duration: int, thread: int) -> int:
    return min(max(duration, 0), L.LONGEST_DURATION) | (thread & L.THREAD_MASK) << 40


class Ring:
    """Writes records; each method returns whether its record was published. Times are CLOCK_MONOTONIC nanoseconds."""

    def __init__(self, memory: mmap.mmap, capacity: int) -> None:
        self._memory = memory
        self._words = memoryview(memory).cast("Q")
        self._capacity = capacity
        self._mask = capacity - 1
        self._position = 0
        self._read = 0
        self._lock = threading.RLock()
        self._busy = False
        self._fence = threading.Lock()
        self._fence.acquire()
        self.live = True
        self._ids: Dict[str, int] = {}
        self._texts: List[bytes] = [b""]
        self._defined: Set[int] = {0}
        self._groups: Dict[int, Tuple[int, int, int, int, int]] = {}
        self._groups_defined: Set[int] = set()
        self._identity: Dict[Tuple[int, int, str], Tuple[int, str]] = {}
        self._gap: Optional[List[int]] = None
        self._next_clock = 0
        self._attach = 0

    # -- the lock, room, publication -------------------------------------------------------------------------------

    def _enter(self) -> bool:
        """False where nothing may be written: off, or a signal handler or collection has come in between on this thread."""
        if not self.live:
            return False
        self._lock.acquire()
        if self._busy or not self.live:
            self._lock.release()
            return False
        self._busy = True
        return True

    def _leave(self) -> None:
        self._busy = False
        self._lock.release()

    def _place(self, records: int) -> int:
        """Offset for so many records, told gaps before them; -1 where there is no room, which is counted."""
        if self._gap is not None and not self._tell_gap(records):
            self._lose(records)
            return -1
        if self._position + records - self._read > self._capacity and not self._look(records):
            self._lose(records)
            return -1
        return L.HEADER_BYTES + L.RECORD_BYTES * (self._position & self._mask)

    def _look(self, records: int) -> bool:
        read = self._words[L.READ_POSITION]
        used = self._position - read
        if used < 0 or used > self._capacity:
            return False
        self._read = read
        return used + records <= self._capacity

    def _lose(self, records: int) -> None:
        now = time.monotonic_ns()
        if self._gap is None:
            self._gap = [now, now, 0]
        self._gap[1] = now
        self._gap[2] += 1
        self._count(L.LOST_FULL, 1)

    def _tell_gap(self, records: int) -> bool:
        gap = self._gap
        if gap is None or not self._look(records + 2):
            return False
        self._gap = None
        self._loss(L.LOST_FULL, gap[0], gap[1], gap[2])
        self._clock(time.monotonic_ns(), time.monotonic_ns(), time.time_ns())
        return True

    def _publish(self, records: int) -> None:
        if _NEEDS_FENCE:
            self._fence.release()
            self._fence.acquire()
        self._position += records
        self._words[L.WRITE_POSITION] = self._position

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

    # -- names ---------------------------------------------------------------------------------------------------------

    def name(self, text: str) -> int:
        """Id of a text, the same for ever; 0 for none, or where the table is full, which is counted."""
        known = self._ids.get(text)
        if known is not None:
            return known
        if not text or not self._enter():
            return 0
        try:
            known = self._ids.get(text)
            if known is not None:
                return known
            if len(self._texts) > _MOST_NAMES:
                self._count(L.LOST_NAMES, 1)
                return 0
            self._texts.append(L.text_bytes(text))
            self._ids[text] = len(self._texts) - 1
            return len(self._texts) - 1
        finally:
            self._leave()

    def _define(self, name: int) -> bool:
        """Writes the definition of a name where the reader has none. False where there is no room."""
        if name in self._defined:
            return True
        data = self._texts[name]
        parts = max(1, -(-len(data) // L.PART_BYTES))
        at = self._place(parts)
        if at < 0:
            return False
        _STRING(self._memory, at, L.STRING, 0, len(data), name, data[: L.PART_BYTES])
        for part in range(1, parts):
            at = self._next(at)
            _STRING(self._memory, at, L.STRING_MORE, 0, part, name, data[part * L.PART_BYTES : (part + 1) * L.PART_BYTES])
        self._publish(parts)
        self._defined.add(name)
        return True

    # -- records of the producer ---------------------------------------------------------------------------------------

    def step(self, flags: int, start: int, duration: int, thread: int, number: int) -> bool:
        if not self._enter():
            return False
        try:
            at = self._place(1)
            if at < 0:
                return False
            _STEP(self._memory, at, L.STEP, flags, 0, 0, start, duration_and_thread(duration, thread), number)
            self._publish(1)
            return True
        finally:
            self._leave()

    def span(self, kind: int, dimension: int, flags: int, name: int, start: int, duration: int, thread: int,
             enclosing: int = 0, external: int = 0) -> bool:
        if not self._enter():
            return False
        try:
            known = self._defined
            if (name not in known and not self._define(name)) or (enclosing not in known and not self._define(enclosing)):
                return False
            at = self._place(1)
            if at < 0:
                return False
            if duration > L.LONGEST_DURATION:
                flags |= L.SPAN_CUT
            _SPAN(self._memory, at, L.SPAN, kind, dimension, flags, name, start, duration_and_thread(duration, thread),
                  enclosing, external & _U32)
            self._publish(1)
            return True
        finally:
            self._leave()

    def collective(self, op: int, flags: int, group: int, start: int, duration: int, thread: int, correlation: int, peer: int,
                   operations: int, size: int, sequence: int, group_size: int, name: int) -> bool:
        """Two records, published together. `size` is the bytes of the operation."""
        if not self._enter():
            return False
        try:
            if name not in self._defined and not self._define(name):
                return False
            if group not in self._groups_defined and group in self._groups and not self._write_group(group):
                return False
            at = self._place(2)
            if at < 0:
                return False
            if duration > L.LONGEST_DURATION:
                flags |= L.COLL_CUT
            _COLLECTIVE(self._memory, at, L.COLLECTIVE, op, flags, group, start, duration_and_thread(duration, thread),
                        correlation & _U32, peer)
            _MORE(self._memory, self._next(at), L.COLLECTIVE_MORE, 0, 0, operations, size, sequence, group_size, name)
            self._publish(2)
            return True
        finally:
            self._leave()

    def define_group(self, group: int, dimension: int, name: int, description: int, members: int, size: int) -> None:
        """States who a group is; written at once, and again for every reader that attaches."""
        if not self._enter():
            return
        try:
            self._groups[group] = (dimension, name, description, members, size)
            self._groups_defined.discard(group)
            self._write_group(group)
        finally:
            self._leave()

    def _write_group(self, group: int) -> bool:
        dimension, name, description, members, size = self._groups[group]
        for text in (name, description, members):
            if text not in self._defined and not self._define(text):
                return False
        at = self._place(1)
        if at < 0:
            return False
        _GROUP(self._memory, at, L.GROUP, dimension, 0, group, name, description, members, size, 0, 0)
        self._publish(1)
        self._groups_defined.add(group)
        return True

    def identity(self, key: int, value: int, text: str = "") -> None:
        """States who the process is; said again to every reader that attaches."""
        at_text = self.name(text)
        if not self._enter():
            return
        try:
            # Of software and devices there are several, of everything else the last word holds.
            tag = (key, value if key in (L.ID_GPU_MODEL, L.ID_GPU_UUID) else 0,
                   text.partition("=")[0] if key == L.ID_SOFTWARE else "")
            if self._identity.get(tag) != (value, text):
                self._identity[tag] = (value, text)
                self._write_identity(key, at_text, value)
        finally:
            self._leave()

    def _write_identity(self, key: int, text: int, value: int) -> bool:
        if not self._define(text):
            return False
        at = self._place(1)
        if at < 0:
            return False
        _IDENTITY(self._memory, at, L.IDENTITY, key, 0, text, value, 0, 0)
        self._publish(1)
        return True

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

    def beat(self) -> int:
        """Heartbeat, the pair of clocks when it is due, names for a reader that attached. Returns the control word."""
        if not self._enter():
            return 0
        try:
            now = time.monotonic_ns()
            self._words[L.HEARTBEAT] = now
            control = self._words[L.CONTROL]
            attach = control >> 48 & 0xFF
            if attach != self._attach:
                self._attach = attach
                self._defined = {0}
                self._groups_defined.clear()
                for (key, _, _), (value, text) in list(self._identity.items()):
                    self._write_identity(key, self._ids.get(text, 0), value)
                self._next_clock = 0
            if now >= self._next_clock:
                self._next_clock = now + _CLOCK_EVERY_NANOS
                self._clock(now, time.monotonic_ns(), time.time_ns())
            self._words[L.OBEYED] = control
            return control
        finally:
            self._leave()

    def control(self) -> int:
        """The control word, as it stands."""
        return self._words[L.CONTROL] if self.live else 0

    def agent_seen(self) -> bool:
        return self.live and self._words[L.AGENT_HEARTBEAT] != 0

    def state(self, state: int, why: int = L.WHY_NOT) -> None:
        if self._enter():
            try:
                self._words[L.STATE] = state | why << 32
            finally:
                self._leave()

    def close(self) -> None:
        """The last word: closed in order. Nothing is written afterwards."""
        self.state(L.STATE_CLOSED)
        self.live = False

    def abandon(self) -> None:
        """In a forked child: the file is the parent's."""
        self.live = False

    # -- what only the golden script needs ---------------------------------------------------------------------------------

    def golden(self, kind: str, values: List[Any]) -> None:
        """Writes the records that this producer has no use for, so that all writers are held against the same bytes."""
        at = self._place(1)
        if kind == "kernel":
            device, flags, name, start, duration, stream, correlation, threads = values
            flags |= 2 if duration > L.LONGEST_DURATION else 0
            _KERNEL(self._memory, at, L.KERNEL, device, flags, name, start, duration_and_thread(duration, stream), correlation,
                    threads)
        elif kind == "launch":
            name, start, duration, thread, correlation, external = values
            _LAUNCH(self._memory, at, L.LAUNCH, 0, 0, name, start, duration_and_thread(duration, thread), correlation, external)
        else:
            device, direction, size, start, duration, stream, correlation = values
            _COPY(self._memory, at, L.COPY if kind == "copy" else L.SET, device, direction, 0, size & _U32, start,
                  duration_and_thread(duration, stream), correlation, size >> 32)
        self._publish(1)
