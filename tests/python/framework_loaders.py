"""Loads sessions with the code of frameworks and of Kimi CLI, and prints the messages that they hold, as JSON.

Reads a list of `{"loader": name, "text": session}` from standard input. The answer to each is `{"messages", "continued"}`,
`{"absent"}` where the package is not installed, or `{"error"}` where its code refuses the session; `continued` is whether the
session is the same after it has been saved and loaded again.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["OTEL_SDK_DISABLED"] = "true"


def google_adk(text):
    """A session of Google ADK; its messages are the contents of a request that is built of it."""
    from google.adk.flows.llm_flows import contents
    from google.adk.sessions.session import Session

    session = Session.model_validate_json(text)
    again = Session.model_validate_json(session.model_dump_json())
    sent = contents._get_contents(None, session.events, "agent")
    dumped = [content.model_dump(mode="json", exclude_none=True) for content in sent]
    return {"messages": dumped, "continued": again == session}


def agent_framework(text):
    """A session of Microsoft Agent Framework."""
    from agent_framework import AgentSession

    def messages(session):
        [held] = [value for value in session.state.values() if "messages" in value]
        return [message.to_dict() for message in held["messages"]]

    session = AgentSession.from_dict(json.loads(text))
    again = AgentSession.from_dict(json.loads(json.dumps(session.to_dict())))
    return {"messages": messages(session), "continued": messages(again) == messages(session)}


def semantic_kernel(text):
    """A chat history of Semantic Kernel."""
    from semantic_kernel.contents import ChatHistory

    history = ChatHistory.restore_chat_history(text)
    again = ChatHistory.restore_chat_history(history.serialize())
    return {"messages": json.loads(history.serialize())["messages"], "continued": again == history}


def autogen(text):
    """The state of an agent of AutoGen."""
    from autogen_core.model_context import UnboundedChatCompletionContext

    async def loaded(state):
        context = UnboundedChatCompletionContext()
        await context.load_state(state)
        return await context.get_messages(), await context.save_state()

    dumped = lambda messages: [message.model_dump(mode="json") for message in messages]
    messages, saved = asyncio.run(loaded(json.loads(text)["llm_context"]))
    again, _ = asyncio.run(loaded(json.loads(json.dumps(saved))))
    return {"messages": dumped(messages), "continued": dumped(again) == dumped(messages)}


def kimi_cli(text):
    """A context of Kimi CLI, to which a message is added."""
    from kimi_cli.soul.context import Context
    from kosong.message import Message

    async def loaded(file):
        context = Context(file)
        await context.restore()
        return context

    async def both(file):
        context = await loaded(file)
        before = list(context.history)
        await context.append_message(Message(role="user", content="Go on."))
        return before, list((await loaded(file)).history)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "context.jsonl"
        file.write_text(text, encoding="utf-8")
        before, after = asyncio.run(both(file))
    dumped = [message.model_dump(mode="json", exclude_none=True) for message in before]
    return {"messages": dumped, "continued": after[:-1] == before}


LOADERS = {loader.__name__: loader for loader in [google_adk, agent_framework, semantic_kernel, autogen, kimi_cli]}


def answer(job):
    try:
        return LOADERS[job["loader"]](job["text"])
    except ModuleNotFoundError as absent:
        return {"absent": absent.name}
    except Exception as refusal:
        return {"error": f"{type(refusal).__name__}: {refusal}"}


answers = [answer(job) for job in json.load(sys.stdin)]
json.dump(answers, sys.stdout)
