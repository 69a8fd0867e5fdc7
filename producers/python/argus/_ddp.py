"""DistributedDataParallel's all-reduces, which its C++ reducer makes without passing through Python.

They are seen through DDP's own communication hook: before the first forward pass, where the user has registered none, one is
registered that does what the reducer does, to the bit: the same scaling (a multiplication by 1/n, or the division that
gradient_as_bucket_view has), then the sum over the same group. A hook that the user registers later takes its place inside ours.
`ARGUS_DDP_HOOK=0` leaves DDP alone.
"""

from __future__ import annotations

import weakref
from functools import partial
from typing import Any, Callable, Optional, Tuple

from . import _layout as L
from . import _patch
from ._collectives import Bucket, collectives
from ._groups import Group, Groups, groups
from ._recorder import Recorder, recorder


class BucketHook:
    """State of our hook on one DDP module."""

    def __init__(self, dist: Any, ddp: Any) -> None:
        self.group = ddp.process_group
        self.reduce = _reduction(dist, self.group)
        #: The group as it is known here, whether its all-reduces run on the host, and the id of their name: found by the first of them.
        self.known: Optional[Group] = None
        self.named: Tuple[bool, int] = (False, 0)
        self.size = ddp.process_group.size()
        self.divides = bool(getattr(ddp, "gradient_as_bucket_view", False))
        self.inner: Optional[Tuple[Any, Any]] = None


def _reduction(dist: Any, group: Any) -> Callable[[Any], Any]:
    """What `all_reduce` does at last, without the checks that a bucket always passes: each function on the way is one more that no cache has."""
    options = getattr(groups.c10d, "AllreduceOptions", None)
    if options is None or not callable(getattr(group, "allreduce", None)):
        all_reduce = getattr(dist.all_reduce, _patch.MARK, dist.all_reduce)
        return lambda tensor: all_reduce(tensor, group=group, async_op=True)
    sum_of_all = options()
    sum_of_all.reduceOp = dist.ReduceOp.SUM
    if hasattr(sum_of_all, "asyncOp"):
        sum_of_all.asyncOp = True
    reduce = group.allreduce
    return lambda tensor: reduce([tensor], sum_of_all)


def _first(future: Any) -> Any:
    return future.value()[0]


def _ended(call: Bucket, future: Any) -> Any:
    collectives.bucket_ended(call)
    return future.value()[0]


def all_reduce_bucket(state: Any, bucket: Any) -> Any:
    """What the reducer does by itself, recorded."""
    if state.inner is not None:
        return state.inner[1](state.inner[0], bucket)
    tensor = bucket.buffer()
    if state.divides:
        tensor.div_(state.size)
    else:
        tensor.mul_(1.0 / state.size)
    call = collectives.bucket(state, tensor)
    try:
        work = state.reduce(tensor)
    except BaseException:
        collectives.bucket_ended(call)
        raise
    if call is None or not state.named[0]:
        collectives.bucket_ended(call)
        return work.get_future().then(_first)
    return work.get_future().then(partial(_ended, call))  # one call of Python for both


class Ddp:
    """Finds DDP modules by their first call."""

    def __init__(self, to: Recorder, known: Groups) -> None:
        self._to = to
        self._groups = known
        self._seen: "weakref.WeakSet[Any]" = weakref.WeakSet()
        self._users: "weakref.WeakSet[Any]" = weakref.WeakSet()
        self._ours: "weakref.WeakKeyDictionary[Any, BucketHook]" = weakref.WeakKeyDictionary()
        self.kind: Any = None
        self._dist: Any = None

    def install(self, dist: Any, kind: Any) -> None:
        self._dist = dist
        self.kind = kind
        _patch.replace(kind, "register_comm_hook", self._register)
        _patch.replace(kind, "_register_builtin_comm_hook", self._register_builtin)

    def _register(self, original: Any) -> Any:
        def register_comm_hook(ddp: Any, state: object, hook: Any) -> Any:
            ours = self._ours.get(ddp)
            if ours is not None:
                ddp._check_comm_hook(hook)
                ours.inner = (state, hook)
                return None
            self._users.add(ddp)
            return original(ddp, state, hook)

        return register_comm_hook

    def _register_builtin(self, original: Any) -> Any:
        def register_builtin(ddp: Any, kind: Any) -> Any:
            ours = self._ours.get(ddp)
            if ours is not None:
                if "FP16" in str(kind):
                    from torch.distributed.algorithms.ddp_comm_hooks import default_hooks

                    ours.inner = (ddp.process_group, default_hooks.fp16_compress_hook)
                return None
            self._users.add(ddp)
            return original(ddp, kind)

        return register_builtin

    def sharded(self, fsdp: Any) -> None:
        """FSDP calls Python's functions; only its group is to be named."""
        if fsdp not in self._seen:
            self._seen.add(fsdp)
            self._groups.set_dimension(getattr(fsdp, "process_group", None), L.DIM_DP)

    @staticmethod
    def _special(ddp: Any) -> bool:
        """Modes in which the reducer does more, or divides by another number, than our hook would."""
        return (getattr(ddp, "mixed_precision", None) is not None or bool(getattr(ddp, "_use_python_reducer", False))
                or not getattr(ddp, "_divide_by_initial_world_size", True))

    def prepare(self, ddp: Any) -> None:
        """Before a forward pass of a DDP module; does its work once for each."""
        if ddp in self._seen:
            return
        self._seen.add(ddp)
        self._groups.set_dimension(ddp.process_group, L.DIM_DP)
        if not self._to.config.ddp_hook or ddp in self._users or self._special(ddp):
            return
        state = BucketHook(self._dist, ddp)
        try:
            self._dist._register_comm_hook(ddp.reducer, state, all_reduce_bucket)
        except RuntimeError:
            return  # one was registered before we came
        self._ours[ddp] = state


ddp_modules = Ddp(recorder, groups)
