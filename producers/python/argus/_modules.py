"""Forward passes and the named parts of a model, by the calls of its modules.

Nothing is hooked on a module itself: hooks would be saved with the model, and global hooks slow every module. During the first steps,
and a step now and then, the call of all modules is watched to learn which classes are called from outside (roots) and which have the
name of a part; only these classes get a call of their own.
"""

from __future__ import annotations

import threading
from time import monotonic_ns
from typing import Any, Callable, Dict, Optional, Set, Tuple

from . import _layout as L
from . import _patch
from ._ddp import Ddp, ddp_modules
from ._groups import groups
from ._phases import Phases, phases
from ._recorder import Recorder, recorder
from ._steps import Steps, steps
from ._threads import threads

_LEARN_FIRST_STEPS = 3
_LEARN_EVERY_STEPS = 64
_MOST_CLASSES = 64
_NO_PART = (0, 0)


class _Local(threading.local):
    depth = 0


class _Own:
    """A call that a class has of its own, to be looked up like that of nn.Module."""

    def __init__(self, call: Any) -> None:
        setattr(self, "__call__", call)


class Modules:
    """Learns classes, and records the calls of those it knows."""

    def __init__(self, to: Recorder, of: Steps, spans: Phases, ddp: Ddp) -> None:
        self._to = to
        self._steps = of
        self._phases = spans
        self._ddp = ddp
        self.local = _Local()
        self._torch: Any = None
        self._roots: Set[type] = set()
        self._parts: Dict[type, Optional[Tuple[str, str]]] = {}
        #: Of this step: the id of each part's name and its dimension, (0, 0) for a class that is none.
        self._told: Dict[type, Tuple[int, int]] = {}
        self._plain: Any = None
        self._learning: Any = None
        self._steps_seen = 0
        self.trained = False
        #: Backward passes that run, on any thread: modules called meanwhile recompute activations.
        self.backwards = 0
        #: Runs a call under a recorder of operators, where that is on.
        self.observed: Optional[Callable[..., Any]] = None

    def install(self, torch: Any) -> None:
        self._torch = torch
        self.learn(True)
        self._steps.on_begin.append(self._step_begins)
        self._steps.on_end.append(self._step_ended)
        if self._ddp.kind is not None:
            self._add_root(self._ddp.kind)

    # -- learning --------------------------------------------------------------------------------------------------------

    def _step_begins(self, _number: int) -> None:
        n = self._steps_seen
        self._steps_seen = n + 1
        self._told.clear()  # topology may have become known
        self.learn(n < _LEARN_FIRST_STEPS or n % _LEARN_EVERY_STEPS == 0)

    def _step_ended(self, _number: int) -> None:
        self.trained = False

    def learn(self, on: bool) -> None:
        """Watches the calls of all modules, or stops."""
        module = self._torch.nn.Module
        if on and self._learning is None:
            self._plain = module.__call__
            self._learning = self._watch(self._plain)
            module.__call__ = self._learning
        elif not on and self._learning is not None:
            if module.__call__ is self._learning:
                module.__call__ = self._plain
                self._learning = None

    def _watch(self, original: Any) -> Any:
        local = self.local

        def __call__(module: Any, *args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not self._to.live:
                return original(module, *args, **kwargs)
            kind = type(module)
            if local.depth == 0 and not self.backwards and kind not in self._roots:
                self._to.guarded(self._add_root, kind)
                if kind in self._roots:
                    return module(*args, **kwargs)
            if kind not in self._parts:
                self._to.guarded(self._add_part, kind)
                if self._parts.get(kind) is not None and "__call__" in vars(kind) and kind not in self._roots:
                    return module(*args, **kwargs)
            local.depth += 1
            try:
                return original(module, *args, **kwargs)
            finally:
                local.depth -= 1

        return __call__

    def _add_root(self, kind: type) -> None:
        if len(self._roots) < _MOST_CLASSES and _patch.replace(kind, "__call__", self._root_call):
            self._roots.add(kind)
            self._parts.setdefault(kind, None)

    def _add_part(self, kind: type) -> None:
        name = kind.__name__.lower().replace("_", "")
        part = None
        if len(self._parts) < 64 * _MOST_CLASSES:
            for words, span, dimension in self._to.config.parts:
                if any(w in name for w in words):
                    part = (span, dimension)
                    break
        self._parts[kind] = part
        if part is not None:
            _patch.replace(kind, "__call__", self._part_call)

    def _base(self, original: Any) -> Any:
        """Where a replaced call is looked up that it goes on to: at nn.Module, whatever that has at the moment (tracers replace it), or the class's own."""
        if original is self._plain or original is self._learning:
            return self._torch.nn.Module
        return _Own(original)

    # -- recording -------------------------------------------------------------------------------------------------------

    def _root_call(self, inherited: Any) -> Any:
        base = self._base(inherited)
        local = self.local
        to = self._to

        def __call__(module: Any, *args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or local.depth or self.backwards or not to.live:
                return base.__call__(module, *args, **kwargs)
            span = to.guarded(self._begin, module)
            local.depth = 1
            try:
                if self.observed is not None and to.operators_on:
                    return self.observed(base.__call__, module, *args, **kwargs)
                return base.__call__(module, *args, **kwargs)
            finally:
                local.depth = 0
                self._phases.end(span)

        return __call__

    def _begin(self, module: Any) -> Any:
        grad = self._torch.is_grad_enabled()
        if grad:
            self._steps.activity()
            self.trained = True
            if self._ddp.kind is not None and isinstance(module, self._ddp.kind):
                self._ddp.prepare(module)
            elif type(module).__name__ == "FullyShardedDataParallel":
                self._ddp.sharded(module)
        evaluation = not grad and not module.training and not self.trained
        return self._phases.begin("evaluation" if evaluation else "forward", self._phases.dimension)

    def _part_call(self, inherited: Any) -> Any:
        base = self._base(inherited)
        to = self._to
        spans = self._phases
        told = self._told

        # As `Phases.begin` and `end` do it, in one function: there are many parts in a step, and each function is one more that no cache has.
        def __call__(module: Any, *args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not to.phases_on:
                return base.__call__(module, *args, **kwargs)
            kind = type(module)
            name, dimension = told.get(kind) or to.guarded(self._tell, kind) or _NO_PART
            own = threads.own
            names = own.names
            enclosing = names[-1] if names else 0
            if not name or enclosing == name or own.silent:
                return base.__call__(module, *args, **kwargs)
            gpu = spans.gpu
            event = to.guarded(gpu.mark) if gpu is not None else None
            names.append(name)
            start = monotonic_ns()
            try:
                return base.__call__(module, *args, **kwargs)
            finally:
                spans.end((name, dimension, L.KIND_ANNOTATION, start, own.id, enclosing, event))

        return __call__

    def _tell(self, kind: type) -> Tuple[int, int]:
        """The id of a part's name and its dimension, (0, 0) for what is none."""
        if kind not in self._parts:  # a class that inherits this call may be another part, or none
            self._to.guarded(self._add_part, kind)
        part = self._parts.get(kind)
        ring = self._to.ring
        if ring is None:
            return _NO_PART
        told = self._told[kind] = _NO_PART if part is None else (ring.name(part[0]), self._peers(part[1]))
        return told

    def _peers(self, dimension: str) -> int:
        """The dimension whose peers do the same work: where the job has none of that kind, the data-parallel ones."""
        if dimension != "dp" and not groups.has(dimension):
            return self._phases.dimension
        return L.DIMENSIONS.get(dimension, L.DIM_NONE)


modules = Modules(recorder, steps, phases, ddp_modules)
