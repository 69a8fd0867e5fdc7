"""What is known of each thread, and lanes for work that runs beside all threads."""

from __future__ import annotations

import threading
from typing import List, Set

#: No thread of Linux has so high an id (at most 2^22).
LANE = 0x800000


class Thread:
    """A thread: its id as the kernel counts them, the names of the spans that run on it, whether none may begin."""

    __slots__ = ("id", "names", "silent")

    def __init__(self) -> None:
        self.id = threading.get_native_id()
        self.names: List[int] = []
        self.silent = False


class Threads(threading.local):
    """`own` is the thread that asks: one look for all that is known of it."""

    def __init__(self) -> None:
        self.own = Thread()


threads = Threads()


def thread_id() -> int:
    """The kernel's id of this thread, remembered."""
    return threads.own.id


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
