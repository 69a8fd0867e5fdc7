"""What the .pth file imports where ARGUS is set: arms the hooks, makes no ring and imports no torch."""

from __future__ import annotations

import os


def run() -> None:
    try:
        from ._config import truth

        if truth(os.environ.get("ARGUS")):
            import argus

            argus.start(_open=False)
    except Exception:
        pass


run()
