"""Makes the file of a ring: checked directory, reserved space, whole header, then its name."""

from __future__ import annotations

import mmap
import os
import stat
from dataclasses import dataclass
from typing import Optional

from . import _layout as L


class RingUnavailable(Exception):
    """Says in one sentence why there can be no ring; the producer then stays off."""


@dataclass
class Head:
    """What the header tells of its producer. Times in nanoseconds; a rank that is not known is -1."""

    producer: int
    capacity: int
    session: int
    pid: int
    clock: int
    start_ticks: int
    rank: int = -1
    local_rank: int = -1
    world_size: int = -1
    namespace: int = 0

    def bytes(self) -> bytes:
        return L.HEAD.pack(L.MAGIC, L.MAJOR, L.MINOR, L.HEADER_BYTES, L.RECORD_BYTES, self.producer, self.capacity,
                           self.session, self.pid, self.clock, self.start_ticks, self.rank, self.local_rank,
                           self.world_size, 0, self.namespace)


def start_ticks() -> int:
    """Start of this process in clock ticks since boot, 0 where /proc does not tell."""
    try:
        with open("/proc/self/stat", "rb") as f:
            return int(f.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def pid_namespace() -> int:
    """Inode of the pid namespace, 0 where /proc does not tell."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def directory(given: Optional[str]) -> str:
    return given or "/dev/shm/argus-%d" % os.geteuid()


def open_directory(path: str) -> int:
    """A descriptor of the directory, made where it is missing; refused where others could reach into it."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except OSError as e:
        raise RingUnavailable("cannot make the directory of rings %s: %s" % (path, e.strerror)) from e
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as e:
        raise RingUnavailable("%s is no directory of its own (a link, a file?): %s" % (path, e.strerror)) from e
    s = os.fstat(fd)
    if s.st_uid != os.geteuid():
        os.close(fd)
        raise RingUnavailable("the directory of rings %s belongs to uid %d, not to %d" % (path, s.st_uid, os.geteuid()))
    if stat.S_IMODE(s.st_mode) & 0o077:
        os.close(fd)
        raise RingUnavailable("the directory of rings %s is open to others: chmod 700 it" % path)
    return fd


def create(path: str, name: str, head: Head) -> mmap.mmap:
    """Makes the file `name` in the directory `path` and maps it. Raises RingUnavailable, and leaves nothing behind then."""
    capacity = head.capacity
    if capacity & (capacity - 1) or not L.LEAST_RECORDS <= capacity <= L.MOST_RECORDS:
        raise RingUnavailable("a ring has a power of two of records, 2^10 to 2^26, not %d" % capacity)
    size = L.HEADER_BYTES + L.RECORD_BYTES * capacity
    hidden = "." + name
    fd = -1
    at = open_directory(path)
    try:
        try:
            os.unlink(hidden, dir_fd=at)
        except FileNotFoundError:
            pass
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(hidden, flags, 0o600, dir_fd=at)
        os.posix_fallocate(fd, 0, size)
        ring = mmap.mmap(fd, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        ring[: L.HEAD.size] = head.bytes()
        words = memoryview(ring).cast("Q")
        words[L.OBEYED] = words[L.CONTROL] = L.ALL_SIGNALS
        words[L.STATE] = L.STATE_RUNNING
        words.release()
        os.rename(hidden, name, src_dir_fd=at, dst_dir_fd=at)
        return ring
    except (OSError, ValueError) as e:
        try:
            os.unlink(hidden, dir_fd=at)
        except OSError:
            pass
        raise RingUnavailable("no room for a ring of %d bytes in %s: %s" % (size, path, e)) from e
    finally:
        if fd >= 0:
            os.close(fd)
        os.close(at)
