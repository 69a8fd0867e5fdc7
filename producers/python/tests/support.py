"""What tests share: folders of rings, processes with the producer in them."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)

try:
    import torch

    HAVE_TORCH = torch.distributed.is_available() and torch.distributed.is_gloo_available()
except (ImportError, AttributeError):
    HAVE_TORCH = False

needs_torch = unittest.skipUnless(HAVE_TORCH, "needs torch with gloo")


def environment(**more):
    """This process's, without what would speak to the producer; threads of torch would only slow small tests."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ARGUS", "SLURM", "OMPI", "TORCHELASTIC"))}
    env.update(PYTHONPATH=PACKAGE, OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    env.update(more)
    return env


class Rings(unittest.TestCase):
    """A test with a folder of rings of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="argus-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    @property
    def rings(self):
        return os.path.join(self.folder, "rings")

    def environment(self, **more):
        return environment(**{"ARGUS_RING_DIR": self.rings, "ARGUS_RING_KEEP": "1", "ARGUS_DEBUG": "1", **more})

    def run_python(self, *arguments, timeout=300, **env):
        done = subprocess.run([sys.executable, *arguments], env=self.environment(**env), timeout=timeout, capture_output=True,
                              text=True)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done

    def start_ranks(self, n, *arguments, **env):
        """Starts n ranks; they are ended with the test."""
        port = free_port()
        ranks = []
        for rank in range(n):
            e = self.environment(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(n), MASTER_ADDR="127.0.0.1",
                                 MASTER_PORT=str(port), **env)
            p = subprocess.Popen([sys.executable, *arguments], env=e, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.addCleanup(end, p)
            ranks.append(p)
        return ranks

    def run_ranks(self, n, *arguments, timeout=300, **env):
        for p in self.start_ranks(n, *arguments, **env):
            out, _ = p.communicate(timeout=timeout)
            self.assertEqual(0, p.returncode, out)
            self.assertNotIn("Traceback", out)


def end(process):
    if process.poll() is None:
        process.kill()
    process.communicate()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Agent:
    """What an agent writes into a ring."""

    def __init__(self, path):
        self.path = path

    def _write(self, offset, value):
        with open(self.path, "r+b") as f:
            f.seek(offset)
            f.write(struct.pack("<Q", value))

    def taken(self, position):
        self._write(256, position)

    def beat(self, nanos=1):
        self._write(264, nanos)

    def control(self, signals=0xFFFF, sampling=0, on=0, off=0, attach=0, generation=0):
        self._write(280, signals | sampling << 16 | on << 32 | off << 40 | attach << 48 | generation << 56)
