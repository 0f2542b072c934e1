"""Puts wasmtime's C API into a folder, as its releases have it: `python tests/component/c_api.py FOLDER`.

The library is the one that this Python's wasmtime has, and the headers are those of the crate of the same version.
"""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
import urllib.request
from importlib.metadata import version
from pathlib import Path

import wasmtime

SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def main(folder: Path) -> None:
    number = version("wasmtime")
    stamp = folder / "version"
    if stamp.exists() and stamp.read_text() == number:
        return
    shutil.rmtree(folder, ignore_errors=True)
    crate = f"wasmtime-c-api-impl-{number}"
    with urllib.request.urlopen(f"https://static.crates.io/crates/wasmtime-c-api-impl/{crate}.crate", timeout=60) as answer:
        archive = tarfile.open(fileobj=io.BytesIO(answer.read()), mode="r:gz")
    headers = f"{crate}/include/"
    for member in archive.getmembers():
        if member.isfile() and member.name.startswith(headers) and ".." not in member.name:
            to = folder / "include" / member.name.removeprefix(headers)
            to.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content is not None
            to.write_bytes(content.read())
    # What a release is built with, as far as the host uses it.
    features = ["COMPONENT_MODEL", "COMPILER", "CRANELIFT"]
    conf = "".join(f"#define WASMTIME_FEATURE_{feature}\n" for feature in features)
    (folder / "include/wasmtime/conf.h").write_text(conf)
    [library] = Path(wasmtime.__file__).parent.glob(f"*/_libwasmtime{SUFFIX}")
    (folder / "lib").mkdir()
    shutil.copy(library, folder / "lib" / f"libwasmtime{SUFFIX}")
    stamp.write_text(number)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
