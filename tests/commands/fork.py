"""Runs commands of the Python package for `run.test.mjs`: each in a process of its own, forked from this one, because three
quarters of a short command are the start of Python. A line of standard input asks, and a line of standard output answers."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import signal
import socket
import sys
import traceback
from typing import Any

import ebbline._cli.main  # noqa: F401 - loaded once, for all commands
from ebbline import _engine
from ebbline.__main__ import main


def run(asked: dict[str, Any], ends: list[socket.socket]) -> None:
    """What the forked process does: it becomes a program with these arguments, in these surroundings."""
    try:
        for descriptor, end in enumerate(ends):
            os.dup2(end.fileno(), descriptor)
        os.closerange(len(ends), 256)
        os.chdir(asked["cwd"])
        os.environ.clear()
        os.environ.update(asked["env"])
        sys.argv[1:] = asked["args"]
        main()
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(70)


async def content(own: socket.socket) -> str:
    """Everything that a process writes."""
    reader, writer = await asyncio.open_connection(sock=own)
    written = await reader.read()
    writer.close()
    return base64.b64encode(written).decode()


async def feed(own: socket.socket, given: bytes) -> None:
    """Gives a process its input, as much of it as it reads."""
    _, writer = await asyncio.open_connection(sock=own)
    with contextlib.suppress(ConnectionError):
        writer.write(given)
        await writer.drain()
    writer.close()


async def answer(asked: dict[str, Any]) -> None:
    """Forks, and tells how the process ended and what it wrote. Node gives its children sockets too."""
    ours, theirs = zip(*(socket.socketpair() for _ in range(3)), strict=True)
    process = os.fork()
    if process == 0:
        run(asked, list(theirs))
    for end in theirs:
        end.close()
    limit = asyncio.get_running_loop().call_later(asked["limit"], os.kill, process, signal.SIGKILL)
    fed = feed(ours[0], base64.b64decode(asked["stdin"]))
    _, out, notes = await asyncio.gather(fed, content(ours[1]), content(ours[2]))
    limit.cancel()
    # What a process writes ends with the process.
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    ended = {"code": code if code >= 0 else None, "signal": signal.Signals(-code).name if code < 0 else None}
    print(json.dumps({"id": asked["id"], **ended, "out": out, "notes": notes}), flush=True)


async def serve() -> None:
    """Answers every line."""
    reader, tasks = asyncio.StreamReader(limit=1 << 26), set()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        tasks.add(asyncio.create_task(answer(json.loads(line))))
    await asyncio.gather(*tasks)


_engine._load()
asyncio.run(serve())
