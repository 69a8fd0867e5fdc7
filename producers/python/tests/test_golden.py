"""The writer against the bytes that all writers share."""

import mmap
import os
import struct
import unittest

from argus import _layout as L
from argus._ring import Ring
from argus._ringfile import Head

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "..", "golden")


def text_of(words):
    if words[0] == "@repeat":
        return int(words[1]) * words[2]
    return " ".join(words)


class GoldenTest(unittest.TestCase):
    def test_leaves_the_golden_bytes(self):
        with open(os.path.join(GOLDEN, "ring-1.bin"), "rb") as f:
            golden = f.read()
        capacity = 1024
        memory = mmap.mmap(-1, 4096 + 32 * capacity)
        memory[: L.HEAD.size] = Head(3, capacity, 1700000000000000001, 4711, 2, 123456, 5, 1, 16, 4026531836).bytes()
        ring = Ring(memory, capacity)
        words = memoryview(memory).cast("Q")
        words[L.HEARTBEAT], words[L.OBEYED], words[L.CONTROL] = 987654321, 65535, 65535
        ring.state(L.STATE_RUNNING)
        with open(os.path.join(GOLDEN, "ring-1.txt"), encoding="utf-8") as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    self.run_line(ring, line.rstrip("\n").split(" "))
        self.assertEqual(len(golden), 4096 + 32 * ring._position)
        for at in range(0, len(golden), 32):
            self.assertEqual(golden[at : at + 32].hex(), memory[at : at + 32].hex(), "bytes from %d" % at)
        self.assertFalse(any(memory[len(golden) :]))

    def run_line(self, ring, words):
        kind = words[0]
        if kind == "string":
            text = text_of(words[2:])
            self.assertEqual(int(words[1]), ring.name(text))
            self.assertTrue(ring._define(int(words[1])))
            return
        numbers = [float(w) if "." in w else int(w) for w in words[1:]]
        if kind == "clock":
            ring._clock(*numbers)
        elif kind == "identity":
            ring._write_identity(numbers[0], numbers[1], numbers[2])
        elif kind == "group":
            dimension, group, *rest = numbers
            ring.define_group(group, dimension, *rest)
        elif kind in ("step", "span", "collective", "loss"):
            self.assertTrue(getattr(ring, kind)(*numbers))
        else:
            self.other(ring, kind, numbers)

    def other(self, ring, kind, values):
        """Records that this producer has no use for, packed here, placed and published by it."""
        at = ring._place(1)
        put = struct.Struct("=BBHIQQI").pack_into
        if kind == "kernel":
            device, flags, name, start, duration, stream, correlation, threads = values
            flags |= 2 if duration >= 1 << 40 else 0
            put(ring._memory, at, 1, device, flags, name, start, self.packed(duration, stream), correlation)
            struct.pack_into("=f", ring._memory, at + 28, threads)
        elif kind == "launch":
            name, start, duration, thread, correlation, external = values
            put(ring._memory, at, 4, 0, 0, name, start, self.packed(duration, thread), correlation)
            struct.pack_into("=I", ring._memory, at + 28, external)
        else:
            device, direction, size, start, duration, stream, correlation = values
            put(ring._memory, at, 2 if kind == "copy" else 3, device, direction, size & 0xFFFFFFFF, start,
                self.packed(duration, stream), correlation)
            struct.pack_into("=I", ring._memory, at + 28, size >> 32)
        ring._publish(1)

    @staticmethod
    def packed(duration, thread):
        return min(duration, (1 << 40) - 1) | thread << 40
