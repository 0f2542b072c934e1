"""Loads sessions with the agents' own code and prints what they hold, as JSON.

Reads a list of `{"loader": name, "text": session}` from standard input. The answer to each is `{"messages", "compaction",
"continued"}`, or `{"error"}` when the agent refuses the session; `continued` is whether the session is the same after the
agent has saved and loaded it again, where it can.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

# TunaCode keeps its sessions below the home of the user.
HOME = tempfile.TemporaryDirectory()
for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
    os.environ[name] = HOME.name


def tunacode(text):
    """A session file of TunaCode 0.2, loaded, saved and loaded again by its state manager."""
    from tunacode.configuration.paths import get_session_storage_dir
    from tunacode.core.session.state import StateManager

    session = json.loads(text)
    folder = Path(get_session_storage_dir())
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{session['project_id']}_{session['session_id']}.json"
    file.write_text(text)

    def load():
        manager = StateManager()
        if not asyncio.run(manager.load_session(session["session_id"])):
            # The loader swallows its reasons.
            manager._deserialize_messages(session["messages"])
            manager._deserialize_compaction(session.get("compaction"))
            raise ValueError("the session was refused")
        held = manager.session
        messages = [message.model_dump(exclude_none=True) for message in held.conversation.messages]
        compaction = held.compaction.to_dict() if held.compaction else None
        return manager, {"messages": messages, "compaction": compaction}

    manager, loaded = load()
    saved = asyncio.run(manager.save_session())
    again = load()[1]
    return {**loaded, "continued": saved and again == loaded}


def tinyagent(text):
    """A list of TinyAgent's messages."""
    from tinyagent.agent_types import AssistantMessage, CustomAgentMessage, ToolResultMessage, UserMessage

    models = {"user": UserMessage, "assistant": AssistantMessage, "tool_result": ToolResultMessage}
    messages = [models.get(raw["role"], CustomAgentMessage).model_validate(raw) for raw in json.loads(text)]
    return {"messages": [message.model_dump(exclude_none=True) for message in messages]}


def pydantic_ai(text):
    """A list of pydantic-ai's messages, or those among the messages of a TunaCode 0.1 file."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    root = json.loads(text)
    listed = root if isinstance(root, list) else [entry for entry in root["messages"] if "kind" in entry]
    messages = ModelMessagesTypeAdapter.validate_python(listed)
    dumped = ModelMessagesTypeAdapter.dump_python(messages, mode="json")
    again = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(messages))
    return {"messages": dumped, "continued": again == messages}


LOADERS = {"tunacode": tunacode, "tinyagent": tinyagent, "pydantic_ai": pydantic_ai}


def answer(job):
    try:
        return LOADERS[job["loader"]](job["text"])
    except Exception as refusal:
        return {"error": f"{type(refusal).__name__}: {refusal}"}


json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)
