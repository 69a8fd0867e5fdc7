"""Replaces functions of other modules, so that it can be undone, and once only."""

from __future__ import annotations

import functools
from typing import Any, Callable, List, Tuple

_done: List[Tuple[Any, str, Any, Any]] = []

MARK = "__argus__"


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> bool:
    """Puts make(original) in the place of owner.name. False where there is none or it is replaced already."""
    original = getattr(owner, name, None)
    if original is None or hasattr(original, MARK):
        return False
    wrapper = make(original)
    try:
        functools.update_wrapper(wrapper, original)
    except AttributeError:
        pass
    setattr(wrapper, MARK, original)
    own = vars(owner).get(name)
    setattr(owner, name, wrapper)
    _done.append((owner, name, own, wrapper))
    return True


def alias(owner: Any, name: str, home: Any) -> None:
    """Where owner.name is what home.name was before it was replaced, it becomes what home.name is."""
    wrapper = getattr(home, name, None)
    original = getattr(wrapper, MARK, None)
    if original is not None and owner is not home and getattr(owner, name, None) is original:
        setattr(owner, name, wrapper)
        _done.append((owner, name, original, wrapper))


def undo_all() -> None:
    """Puts everything back that nobody has replaced since. For tests."""
    while _done:
        owner, name, own, wrapper = _done.pop()
        if vars(owner).get(name) is wrapper:
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)


def never() -> bool:
    return False


#: Whether a compiler traces the code that runs: wrappers then must be nothing but the call. Replaced by torch's own where it has one.
compiling: Callable[[], bool] = never
