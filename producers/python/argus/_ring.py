"""The records of this producer, and the names they need. Each method returns whether its record was published.

Times are CLOCK_MONOTONIC nanoseconds. Names, groups and identity are defined before their first use, and again for a reader that attaches.
"""

from __future__ import annotations

import mmap
import struct
import time
from typing import Dict, List, Set, Tuple

from . import _layout as L
from ._ringcore import NEEDS_FENCE, RingCore

_STEP = struct.Struct("=BBHIQQq").pack_into
_SPAN = struct.Struct("=BBBBIQQII").pack_into
_COLLECTIVE = struct.Struct("=BBHIQQIi").pack_into
_MORE = struct.Struct("=BBHIqqiI").pack_into
_GROUP = struct.Struct("=BBHIIIIIII").pack_into
_IDENTITY = struct.Struct("=BBHIqQQ").pack_into
_STRING = struct.Struct("=BBHI24s").pack_into

_CLOCK_EVERY_NANOS = 10_000_000_000
_MOST_NAMES = 4096
_STEP_ARGUMENTS, _SPAN_ARGUMENTS = 5, 9

#: Records put aside at most; the heartbeat alone writes them once a second.
MOST_ASIDE = 1024


def _cut(duration: int) -> int:
    return min(max(duration, 0), L.LONGEST_DURATION)


class Ring(RingCore):
    """Writes records. Never raises for what a reader does; a value that no record can hold raises, and callers count that."""

    def __init__(self, memory: mmap.mmap, capacity: int) -> None:
        super().__init__(memory, capacity)
        self._ids: Dict[str, int] = {}
        self._texts: List[bytes] = [b""]
        self._defined: Set[int] = {0}
        self._groups: Dict[int, Tuple[int, int, int, int, int]] = {}
        self._groups_defined: Set[int] = set()
        self._identity: Dict[Tuple[int, int, str], Tuple[int, str]] = {}
        self._next_clock = 0
        self._attach = 0

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

    # Three kinds matter. Each can be written at once, or later: a call in the middle of training finds nothing of this code in the caches, and costs ten times what it
    # costs in a loop. What need not be seen at once is therefore only put aside, and written in one go with the next record that must be. In the ways through, what is
    # rare is called; `_limit` is 0 where a gap has to be told first.

    def later(self, record: Tuple[int, ...]) -> None:
        """Takes a record that may wait for the next one that may not, for the end of the step or for the heartbeat: the arguments of `step`, `span` or `collective`, all of them."""
        aside = self._aside
        if not self.live:
            aside.clear()
            return
        aside.append(record)
        if len(aside) >= MOST_ASIDE:
            self.flush()

    def flush(self) -> None:
        """Writes what was put aside."""
        if self._aside and self._enter():
            try:
                self._drain()
            finally:
                self._leave()

    def _drain(self) -> None:
        aside = self._aside
        while aside:
            record = aside.popleft()
            n = len(record)
            try:
                if n == _SPAN_ARGUMENTS:
                    self._put_span(*record)
                elif n == _STEP_ARGUMENTS:
                    self._put_step(*record)
                else:
                    self._put_collective(*record)
            except Exception:
                self._count(L.LOST_IMPOSSIBLE, 1)  # whoever put it aside is gone: the record that is written now has no part in it

    def step(self, flags: int, start: int, duration: int, thread: int, number: int) -> bool:
        if not self._enter():
            return False
        try:
            if self._aside:
                self._drain()
            return self._put_step(flags, start, duration, thread, number)
        finally:
            self._leave()

    def _put_step(self, flags: int, start: int, duration: int, thread: int, number: int) -> bool:
        at = self._position
        if at < self._limit:
            at = 4096 + 32 * (at & self._mask)
        else:
            at = self._place(1, start + duration)
            if at < 0:
                return False
        if not 0 <= duration <= 0xFFFFFFFFFF:
            duration = _cut(duration)
        _STEP(self._memory, at, 5, flags, 0, 0, start, duration | (thread & 0xFFFFFF) << 40, number)
        if NEEDS_FENCE:
            self._order()
        self._position = self._words[16] = self._position + 1
        return True

    def span(self, kind: int, dimension: int, flags: int, name: int, start: int, duration: int, thread: int,
             enclosing: int = 0, external: int = 0) -> bool:
        if not self._enter():
            return False
        try:
            if self._aside:
                self._drain()
            return self._put_span(kind, dimension, flags, name, start, duration, thread, enclosing, external)
        finally:
            self._leave()

    def _put_span(self, kind: int, dimension: int, flags: int, name: int, start: int, duration: int, thread: int, enclosing: int,
                  external: int) -> bool:
        known = self._defined
        if (name not in known and not self._define(name)) or (enclosing not in known and not self._define(enclosing)):
            self._missing_from(start + duration)
            return False
        at = self._position
        if at < self._limit:
            at = 4096 + 32 * (at & self._mask)
        else:
            at = self._place(1, start + duration)
            if at < 0:
                return False
        if not 0 <= duration <= 0xFFFFFFFFFF:
            flags |= L.SPAN_CUT if duration > 0 else 0
            duration = _cut(duration)
        _SPAN(self._memory, at, 6, kind, dimension, flags, name, start, duration | (thread & 0xFFFFFF) << 40, enclosing, external)
        if NEEDS_FENCE:
            self._order()
        self._position = self._words[16] = self._position + 1
        return True

    def collective(self, op: int, flags: int, group: int, start: int, duration: int, thread: int, correlation: int, peer: int,
                   operations: int, size: int, sequence: int, group_size: int, name: int) -> bool:
        """Two records, published together. `size` is the bytes of the operation."""
        if not self._enter():
            return False
        try:
            if self._aside:
                self._drain()
            return self._put_collective(op, flags, group, start, duration, thread, correlation, peer, operations, size, sequence,
                                        group_size, name)
        finally:
            self._leave()

    def _put_collective(self, op: int, flags: int, group: int, start: int, duration: int, thread: int, correlation: int, peer: int,
                        operations: int, size: int, sequence: int, group_size: int, name: int) -> bool:
        if (name not in self._defined and not self._define(name)) or (
                group not in self._groups_defined and group in self._groups and not self._write_group(group)):
            self._missing_from(start + duration)
            return False
        at = self._position + 1
        if at < self._limit:
            at = 4096 + 32 * (self._position & self._mask)
        else:
            at = self._place(2, start + duration)
            if at < 0:
                return False
        if not 0 <= duration <= 0xFFFFFFFFFF:
            flags |= L.COLL_CUT if duration > 0 else 0
            duration = _cut(duration)
        _COLLECTIVE(self._memory, at, 7, op, flags, group, start, duration | (thread & 0xFFFFFF) << 40, correlation, peer)
        _MORE(self._memory, 4096 + 32 * (self._position + 1 & self._mask), 8, 0, 0, operations, size, sequence, group_size, name)
        if NEEDS_FENCE:
            self._order()
        self._position = self._words[16] = self._position + 2
        return True

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

    def beat(self) -> int:
        """Heartbeat, what was put aside, the pair of clocks when it is due, names for a reader that attached. Returns the control word."""
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
            if self._aside:
                self._drain()
            if now >= self._next_clock:
                self._next_clock = now + _CLOCK_EVERY_NANOS
                self._clock(now, time.monotonic_ns(), time.time_ns())
            self._words[L.OBEYED] = control
            return control
        finally:
            self._leave()
