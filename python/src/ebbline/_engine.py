"""The component in wasmtime: instances of it, and calls."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from pathlib import Path
from typing import Any

from . import _cache
from ._errors import EbblineError, Place

_INTERFACE = "ebbline:engine/api@0.1.0"
COMMANDS = "ebbline:engine/commands@0.1.0"
_FILE = Path(__file__).with_name("ebbline.wasm")
# A module's memory never shrinks: an instance that has read a longer text than this is dropped.
_LONGEST_KEPT = 8 << 20

# The code of the error after which nothing of an instance may be used.
_STOPPED = "engine_stopped"

_lock = threading.Lock()
_loaded: tuple[Any, Any] | None = None


def _load() -> tuple[Any, Any]:
    global _loaded
    with _lock:
        if _loaded is None:
            # Here, because it takes longer than everything else: whoever imports ebbline may never call it.
            import wasmtime
            from wasmtime import component

            engine = wasmtime.Engine()
            try:
                source = _FILE.read_bytes()
            except FileNotFoundError:
                raise EbblineError(
                    "broken_package", f"{_FILE} is missing: install the wheel, or run `cargo xtask component`"
                ) from None
            loaded = _cache.load(
                source,
                _version(Path(wasmtime.__file__)),
                lambda source: component.Component(engine, source),
                lambda code: component.Component.deserialize(engine, code),
            )
            _loaded = (engine, loaded)
        return _loaded


def _version(module: Path) -> str:
    """The version of a package by the name of its folder beside it: `importlib.metadata` takes longer than all the rest."""
    for name in os.listdir(module.parent.parent):
        if name.startswith("wasmtime-") and name.endswith(".dist-info"):
            return name.removeprefix("wasmtime-").removesuffix(".dist-info")
    return "unknown"


class Instance:
    """One instance of the component, with a memory of its own. One thread calls it at a time."""

    def __init__(self, interface: str = _INTERFACE) -> None:
        import wasmtime
        from wasmtime import component

        engine, loaded = _load()
        self._wasmtime: Any = wasmtime
        self._variant: Any = component.Variant
        self._record: Any = component.Record
        self._loaded: Any = loaded
        self._store: Any = wasmtime.Store(engine)
        self._instance: Any = component.Linker(engine).instantiate(self._store, loaded)
        self._interface: Any = loaded.get_export_index(interface)
        self._functions: dict[str, Any] = {}
        # The session or compactor inside, if there is one.
        self.handle: Any = None
        self._lock = threading.Lock()
        _alive.add(self)

    def release(self) -> None:
        """Lets go of everything that wasmtime frees, unless a call is running. No call can follow."""
        if self._lock.acquire(blocking=False):
            self._functions.clear()
            self.handle = self._interface = self._instance = self._store = self._loaded = None

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function answers; a failure is raised."""
        with self._lock:
            function: Any = self._functions.get(name)
            if function is None:
                index = self._loaded.get_export_index(name, self._interface)
                self._functions[name] = self._instance.get_func(self._store, index)
                function = self._functions[name]
            try:
                answer: Any = function(self._store, *arguments)
            except UnicodeEncodeError:
                raise EbblineError("not_utf8", "a text holds an unpaired surrogate") from None
            except (self._wasmtime.Trap, self._wasmtime.WasmtimeError) as error:
                raise EbblineError(_STOPPED, "the engine stopped, most likely for want of memory") from error
        # A result whose two types differ comes without its case.
        if type(answer) is self._variant:
            answer = answer.payload
        if type(answer) is self._record and hasattr(answer, "code") and hasattr(answer, "place"):
            raise _error(answer)
        return answer

    def record(self, **members: Any) -> Any:
        """A record to be passed; ``_`` in a name stands for ``-``."""
        record = self._record()
        for name, value in members.items():
            setattr(record, name.replace("_", "-"), value)
        return record


_alive: weakref.WeakSet[Instance] = weakref.WeakSet()


@atexit.register
def _end() -> None:
    """What outlives wasmtime's module, in a list of another library say, could not be freed: Python would complain."""
    global _loaded
    for instance in list(_alive):
        instance.release()
    _loaded = None


def _error(failure: Any) -> EbblineError:
    place = failure.place
    return EbblineError(failure.code, failure.message, None if place is None else Place(place.line, place.byte))


_shared = threading.local()


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that needs no session, in an instance of this thread."""
    instance: Instance | None = getattr(_shared, "instance", None)
    if instance is None:
        instance = _shared.instance = Instance()
    is_long = any(isinstance(argument, str) and len(argument) > _LONGEST_KEPT for argument in arguments)
    try:
        return instance.call(name, *arguments)
    except EbblineError as error:
        is_long = is_long or error.code == _STOPPED
        raise
    finally:
        if is_long:
            _shared.instance = None
