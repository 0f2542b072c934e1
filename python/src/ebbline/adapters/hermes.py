"""Hermes Agent: a context engine, which its `hermes plugins` finds once this package is in its environment.

    pip install ebbline
    python -m ebbline.adapters.hermes

The second command enables the plugin and selects the engine, in Hermes' own settings. Settings of the engine stand in its
``config.yaml`` under ``context.ebbline``: the options of :class:`ebbline.Compactor` that are plain data.

Hermes keeps what an engine returns, and its database has that alone. What is no longer there is in a record beside the database, by the
id of the session, so that ``recall_output`` and the next compaction know the whole session in another process as well.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from agent.context_engine import ContextEngine  # pyright: ignore[reportMissingImports]

from .._compactor import Compactor
from .._errors import EbblineError
from .._functions import plan
from .._plans import Answer, SummaryRequest
from .._recall import recall_tool
from .._resume import resume
from ._hermes_messages import STORED, Messages, is_same, sent_of

_log = logging.getLogger(__name__)

# Options that say the policy, as :func:`ebbline.plan` takes them.
_OF_POLICY = ("profile", "policy", "set")
# How often a compaction that only clears outputs is followed by another one until there is a summary, or one failed.
_ROUNDS = 10


class EbblineEngine(ContextEngine):
    """Keeps the sessions of one agent inside its context window. Options: those of :class:`ebbline.Compactor`."""

    name = "ebbline"

    def __init__(self, **options: Any) -> None:
        # With an answer of the model behind a summary, Hermes never has to join two messages of the user.
        self._options: dict[str, Any] = {"introduction": {"answer": True}, "warn": False, **options}
        self._limits: dict[str, Any] = {}
        # How Hermes asks its model, as `update_model` said last.
        self._runtime: dict[str, str] = {}
        self._home: Path | None = None
        self._session = ""
        # The session that this one is a branch of.
        self._left: str | None = None
        self._compactor: Compactor | None = None
        # The file of the record, as this engine read or wrote it last: Hermes' gateway has several engines with one session.
        self._seen: bytes | None = None
        # Whether Hermes asked whether the context is full, and it is: otherwise, whoever calls `compress` wants it anyway.
        self._is_due = False
        self._lock = threading.RLock()
        self._last_summary_error: str | None = None
        self._last_compression_made_progress = False
        # Whether the call of `compress` that runs has a summary.
        self._is_summarized = False
        # Wrong options are refused here: later, Hermes would go on with all of its messages.
        self._made(None)

    def __deepcopy__(self, memo: dict[int, Any]) -> EbblineEngine:
        """Another engine with the same settings, which goes on by itself."""
        other = type(self).__new__(type(self))
        members = {name: value for name, value in vars(self).items() if name != "_lock"}
        # Options hold the caller's own code, which is no state. A compactor tells this engine what happens: the copy reads its record.
        members.update(_limits=dict(self._limits), _runtime=dict(self._runtime), _compactor=None)
        vars(other).update(members, _lock=threading.RLock())
        return other

    def update_model(
        self,
        model: str,
        context_length: int,
        base_url: str = "",
        api_key: str = "",
        provider: str = "",
        api_mode: str = "",
        **others: Any,
    ) -> None:
        """The model that gets the next requests, and its window."""
        self.context_length = context_length
        self._limits = {"context": context_length}
        runtime = {"model": model, "base_url": base_url, "api_key": api_key, "provider": provider, "api_mode": api_mode}
        self._runtime = runtime
        self.threshold_tokens = self._plan([{"role": "user", "content": "?"}]).json["trigger"]["threshold"]
        self.threshold_percent = self.threshold_tokens / context_length if context_length else 0.75

    def update_from_response(self, usage: Mapping[str, Any]) -> None:
        """What the provider reported for the last request."""
        self.last_prompt_tokens = usage.get("prompt_tokens") or 0
        self.last_completion_tokens = usage.get("completion_tokens") or 0
        self.last_total_tokens = usage.get("total_tokens") or 0

    def should_compress(self, prompt_tokens: int | None = None) -> bool:
        """Whether the context is full."""
        tokens = self.last_prompt_tokens if prompt_tokens is None else prompt_tokens
        self._is_due = 0 < self.threshold_tokens <= tokens
        return self._is_due

    def has_content_to_compress(self, messages: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a compaction would change anything."""
        return self._plan([sent_of(message) for message in messages], force=True).verdict not in ("noop", "refuse")

    def compress(
        self,
        messages: list[dict[str, Any]],
        current_tokens: int | None = None,
        focus_topic: str | None = None,
        force: bool = False,
        memory_context: str = "",
    ) -> list[dict[str, Any]]:
        """What Hermes goes on with: the messages themselves if nothing is to be done, otherwise shorter ones."""
        is_due, self._is_due = self._is_due and not force, False
        self._last_summary_error, self._last_compression_made_progress, self._is_summarized = None, False, False
        known = current_tokens if current_tokens is not None and current_tokens > 0 else None
        call: dict[str, Any] = {"focus": focus_topic, "notes": memory_context or None, "known_tokens": known}
        with self._lock:
            try:
                compactor = self._opened(messages)
                view = compactor.prepare(messages, model=self._limits or None, **call)
                if force or (not is_due and is_same(view, messages)):
                    view = self._made_smaller(compactor, messages, call, _ROUNDS if force else 1)
            except EbblineError as error:
                # Nothing makes it smaller: what is sent is for Hermes and the provider to say.
                _log.warning("ebbline: %s", error)
                self._last_summary_error = str(error)
                return messages
            if not self._keep():
                # What that engine returned and recorded counts: with another view, its outputs would be gone.
                self._last_summary_error = "another engine compacted this session meanwhile"
                return messages
        if is_same(view, messages):
            return messages
        self.compression_count += 1
        self._last_compression_made_progress = True
        # Hermes stores what is not marked as stored.
        return [{name: value for name, value in message.items() if name != STORED} for message in view]

    def _made_smaller(self, compactor: Compactor, messages: list[Any], call: dict[str, Any], rounds: int) -> Any:
        """Compacts although it may fit. Whoever asks for that wants a summary, which has the focus: clearing outputs is not enough."""
        view = compactor.messages
        for _ in range(rounds):
            if self._is_summarized or (self._last_summary_error and not is_same(view, messages)):
                break
            try:
                before, view = view, compactor.compact_now(messages, **call)
            except EbblineError:
                if is_same(compactor.messages, messages):
                    raise
                break
            if is_same(view, before):
                break
            # What the host has counted are the messages before that.
            call = {**call, "known_tokens": None}
        return view

    def on_session_start(self, session_id: str, **about: Any) -> None:
        """A session begins, goes on in this process, or goes on under another id after a compaction."""
        home = about.get("hermes_home")
        with self._lock:
            self._home = Path(home) if home else self._home
            if session_id != self._session:
                self._session, self._left = session_id, None
            if about.get("boundary_reason") == "compression":
                self._keep()
            else:
                self._compactor = None
                self._adopt()

    def bind_session_state(self, session_db: Any = None, session_id: str = "") -> None:
        """The session of the next calls. Hermes says no more than this at `/new`, `/resume` and `/branch`."""
        with self._lock:
            if session_id and session_id != self._session:
                self._session, self._compactor = session_id, None
                self._left = _left_by(session_db, session_id)
                self._adopt()

    def on_session_end(self, session_id: str, messages: list[dict[str, Any]]) -> None:
        """A session is over."""
        with self._lock:
            self._keep()

    def on_session_reset(self) -> None:
        """The next session has nothing to do with this one."""
        super().on_session_reset()
        self._compactor, self._left, self._is_due = None, None, False

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """The tool that gets a cleared output back."""
        return [recall_tool()["function"]]

    def handle_tool_call(self, name: str, args: Mapping[str, Any], **about: Any) -> str:
        """Answers a call of that tool."""
        if name != recall_tool()["function"]["name"]:
            return json.dumps({"error": f"there is no tool {name}"})
        reference = str(args.get("ref") or "").strip().removeprefix("[ref ").removesuffix("]")
        with self._lock:
            try:
                messages: Any = about.get("messages") or []
                compactor = self._opened(messages)
                output = compactor.recall(reference)
                if output is None and messages:
                    # What came since the last compaction is known to Hermes alone.
                    compactor.take(messages)
                    output = compactor.recall(reference)
            except EbblineError as error:
                return json.dumps({"error": str(error)})
        if output is None:
            return json.dumps({"error": f"no output has the reference {reference}"})
        return json.dumps({"output": output}, ensure_ascii=False)

    def get_status(self) -> dict[str, Any]:
        """What Hermes shows."""
        return {**super().get_status(), "engine": self.name, "last_error": self._last_summary_error}

    def _opened(self, messages: Sequence[Any]) -> Compactor:
        """The compactor of this session, which knows these messages or goes on with the record of another engine."""
        if self._compactor is None or (messages and self._is_changed()):
            stored = self._stored()
            record = self._read(stored)
            with warnings.catch_warnings():
                # That a session has no record is no surprise: it may have begun with another engine.
                warnings.simplefilter("ignore")
                opened = resume(self._made, record, messages)
            # A record of other messages says less about these than what this engine knows.
            if self._compactor is None or (record is not None and opened.begun_anew is None):
                self._compactor = opened
            self._seen = stored
        return self._compactor

    def _made(self, record: Mapping[str, Any] | None) -> Compactor:
        messages = Messages(record)
        options: dict[str, Any] = {
            "summarize": self._summary,
            "model": self._limits or None,
            "format": "openai_chat",
            "originals": "record",
            **self._options,
        }
        return Compactor(to_json=messages.sent, from_json=messages.restored, record=record, on_event=self._hear, **options)

    def _plan(self, messages: list[dict[str, Any]], **asking: Any) -> Any:
        policy = {name: self._options[name] for name in _OF_POLICY if name in self._options}
        return plan(messages, format="openai_chat", model=cast(Any, self._limits or None), **policy, **asking)

    def _hear(self, event: Mapping[str, Any]) -> None:
        if event["type"] == "compacted":
            self._is_summarized |= event["summarized"] > 0
        if event["type"] == "summary_failed":
            self._last_summary_error = str(event.get("message") or event.get("code"))

    def _summary(self, request: SummaryRequest) -> Answer:
        """Asks the model that Hermes has for compactions."""
        from agent.auxiliary_client import (  # pyright: ignore[reportMissingImports]
            aux_interrupt_protection,  # pyright: ignore[reportUnknownVariableType]
            call_llm,  # pyright: ignore[reportUnknownVariableType]
        )

        asked = [{"role": "system", "content": request.system}, *request.messages]
        with aux_interrupt_protection():
            answer: Any = call_llm(task="compression", main_runtime=self._runtime, messages=asked)
        choice = answer.choices[0]
        text: Any = getattr(choice.message, "content", None)
        return Answer(text if isinstance(text, str) else "", getattr(choice, "finish_reason", None) == "length")

    def _file_of(self, session: str | None) -> Path | None:
        """Where the record of a session is."""
        if self._home is None or not session:
            return None
        return self._home / "ebbline" / (quote(session, safe="") + ".json")

    @property
    def _file(self) -> Path | None:
        return self._file_of(self._session)

    def _adopt(self) -> None:
        """A branch begins with what was decided for the session that it left, as long as that is the same history."""
        left, file = self._file_of(self._left), self._file
        if left is None or file is None or file.exists() or not left.exists():
            return
        try:
            _write(file, left.read_bytes())
        except OSError as error:
            _log.warning("ebbline: the record of session %s cannot be copied: %s", self._left, error)

    def _stored(self) -> bytes | None:
        """The file of the record as it is now."""
        file = self._file
        try:
            return None if file is None else file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("ebbline: the record of session %s cannot be read: %s", self._session, error)
            return None

    def _is_changed(self) -> bool:
        """Whether another engine wrote the record."""
        return self._stored() not in (None, self._seen)

    def _read(self, stored: bytes | None) -> Mapping[str, Any] | None:
        if stored is None:
            return None
        try:
            record: Any = json.loads(stored.decode())
            # What is no record is refused here.
            self._made(record)
        except Exception as error:  # whatever is wrong with a file, the session goes on
            _log.warning("ebbline: what stands as the record of session %s is none: %s", self._session, error)
            return None
        return record

    def _keep(self) -> bool:
        """Keeps the record for another process, unless another engine wrote one that this engine has not seen."""
        file = self._file
        if file is None or self._compactor is None:
            return True
        if self._is_changed():
            _log.warning("ebbline: another engine compacted session %s meanwhile", self._session)
            return False
        data = json.dumps(self._compactor.record).encode()
        try:
            _write(file, data)
            self._seen = data
        except OSError as error:
            _log.warning("ebbline: the record of session %s cannot be written: %s", self._session, error)
        return True


def _write(file: Path, data: bytes) -> None:
    """Writes a record, whole or not at all."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(".new", dir=file.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.replace(new, file)
    except OSError:
        os.unlink(new)
        raise


def _left_by(database: Any, session: str) -> str | None:
    """The session that this one is a branch of, as Hermes' database has it."""
    row: Any = (database.get_session(session) if database is not None else None) or {}
    try:
        settings: Any = json.loads(row.get("model_config") or "{}")
    except (TypeError, ValueError) as error:
        _log.warning("ebbline: the model_config of session %s cannot be read: %s", session, error)
        return None
    left: Any = settings.get("_branched_from") if isinstance(settings, dict) else None
    return left if isinstance(left, str) else None


def register(context: Any) -> None:
    """Called by Hermes for an enabled plugin."""
    from hermes_cli.config import load_config  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    settings: Any = load_config().get("context") or {}
    try:
        engine = _checked(settings.get("ebbline") or {})
    except ValueError as error:
        # Hermes writes this into its log alone, and goes on with its own engine.
        if settings.get("engine") == "ebbline":
            print(f"ebbline is not used: {error}", file=sys.stderr)
        raise
    context.register_context_engine(engine)


def _checked(settings: Any) -> EbblineEngine:
    """The engine with these settings.

    Raises:
        ValueError: they are wrong; with their place.
    """
    place = "context.ebbline in Hermes' config.yaml"
    if not isinstance(settings, Mapping):
        raise ValueError(f"{place} must be a mapping of options, such as profile and set")
    try:
        return EbblineEngine(**cast(Mapping[str, Any], settings))
    except (EbblineError, TypeError) as error:
        raise ValueError(f"{place}: {error}") from error


def main() -> None:
    """Enables the plugin and selects the engine, in Hermes' own settings."""
    from hermes_cli.config import load_config, save_config  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    config: Any = load_config()
    plugins = config.setdefault("plugins", {})
    enabled = plugins.setdefault("enabled", [])
    if "ebbline" not in enabled:
        enabled.append("ebbline")
    plugins["disabled"] = [name for name in plugins.get("disabled") or [] if name != "ebbline"]
    config.setdefault("context", {})["engine"] = "ebbline"
    save_config(config)
    print("Hermes Agent uses ebbline from its next session on. `hermes config set context.engine compressor` goes back.")


if __name__ == "__main__":
    main()
