"""Calls back after a module has been imported, without importing it. One finder, which steps aside for every other name."""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from typing import Any, Callable, Dict, List, Optional

from ._recorder import recorder

_wanted: Dict[str, List[Callable[[Any], None]]] = {}


class _Loader(importlib.abc.Loader):
    """The module's own loader, and then the call."""

    def __init__(self, loader: Any, name: str) -> None:
        self._loader = loader
        self._name = name

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        # The module must look as if nobody had been here.
        module.__loader__ = self._loader
        if getattr(module, "__spec__", None) is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        for call in _wanted.pop(self._name, []):
            recorder.guarded(call, module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self._busy: Optional[str] = None

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in _wanted or self._busy == name:
            return None
        self._busy = name
        try:
            spec = importlib.util.find_spec(name)
            if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
                return None
            spec.loader = _Loader(spec.loader, name)
            return spec
        except Exception:
            return None
        finally:
            self._busy = None


_finder = _Finder()


def after(name: str, call: Callable[[Any], None]) -> None:
    """Calls back with the module: now, if it is there, else when it has been imported."""
    module = sys.modules.get(name)
    if module is not None and not getattr(getattr(module, "__spec__", None), "_initializing", False):
        recorder.guarded(call, module)
        return
    _wanted.setdefault(name, []).append(call)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
