"""Reads a ring for tests, written from docs/design/0008-ring.md and sharing nothing with the writer."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field
from typing import Any, Dict, List, Tuple

OPS = ("", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "all_to_all_uneven", "barrier", "broadcast", "reduce",
       "gather", "scatter", "send", "recv", "send_recv", "unknown")
LANE = 0x800000


@dataclass
class Step:
    flags: int
    start: int
    duration: int
    thread: int
    number: int


@dataclass
class Span:
    kind: int
    dimension: int
    flags: int
    name: str
    start: int
    duration: int
    thread: int
    enclosing: str

    @property
    def end(self) -> int:
        return self.start + self.duration


@dataclass
class Collective:
    op: str
    flags: int
    group: int
    start: int
    duration: int
    thread: int
    peer: int
    operations: int
    size: int
    sequence: int
    group_size: int
    name: str

    def identity(self) -> Tuple[Any, ...]:
        return (self.op, self.size, self.sequence, self.group_size, self.name)


@dataclass
class Group:
    dimension: int
    name: str
    description: str
    members: str
    size: int


@dataclass
class Content:
    header: Dict[str, int] = field(default_factory=dict)
    records: int = 0
    steps: List[Step] = field(default_factory=list)
    spans: List[Span] = field(default_factory=list)
    collectives: List[Collective] = field(default_factory=list)
    groups: Dict[int, Group] = field(default_factory=dict)
    identity: Dict[int, List[Tuple[str, int]]] = field(default_factory=dict)
    losses: List[Tuple[int, int, int, int]] = field(default_factory=list)
    clocks: List[Tuple[int, int, int]] = field(default_factory=list)
    definitions: List[str] = field(default_factory=list)
    dropped: List[int] = field(default_factory=list)

    def ended(self) -> List[Collective]:
        return [c for c in self.collectives if not c.flags & 1]

    def begun(self) -> List[Collective]:
        return [c for c in self.collectives if c.flags & 1]

    def named(self, text: str) -> List[Span]:
        return [s for s in self.spans if text in s.name and not s.flags & 1]

    def whole_steps(self) -> List[Step]:
        return [s for s in self.steps if not s.flags & 5]


def read(path: str) -> Content:
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"ARGUSRNG", data[:8]
    major, _, header_bytes, record_bytes, producer, capacity = struct.unpack_from("<HHIIIQ", data, 8)
    assert (major, header_bytes, record_bytes) == (1, 4096, 32)
    assert len(data) == 4096 + 32 * capacity
    session, pid, clock, ticks, rank, local, world = struct.unpack_from("<QIIQiii", data, 32)
    position, beat, obeyed, state, why = struct.unpack_from("<QQQII", data, 128)
    taken, = struct.unpack_from("<Q", data, 256)
    c = Content()
    c.header = dict(producer=producer, capacity=capacity, session=session, pid=pid, clock=clock, ticks=ticks, rank=rank,
                    local_rank=local, world=world, position=position, beat=beat, obeyed=obeyed, state=state, why=why)
    c.dropped = list(struct.unpack_from("<12Q", data, 160))
    c.records = position
    names: Dict[int, str] = {0: ""}
    p = max(taken, position - capacity, 0)
    while p < position:
        def record(at: int) -> bytes:
            offset = 4096 + 32 * (at % capacity)
            return data[offset:offset + 32]

        r = record(p)
        p += 1
        kind = r[0]
        start, packed = struct.unpack_from("<QQ", r, 8)
        duration, thread = packed & ((1 << 40) - 1), packed >> 40
        if kind == 11:
            length, ident = struct.unpack_from("<HI", r, 2)
            text = r[8:32]
            for part in range(1, -(-length // 24)):
                more = record(p)
                p += 1
                assert more[0] == 12 and struct.unpack_from("<HI", more, 2) == (part, ident)
                text += more[8:32]
            names[ident] = text[:length].decode()
            c.definitions.append(names[ident])
        elif kind == 5:
            c.steps.append(Step(r[1], start, duration, thread, struct.unpack_from("<q", r, 24)[0]))
        elif kind == 6:
            name, = struct.unpack_from("<I", r, 4)
            enclosing, = struct.unpack_from("<I", r, 24)
            c.spans.append(Span(r[1], r[2], r[3], names[name], start, duration, thread, names[enclosing]))
        elif kind == 7:
            more = record(p)
            p += 1
            assert more[0] == 8, "a collective without its second record"
            flags, group = struct.unpack_from("<HI", r, 2)
            peer, = struct.unpack_from("<i", r, 28)
            operations, size, sequence, group_size, name = struct.unpack_from("<IqqiI", more, 4)
            assert group in c.groups, "a group that was not defined"
            c.collectives.append(Collective(OPS[r[1]], flags, group, start, duration, thread, peer, operations, size, sequence,
                                            group_size, names[name]))
        elif kind == 9:
            group, name, description, members, size = struct.unpack_from("<IIIII", r, 4)
            c.groups[group] = Group(r[1], names[name], names[description], names[members], size)
        elif kind == 10:
            text, value = struct.unpack_from("<Iq", r, 4)
            c.identity.setdefault(r[1], []).append((names[text], value))
        elif kind == 13:
            c.clocks.append(struct.unpack_from("<QQQ", r, 8))
        elif kind == 14:
            c.losses.append((r[1],) + struct.unpack_from("<QQQ", r, 8))
        elif kind in (1, 2, 3, 4):
            pass
        else:
            raise AssertionError("unknown record %d at %d" % (kind, p - 1))
    return c


def read_all(directory: str) -> List[Content]:
    """All rings of a directory, by rank."""
    rings = [read(os.path.join(directory, f)) for f in os.listdir(directory) if f.endswith(".ring")]
    return sorted(rings, key=lambda c: c.identity.get(1, [("", -1)])[-1][1])
