"""Installation, start by the environment, permission to be read, the CUPTI producer beside."""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

from tests.ringreader import read_all
from tests.support import PACKAGE, Rings, environment

from argus._config import PARTS, Config


class ConfigTest(unittest.TestCase):
    def test_what_makes_no_sense_counts_as_not_given(self):
        c = Config.read({"ARGUS_RING_RECORDS": "1000", "RANK": "x", "SLURM_PROCID": "4", "ARGUS_GC_LEAST_US": "-3"})
        self.assertEqual((1 << 16, 4, -1, 0), (c.capacity, c.rank, c.world_size, c.gc_least_nanos))
        self.assertEqual(2048, Config.read({"ARGUS_RING_RECORDS": "2048"}).capacity)

    def test_parts_of_the_user_come_first(self):
        parts = Config.read({"ARGUS_PARTS": "mixer:self_attention:tp, ssm:state_space,nonsense"}).parts
        self.assertEqual([(("mixer",), "self_attention", "tp"), (("ssm",), "state_space", "dp")], parts[:2])
        self.assertEqual(list(PARTS), parts[2:])
        self.assertEqual([], Config.read({"ARGUS_PARTS": "none"}).parts)

    def test_the_job_and_its_attempt(self):
        c = Config.read({"TORCHELASTIC_RUN_ID": "none", "TORCHELASTIC_RESTART_COUNT": "2"})
        self.assertEqual(("", 2), (c.job, c.attempt))


class InstallTest(Rings):
    @unittest.skipUnless(importlib.util.find_spec("pip"), "needs pip")
    def test_installs_without_network_and_starts_by_the_environment(self):
        target = os.path.join(self.folder, "site")
        source = os.path.join(self.folder, "source")
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("tests", "__pycache__"))
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", "--target", target, source],
            env=environment(PYTHONPATH=""), capture_output=True, text=True, timeout=300)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertTrue(os.path.exists(os.path.join(target, "argus-start.pth")))
        self.assertTrue(glob.glob(os.path.join(target, "argus_producer-*.dist-info")))
        code = "import site, sys; site.addsitedir(%r); print(sorted(m for m in sys.modules if m.startswith(('argus', 'torch'))))"
        for value, loaded in (("0", False), (None, False), ("1", True)):
            more = {} if value is None else {"ARGUS": value}
            out = subprocess.run([sys.executable, "-c", code % target], capture_output=True, text=True, timeout=60,
                                 env=environment(PYTHONPATH="", ARGUS_RING_DIR=self.rings, **more))
            self.assertEqual("", out.stderr)
            self.assertEqual(loaded, "'argus'" in out.stdout, out.stdout)
            self.assertNotIn("torch'", out.stdout)
        self.assertFalse(os.path.exists(self.rings), "without training there is no ring")


class NativeTest(Rings):
    def test_permission_is_given_only_where_it_is_asked_for(self):
        code = ("import ctypes, argus\nfrom argus import _native\nseen = []\n"
                "class C:\n    def prctl(self, *a): seen.append([getattr(x, 'value', x) for x in a]); return 0\n"
                "_native.ctypes.CDLL = lambda *a, **k: C()\nargus.start()\nprint(seen)")
        for value, expected in (("", "[]"), ("any", "[[1499557217, %d, 0, 0, 0]]" % ((1 << 64) - 1)), ("77", "[[1499557217, 77, 0, 0, 0]]")):
            out = self.run_python("-c", code, ARGUS_PTRACER=value)
            self.assertEqual(expected, out.stdout.strip())

    def test_the_permission_itself(self):
        self.run_python("-c", "from argus import _native; _native.allow_reading('any')")

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_the_cupti_producer_is_told_the_step_if_it_is_there(self):
        library = os.path.join(self.folder, "libargus_cupti.so")
        source = os.path.join(self.folder, "stub.c")
        with open(source, "w") as f:
            f.write("#include <stdint.h>\nint64_t last = -1; void argus_cupti_step(int64_t n) { last = n; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        code = ("from argus import _native\nassert _native.cupti_step() is None\nimport ctypes\nl = ctypes.CDLL(%r)\n"
                "_native.cupti_step()(1 << 40)\nprint(ctypes.c_int64.in_dll(l, 'last').value)")
        self.assertEqual(str(1 << 40), self.run_python("-c", code % library).stdout.strip())


class ImportHookTest(Rings):
    def test_calls_back_after_the_import_and_leaves_the_module_as_it_is(self):
        with open(os.path.join(self.folder, "late.py"), "w") as f:
            f.write("import sys\nvalue = 7\nloader = __loader__\n")
        code = ("import sys; sys.path.insert(0, %r)\nfrom argus._imports import after\nseen = []\n"
                "after('late', lambda m: seen.append(m.value)); after('late', lambda m: 1 // 0)\n"
                "assert 'late' not in sys.modules\nimport late\nassert seen == [7], seen\n"
                "assert type(late.__loader__).__name__ == 'SourceFileLoader' and late.__spec__.loader is late.__loader__\n"
                "after('late', lambda m: seen.append(8)); assert seen == [7, 8]\n"
                "after('not.there', print)\ntry: import not_there\nexcept ImportError: pass") % self.folder
        self.run_python("-c", code)

    def test_starting_twice_and_stopping(self):
        code = ("import argus\nassert argus.start() and argus.start() and argus.active()\nargus.step(3)\nargus.stop()\nargus.step(4)\n"
                "assert not argus.active()\nassert argus.start()\nargus.step(5)")
        self.run_python("-c", code)
        rings = read_all(self.rings)
        self.assertEqual([3, 5], [s.number for s in rings[0].steps if s.flags & 4])


if __name__ == "__main__":
    unittest.main()
