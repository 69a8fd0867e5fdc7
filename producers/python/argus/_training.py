"""Optimizer, backward pass, data loading, checkpoints: what ends a step, and what lies in it."""

from __future__ import annotations

import threading
import weakref
from typing import Any, List, Optional, Tuple

from . import _patch
from ._modules import Modules, modules
from ._phases import Open, Phases, phases
from ._recorder import Recorder, recorder
from ._steps import Steps, steps

#: Another optimizer becomes the one that ends steps after so many of its steps without one of the leader.
_LEADER_GONE_AFTER = 8


class _Local(threading.local):
    def __init__(self) -> None:
        self.running: List[Tuple[int, Optional[Open]]] = []


class Optimizers:
    """One step ends with each step of the leading optimizer: the first that steps, the outermost where they are nested."""

    def __init__(self, to: Recorder, of: Steps, spans: Phases) -> None:
        self._to = to
        self._steps = of
        self._phases = spans
        self._local = _Local()
        self._leader: Any = None
        self._others = 0

    def install(self, optimizer_module: Any) -> None:
        """By torch's own hooks where it has them, else by replacing the step of each class of optimizers."""
        pre = getattr(optimizer_module, "register_optimizer_step_pre_hook", None)
        post = getattr(optimizer_module, "register_optimizer_step_post_hook", None)
        if pre is not None and post is not None:
            pre(lambda optimizer, args, kwargs: self._before(optimizer))
            post(lambda optimizer, args, kwargs: self._after(optimizer))
            return
        base = optimizer_module.Optimizer
        self._wrap_all(base)
        _patch.replace(base, "_hook_for_profile", self._on_new)

    def _wrap_all(self, kind: Any) -> None:
        for each in kind.__subclasses__():
            if "step" in vars(each):
                _patch.replace(each, "step", self._step)
            self._wrap_all(each)

    def _on_new(self, original: Any) -> Any:
        def hook(optimizer: Any) -> None:
            original(optimizer)
            kind = type(optimizer)
            if not hasattr(kind.step, _patch.MARK):
                self._to.guarded(_patch.replace, kind, "step", self._step)

        return hook

    def _step(self, original: Any) -> Any:
        def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not self._to.live:
                return original(optimizer, *args, **kwargs)
            self._before(optimizer)
            done = False
            try:
                result = original(optimizer, *args, **kwargs)
                done = True
                return result
            finally:
                if done:
                    self._after(optimizer)
                else:
                    self._to.guarded(self._abandon, 0)

        return step

    def _before(self, optimizer: Any) -> None:
        try:
            if not self._to.live:
                return
            running = self._local.running
            # One that raised is still on the list: it cannot run twice at once.
            for i, (ident, _) in enumerate(running):
                if ident == id(optimizer):
                    self._abandon(i)
                    break
            span = None
            if not running:
                self._steps.activity()
                span = self._phases.begin("Optimizer.step#%s.step" % type(optimizer).__name__, self._phases.dimension)
            running.append((id(optimizer), span))
        except Exception:
            self._to.failed()

    def _after(self, optimizer: Any) -> None:
        try:
            running = self._local.running
            if not running or running[-1][0] != id(optimizer):
                return
            _, span = running.pop()
            if running:
                return
            self._phases.end(span)
            if not self._steps.explicit and self._leads(optimizer):
                self._steps.end()
        except Exception:
            self._to.failed()

    def _abandon(self, first: int) -> None:
        """Ends what an exception has left open."""
        running = self._local.running
        while len(running) > first:
            self._phases.end(running.pop()[1])

    def _leads(self, optimizer: Any) -> bool:
        leader = self._leader() if self._leader is not None else None
        if leader is optimizer:
            self._others = 0
            return True
        self._others += 1
        if leader is None or self._others > _LEADER_GONE_AFTER:
            self._leader = weakref.ref(optimizer)
            self._others = 0
            return True
        return False


class Training:
    """Backward passes, data loaders, checkpoints."""

    def __init__(self, to: Recorder, of: Steps, spans: Phases, calls: Modules) -> None:
        self._to = to
        self._steps = of
        self._phases = spans
        self._modules = calls

    def install(self, torch: Any) -> None:
        _patch.replace(torch.autograd, "backward", self._backward)
        data = torch.utils.data.dataloader
        _patch.replace(data._BaseDataLoaderIter, "__next__", self._next)
        _patch.replace(data.DataLoader, "__iter__", self._iter)
        _patch.replace(torch, "save", self._save)

    def _backward(self, original: Any) -> Any:
        to = self._to
        calls = self._modules

        def backward(*args: Any, **kwargs: Any) -> Any:
            if _patch.compiling() or not to.live:
                return original(*args, **kwargs)
            to.guarded(self._steps.activity)
            span = self._phases.begin("backward", self._phases.dimension)
            calls.backwards += 1
            try:
                if calls.observed is not None and to.operators_on:
                    return calls.observed(original, *args, **kwargs)
                return original(*args, **kwargs)
            finally:
                calls.backwards -= 1
                self._phases.end(span)

        return backward

    def _waits(self, original: Any, what: str) -> Any:
        to = self._to

        def wait(loader: Any) -> Any:
            if not to.live:
                return original(loader)
            to.guarded(self._steps.activity)
            # The name that PyTorch's profiler gives it.
            name = "enumerate(DataLoader)#%s.%s" % (type(loader).__name__, what)
            span = self._phases.begin(name, self._phases.dimension, gpu=False)
            try:
                return original(loader)
            finally:
                self._phases.end(span)

        return wait

    def _next(self, original: Any) -> Any:
        return self._waits(original, "__next__")

    def _iter(self, original: Any) -> Any:
        return self._waits(original, "__iter__")

    def _save(self, original: Any) -> Any:
        def save(*args: Any, **kwargs: Any) -> Any:
            if not self._to.live:
                return original(*args, **kwargs)
            span = self._phases.begin("checkpoint torch.save", 0, gpu=False)
            try:
                return original(*args, **kwargs)
            finally:
                self._phases.end(span)

        return save


optimizers = Optimizers(recorder, steps, phases)
training = Training(recorder, steps, phases, modules)
