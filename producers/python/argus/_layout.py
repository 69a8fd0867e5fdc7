"""The numbers of docs/design/0008-ring.md: offsets, types of record, codes. Nothing here does anything."""

from __future__ import annotations

import struct

MAGIC = b"ARGUSRNG"
MAJOR, MINOR = 1, 0
HEADER_BYTES = 4096
RECORD_BYTES = 32
LEAST_RECORDS, MOST_RECORDS = 1 << 10, 1 << 26
PRODUCER_PYTHON = 2
CLOCK_MONOTONIC = 2

# Places in the header, as indices of 8-byte words.
WRITE_POSITION, HEARTBEAT, OBEYED, STATE, DROPPED = 16, 17, 18, 19, 20
READ_POSITION, AGENT_HEARTBEAT, CONTROL = 32, 33, 35

#: Everything before the producer's own words: magic, versions, sizes, producer, capacity, session, process, ranks, namespace.
HEAD = struct.Struct("=8sHHIIIQQIIQiiiIQ")

STATE_RUNNING, STATE_OFF, STATE_CLOSED = 1, 2, 3
WHY_NOT, WHY_CONTROL, WHY_OWNER, WHY_ERROR, WHY_FORK = 0, 1, 2, 3, 4

# Reasons of loss.
LOST_FULL, LOST_NO_BUFFER, LOST_IMPOSSIBLE, LOST_NAMES, LOST_UNJOINED, LOST_ERROR, LOST_OFF = 0, 2, 3, 4, 6, 7, 8
LOSS_REASONS = 12

# Signals of the control word.
SIGNAL_STEPS, SIGNAL_PHASES, SIGNAL_COLLECTIVES, SIGNAL_OPERATORS = 1, 2, 4, 64
ALL_SIGNALS = 0xFFFF

KERNEL, COPY, SET, LAUNCH, STEP, SPAN, COLLECTIVE, COLLECTIVE_MORE = 1, 2, 3, 4, 5, 6, 7, 8
GROUP, IDENTITY, STRING, STRING_MORE, CLOCK, LOSS = 9, 10, 11, 12, 13, 14

STEP_GPU, STEP_INTERLEAVED, STEP_BEGIN = 1, 2, 4
SPAN_BEGIN, SPAN_CUT = 1, 2
KIND_ANNOTATION, KIND_OPERATOR, KIND_PYTHON, KIND_RUNTIME, KIND_SHADOW = 1, 2, 3, 4, 5
DIM_NONE, DIM_TP, DIM_DP, DIM_PP, DIM_EP, DIM_CP = 0, 1, 2, 3, 4, 5
DIMENSIONS = {"": 0, "tp": 1, "dp": 2, "pp": 3, "ep": 4, "cp": 5}

COLL_BEGIN, COLL_CUT, COLL_WORK, COLL_LAUNCH, COLL_COALESCED = 1, 2, 4, 8, 16
(ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, ALL_TO_ALL_UNEVEN, BARRIER, BROADCAST, REDUCE, GATHER, SCATTER, SEND,
 RECV, SEND_RECV, UNKNOWN_OP) = range(1, 15)

(ID_RANK, ID_LOCAL_RANK, ID_WORLD_SIZE, ID_HOST, ID_JOB, ID_ATTEMPT, ID_SOFTWARE, ID_GPU_MODEL, ID_GPU_UUID, ID_DEVICE,
 ID_BACKEND, ID_TOPOLOGY, ID_MAIN_THREAD, ID_FRAMEWORK) = range(1, 15)

# Begins the names of ranges that are no training, whatever phase they lie in: they are not taken for work.
STALL = "argus: "

LONGEST_DURATION = (1 << 40) - 1
THREAD_MASK = (1 << 24) - 1

LONGEST_TEXT_BYTES = 4096
PART_BYTES = 24

_FNV_OFFSET, _FNV_PRIME, _U64 = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def fnv1a(data: bytes) -> int:
    """FNV-1a, 64 bit."""
    h = _FNV_OFFSET
    for b in data:
        h = ((h ^ b) * _FNV_PRIME) & _U64
    return h


def text_bytes(text: str) -> bytes:
    """UTF-8 of a text as the ring takes it: at most 4,096 bytes, a longer one cut at a character and told apart by its hash."""
    data = text.encode("utf-8", "replace")
    if len(data) <= LONGEST_TEXT_BYTES:
        return data
    tail = "…#".encode() + b"%016x" % fnv1a(data)
    cut = LONGEST_TEXT_BYTES - len(tail)
    while data[cut] & 0xC0 == 0x80:
        cut -= 1
    return data[:cut] + tail
