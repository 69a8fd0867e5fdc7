"""Ids of threads, as the kernel counts them, and lanes for work that runs beside all threads."""

from __future__ import annotations

import threading
from typing import Set

_local = threading.local()

#: No thread of Linux has so high an id (at most 2^22).
LANE = 0x800000


def thread_id() -> int:
    """The kernel's id of this thread, remembered."""
    try:
        return _local.id  # type: ignore[no-any-return]
    except AttributeError:
        _local.id = threading.get_native_id()
        return _local.id  # type: ignore[no-any-return]


class Lanes:
    """Lowest free numbers for what is in flight: on one lane no two overlap."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Set[int] = set()

    def take(self) -> int:
        with self._lock:
            n = 0
            while n in self._taken:
                n += 1
            self._taken.add(n)
            return LANE + n

    def give(self, lane: int) -> None:
        with self._lock:
            self._taken.discard(lane - LANE)
