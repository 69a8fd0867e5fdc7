"""Collectives: the functions of torch.distributed, wrapped. Each call has an identity that all members count alike.

A call is announced before it is made, so that a rank that hangs is told from one that never came. What runs on the host (gloo) is
timed from the call to its completion, what runs on a GPU by its launch: its kernel is joined later, by order.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from time import monotonic_ns
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _layout as L
from . import _patch
from ._calls import SPECS, Arguments, Spec, bytes_of, on_gpu, uneven
from ._groups import Group, Groups, groups
from ._recorder import Recorder, recorder
from ._ring import Ring
from ._threads import Lanes, thread_id


#: Works in flight whose end is not known yet; beyond that the oldest are given up.
_MOST_PENDING = 1024
_SWEPT = 16


class Call:
    """A call in flight."""

    __slots__ = ("op", "flags", "group", "start", "thread", "peer", "operations", "size", "sequence", "name", "lane", "any_source")

    op: int
    flags: int
    group: Group
    start: int
    thread: int
    peer: int
    operations: int
    size: int
    sequence: int
    name: int
    lane: bool
    any_source: bool


#: A bucket of DDP's in flight: whether its work runs on the host, name, group, start, thread, bytes, sequence.
Bucket = Tuple[bool, int, Group, int, int, int, int]


class _Local(threading.local):
    inside = False


class Collectives:
    """Wraps, announces, counts, and ends calls."""

    def __init__(self, to: Recorder, known: Groups) -> None:
        self._to = to
        self._groups = known
        self._local = _Local()
        self._lanes = Lanes()
        self._pending: "OrderedDict[int, Tuple[Any, Call]]" = OrderedDict()
        self._arguments: Dict[str, Arguments] = {}

    # -- one call --------------------------------------------------------------------------------------------------------

    def announce(self, spec: Spec, arguments: Arguments, args: Tuple[Any, ...], kwargs: Dict[str, Any], start: int = 0,
                 flags: int = 0, operations: int = 1) -> Optional[Call]:
        """Counts a call and writes its begin. None where there is nothing to end: off, or no member."""
        try:
            get = arguments.get
            group = self._groups.of(kwargs["group"] if "group" in kwargs else get("group", args, kwargs))
            if group is None:
                return None
            to = self._to
            if to.ring is None and not to.open():
                return None
            op, peer = spec.op, -1
            data = get(spec.data, args, kwargs) if spec.data else None
            if spec.root:
                root = get(spec.root, args, kwargs)
                if root is None:
                    within = get("group_" + spec.root, args, kwargs)
                    root = group.members[within] if within is not None else -1
                peer = int(root)
            any_source = False
            if op == L.SEND:
                sequence = group.next_pair(self._groups.rank, peer)
            elif op == L.RECV:
                any_source = peer < 0
                sequence = -1 if any_source else group.next_pair(peer, self._groups.rank)
            else:
                sequence = group.next_call()
            ring = to.ring
            if not to.collectives_on or ring is None:
                return None
            cuda = on_gpu(data)
            named = group.names.get((spec.word, cuda))
            if named is None:
                named = group.names[(spec.word, cuda)] = self._name(group, spec.word, cuda)
            host = named[0]
            call = Call()
            call.op = self._uneven_op(op, get, args, kwargs) if op == L.ALL_TO_ALL else op
            call.lane = host and (spec.always_async or bool(get("async_op", args, kwargs)))
            call.flags = flags | (L.COLL_WORK if host else L.COLL_LAUNCH)
            call.group = group
            call.peer = peer
            size = bytes_of(data)
            call.size = size * group.size if spec.times_members and size > 0 else size
            call.operations = operations
            if operations == 1 and isinstance(data, (list, tuple)) and op in (L.ALL_REDUCE, L.BROADCAST) and len(data) > 1:
                call.operations = len(data)
                call.flags |= L.COLL_COALESCED
            call.sequence = sequence
            call.any_source = any_source
            call.name = named[1]
            call.thread = self._lanes.take() if call.lane else thread_id()
            call.start = start or monotonic_ns()
            if not any_source:  # a receive from anybody has no identity yet by which its begin could be found again
                self._begins(ring, call)
            return call
        except Exception:
            self._to.failed()
            return None

    def bucket(self, of: Any, tensor: Any) -> Optional[Bucket]:
        """The same for a bucket of DDP's, an asynchronous all_reduce of one tensor: a short way, for there are many in a step, and each is met with cold caches. `of` is DDP's hook."""
        try:
            to = self._to
            if not to.live:
                return None
            ring = to.ring
            group = of.known
            if group is None or ring is None:
                group = self._groups.of(of.group)
                if group is None or (ring is None and not to.open()):
                    return None
                ring = to.ring
                of.known = group
                of.named = self._name(group, "all_reduce", tensor.is_cuda)
            sequence = group.calls
            group.calls = sequence + 1
            if ring is None or not to.collectives_on:
                return None
            lane, name = of.named
            size = tensor.numel() * tensor.element_size()
            thread = self._lanes.take() if lane else thread_id()
            start = monotonic_ns()
            ring.collective(L.ALL_REDUCE, L.COLL_BEGIN | (L.COLL_WORK if lane else L.COLL_LAUNCH), group.id, start, 0, thread, 0, -1, 1, size,
                            sequence, group.size, name)
            return lane, name, group, start, thread, size, sequence
        except Exception:
            self._to.failed()
            return None

    def bucket_ended(self, call: Optional[Bucket]) -> None:
        """Its work is over, or its launch where it goes on on a GPU."""
        if call is None:
            return
        try:
            now = monotonic_ns()
            lane, name, group, start, thread, size, sequence = call
            ring = self._to.ring
            if ring is not None:
                ring.later((L.ALL_REDUCE, L.COLL_WORK if lane else L.COLL_LAUNCH, group.id, start, now - start, thread, 0, -1, 1, size,
                            sequence, group.size, name))
            if lane:
                self._lanes.give(thread)
        except Exception:
            self._to.failed()

    def _name(self, group: Group, word: str, cuda: Optional[bool]) -> Tuple[bool, int]:
        """Whether the work runs on the host, and the id of its name; where no tensor tells, the backend does."""
        ring = self._to.ring
        cuda = "nccl" in group.backend if cuda is None else cuda
        backend = group.backend_for(cuda)
        return not cuda or backend in ("gloo", "mpi"), ring.name(backend + ":" + word) if ring is not None else 0

    @staticmethod
    def _uneven_op(op: int, get: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> int:
        found = any(uneven(get(n, args, kwargs)) for n in ("output_split_sizes", "input_split_sizes"))
        for name in ("output_tensor_list", "input_tensor_list"):
            tensors = get(name, args, kwargs)
            found = found or (tensors is not None and uneven([t.numel() for t in tensors]))
        return L.ALL_TO_ALL_UNEVEN if found else op

    @staticmethod
    def _begins(ring: Ring, c: Call) -> None:
        """At once: whoever hangs in it is to be seen there."""
        ring.collective(c.op, c.flags | L.COLL_BEGIN, c.group.id, c.start, 0, c.thread, 0, c.peer, c.operations, c.size, c.sequence,
                        c.group.size, c.name)

    def _ended(self, c: Call, duration: int) -> None:
        ring = self._to.ring
        if ring is not None:
            ring.later((c.op, c.flags, c.group.id, c.start, duration, c.thread, 0, c.peer, c.operations, c.size, c.sequence,
                        c.group.size, c.name))

    def end(self, call: Optional[Call]) -> None:
        """The call, or its work, is over."""
        if call is None:
            return
        try:
            self._ended(call, monotonic_ns() - call.start)
            if call.lane:
                self._lanes.give(call.thread)
        except Exception:
            self._to.failed()

    def returned(self, call: Optional[Call], result: Any) -> None:
        """The function has returned: the call is over, or its work goes on and ends later."""
        if call is None:
            return
        try:
            if call.any_source and isinstance(result, int):
                call.peer = result
                call.sequence = call.group.next_pair(result, self._groups.rank)
            if not call.lane or result is None:
                self.end(call)
                return
            try:
                future = result.get_future()
            except Exception:
                future = None  # gloo's sends and receives have none
            if future is not None:
                future.add_done_callback(partial(self._done, call))
                return
            self._pending[id(result)] = (result, call)
            if len(self._pending) > _MOST_PENDING:
                self._give_up(self._pending.popitem(last=False)[1][1])
        except Exception:
            self._to.failed()

    def _give_up(self, call: Call) -> None:
        """Nobody asked after this work: only its call is known, which is over."""
        call.flags = call.flags & ~L.COLL_WORK | L.COLL_LAUNCH
        self._ended(call, 0)
        self._lanes.give(call.thread)
        ring = self._to.ring
        if ring is not None:
            ring.count(L.LOST_UNJOINED)

    def sweep(self, _number: int = 0) -> None:
        """After a step: asks after the oldest works that nobody has waited for."""
        if self._pending:
            for work, _ in list(self._pending.values())[:_SWEPT]:
                if work.is_completed():
                    self.waited(work)

    def _done(self, call: Call, _future: Any) -> None:
        self.end(call)

    def waited(self, work: Any) -> None:
        """Somebody has seen that a work is over."""
        known = self._pending.pop(id(work), None)
        if known is not None:
            call = known[1]
            if call.any_source:
                try:
                    call.peer = call.group.members[work._source_rank()]
                    call.sequence = call.group.next_pair(call.peer, self._groups.rank)
                except Exception:
                    pass  # it stays unknown
            self.end(call)

    # -- wrapping --------------------------------------------------------------------------------------------------------

    def wrapper(self, name: str, original: Any) -> Any:
        spec = SPECS[name]
        arguments = self._arguments[name] = Arguments.of(original, spec)
        local = self._local
        to = self._to

        def collective(*args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not to.live or local.inside:
                return original(*args, **kwargs)
            call = self.announce(spec, arguments, args, kwargs)
            local.inside = True
            try:
                result = original(*args, **kwargs)
            except BaseException:
                self.end(call)
                raise
            finally:
                local.inside = False
            self.returned(call, result)
            return result

        return collective

    def batch(self, original: Any) -> Any:
        """batch_isend_irecv: each operation by itself; on a GPU they are one kernel, which the flag says."""
        local = self._local
        to = self._to

        def batch_isend_irecv(p2p_op_list: Any, *args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not to.live or local.inside:
                return original(p2p_op_list, *args, **kwargs)
            calls = to_calls(p2p_op_list)
            local.inside = True
            try:
                works = original(p2p_op_list, *args, **kwargs)
            except BaseException:
                for c in calls:
                    self.end(c)
                raise
            finally:
                local.inside = False
            self._batch_returned(calls, works)
            return works

        def to_calls(ops: Any) -> List[Optional[Call]]:
            try:
                start = monotonic_ns()
                return [self._operation(o, start, len(ops)) for o in ops]
            except Exception:
                to.failed()
                return []

        return batch_isend_irecv

    def _operation(self, o: Any, start: int, operations: int) -> Optional[Call]:
        name = getattr(o.op, "__name__", "isend")
        coalesced = bool(on_gpu(o.tensor)) and operations > 1
        key = "dst" if name == "isend" else "src"
        return self.announce(SPECS[name], self._arguments[name], (), {"tensor": o.tensor, key: o.peer, "group": o.group}, start,
                             L.COLL_COALESCED if coalesced else 0, operations if coalesced else 1)

    def _batch_returned(self, calls: List[Optional[Call]], works: Any) -> None:
        each = works if isinstance(works, (list, tuple)) and len(works) == len(calls) else [None] * len(calls)
        for call, work in zip(calls, each):
            self.returned(call, work)

    def seen_through(self, name: str) -> Callable[[Any], Any]:
        """Work.wait and Work.is_completed: who waits for a work learns its end."""
        pending = self._pending

        def make(original: Any) -> Any:
            def look(work: Any, *args: Any, **kwargs: Any) -> Any:
                result = original(work, *args, **kwargs)
                if pending and (name == "wait" or result):
                    self.waited(work)
                return result

            return look

        return make

    def install(self, dist: Any) -> None:
        """Wraps what there is, in both places where callers look it up."""
        c10d = self._groups.c10d
        for name in SPECS:
            home = c10d if hasattr(c10d, name) else dist
            _patch.replace(home, name, partial(self.wrapper, name))
            _patch.alias(dist, name, home)
        _patch.replace(c10d, "batch_isend_irecv", self.batch)
        _patch.alias(dist, "batch_isend_irecv", c10d)
        if hasattr(c10d, "P2POp"):
            # Made with a function that was imported before it was wrapped: torch compares it with the one that now has its name.
            for method in ("__new__", "__init__"):
                if method in vars(c10d.P2POp):
                    _patch.replace(c10d.P2POp, method, partial(_with_wrapped_op, c10d))
        work = getattr(c10d, "Work", None)
        if work is not None:
            for name in ("wait", "is_completed"):
                _patch.replace(work, name, self.seen_through(name))


def _with_wrapped_op(c10d: Any, original: Any) -> Any:
    def construct(self: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
        for name in ("isend", "irecv"):
            if getattr(getattr(c10d, name, None), _patch.MARK, None) is op:
                op = getattr(c10d, name)
        return original(self, op, *args, **kwargs)

    return construct


collectives = Collectives(recorder, groups)
