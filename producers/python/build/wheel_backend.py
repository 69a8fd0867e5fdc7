"""Builds the wheel (PEP 517) from the standard library alone: the package, and the .pth file that starts it where ARGUS is set."""

import base64
import hashlib
import io
import os
import tarfile
import zipfile

NAME, VERSION = "argus_producer", "0.1.0"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INFO = "%s-%s.dist-info" % (NAME, VERSION)
METADATA = """Metadata-Version: 2.1
Name: argus-producer
Version: %s
Summary: Records steps, phases and collectives of a PyTorch training process for the Argus agent
Requires-Python: >=3.9
""" % VERSION
WHEEL = "Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
MOMENT = (2026, 1, 1, 0, 0, 0)


def _files():
    for name in sorted(os.listdir(os.path.join(ROOT, "argus"))):
        if name.endswith((".py", ".typed")):
            yield "argus/" + name, os.path.join(ROOT, "argus", name)
    yield "argus-start.pth", os.path.join(ROOT, "argus-start.pth")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "%s-%s-py3-none-any.whl" % (NAME, VERSION)
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path, data):
            info = zipfile.ZipInfo(path, MOMENT)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append("%s,sha256=%s,%d" % (path, digest, len(data)))

        for path, source in _files():
            with open(source, "rb") as f:
                add(path, f.read())
        add(INFO + "/METADATA", METADATA.encode())
        add(INFO + "/WHEEL", WHEEL.encode())
        record.append(INFO + "/RECORD,,")
        wheel.writestr(zipfile.ZipInfo(INFO + "/RECORD", MOMENT), "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = "%s-%s" % (NAME, VERSION)
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as out:
        for name in ("pyproject.toml", "build/wheel_backend.py", "README.md"):
            out.add(os.path.join(ROOT, name), base + "/" + name)
        for path, source in _files():
            out.add(source, base + "/" + path)
        info = tarfile.TarInfo(base + "/PKG-INFO")
        info.size = len(METADATA.encode())
        out.addfile(info, io.BytesIO(METADATA.encode()))
    return base + ".tar.gz"
