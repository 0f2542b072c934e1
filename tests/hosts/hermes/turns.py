"""Turns of Hermes Agent in one process, as its own programs make them: `python turns.py SESSION FIRST LAST`. Prints as JSON what each turn
answered, what its engine is, and what that gets back of the files that were read."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from hermes_cli.config import load_config
from hermes_cli.plugins import discover_plugins
from hermes_state import SessionDB
from run_agent import AIAgent


def main(session: str, first: int, last: int) -> None:
    discover_plugins()
    settings = load_config()["model"]
    database = SessionDB()
    agent: Any = AIAgent(
        base_url=settings["base_url"],
        api_key=settings["api_key"],
        provider="custom",
        model=settings["default"],
        session_id=session,
        session_db=database,
        enabled_toolsets=["file", "context_engine"],
        quiet_mode=True,
        skip_memory=True,
        skip_context_files=True,
        platform="cli",
        tool_delay=0,
    )
    history: list[Any] = database.get_messages_as_conversation(session)
    engine = agent.context_compressor
    answers: list[Any] = []
    for turn in range(first, last):
        asked = f"Turn {turn}: read the files of this turn. The code of module {turn} is CODE-{1000 + turn}."
        began = time.monotonic()
        given = agent.run_conversation(asked, conversation_history=history)
        history = given["messages"]
        answers.append([turn, given.get("final_response"), len(history), round(time.monotonic() - began, 1)])
    # What was read is asked for by the id of each call that is in the database, archived or not.
    found = "select tool_call_id, content from messages where tool_name = 'read_file' and content like '%end of the file%' group by 1"
    calls = database._conn.execute(found).fetchall()
    back = lost = 0
    for call, content in calls:
        answer = json.loads(engine.handle_tool_call("recall_output", {"ref": call}, messages=history))
        is_back = answer.get("output") == content
        back, lost = back + is_back, lost + (not is_back)
        if not is_back:
            print(call, json.dumps(answer)[:300], json.dumps(content)[:300], file=sys.stderr)
    said = {
        "engine": engine.name,
        "answers": answers,
        "compactions": engine.compression_count,
        "back": back,
        "lost": lost,
        "session": agent.session_id,
        "window": engine.context_length,
    }
    print("RESULT " + json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
