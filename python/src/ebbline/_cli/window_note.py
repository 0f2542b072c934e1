"""Nothing weighs more in a replay than the window, so an assumed one is never assumed in silence."""

from __future__ import annotations

from typing import Any

from .engine import profiles
from .figures import amount
from .run import Run


def note_window(values: dict[str, Any], run: Run, option: str = "--context") -> None:
    """Says which window is assumed, unless one was given."""
    if "context" in values or any(setting.startswith("model.context=") for setting in values.get("set", [])):
        return
    known = profiles()
    profile = next((each for each in known if each["name"] == values.get("profile")), known[0])
    window = amount(profile["policy"]["model"]["context"])
    run.notes.write(f"ebbline: without {option}, a window of {window} tokens is assumed\n")
