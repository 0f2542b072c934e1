"""Makes the stores beside it with SQLite and zstd, and what is expected of them. Nothing runs it: what it makes is committed.

python3 make.py
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
TABLES = """
CREATE TABLE `project` (`id` text PRIMARY KEY, `worktree` text NOT NULL);
CREATE TABLE `session` (
\t`id` text PRIMARY KEY,
\t`project_id` text NOT NULL,
\t`parent_id` text,
\t`slug` text NOT NULL,
\t`directory` text NOT NULL,
\t`title` text NOT NULL,
\t`version` text NOT NULL,
\t`time_created` integer NOT NULL,
\t`time_updated` integer NOT NULL,
\tCONSTRAINT `fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
);
CREATE TABLE `message` (
\t`id` text PRIMARY KEY,
\t`session_id` text NOT NULL,
\t`time_created` integer NOT NULL,
\t`time_updated` integer NOT NULL,
\t`data` text NOT NULL
);
CREATE TABLE `part` (
\t`id` text PRIMARY KEY,
\t`message_id` text NOT NULL,
\t`session_id` text NOT NULL,
\t`time_created` integer NOT NULL,
\t`time_updated` integer NOT NULL,
\t`data` text NOT NULL
);
CREATE INDEX `message_session_idx` ON `message` (`session_id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
CREATE TABLE `session_message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `type` text NOT NULL,
\t`time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
"""
WORDS = "the file has been read and written again; nothing of it is left, über naïve 漢字 😀 \"quoted\" \\ back\n\t".split(" ")
BEGUN = 1_760_000_000_000


class Agent:
    """Writes sessions as OpenCode does."""

    def __init__(self, database, seed):
        self.database = database
        self.random = random.Random(seed)
        self.time = BEGUN

    def words(self, length):
        text = ""
        while len(text) < length:
            text += self.random.choice(WORDS) + " "
        return text

    def session(self, name, parent=None):
        row = (name, "p", parent, name, "/work/" + name, f'The "{name}"', "1.2.20", self.time, self.time)
        self.database.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", row)

    def id(self, kind):
        self.time += 1_000
        return f"{kind}_{self.time:x}{self.random.getrandbits(32):08x}"

    def message(self, session, role, parts):
        own = self.id("msg")
        info = {"role": role, "time": {"created": self.time}}
        if role == "assistant":
            tokens = {"input": 900, "output": 40, "reasoning": 0, "cache": {"read": 10, "write": 0}}
            info |= {"modelID": "m", "providerID": "p", "mode": "build", "tokens": tokens, "cost": 0}
        row = (own, session, self.time, self.time, json.dumps(info, ensure_ascii=False))
        self.database.execute("INSERT INTO message VALUES (?,?,?,?,?)", row)
        for part in parts:
            self.part(session, own, part)

    def part(self, session, message, part):
        own = self.id("prt")
        row = (own, message, session, self.time, self.time, json.dumps(part, ensure_ascii=False, indent=1))
        self.database.execute("INSERT INTO part VALUES (?,?,?,?,?,?)", row)

    def turn(self, session, length):
        """A question, and an answer with a call."""
        self.message(session, "user", [{"type": "text", "text": self.words(30)}])
        state = {
            "status": "completed",
            "input": {"filePath": "/work/a.py"},
            "output": self.words(length),
            "title": "a.py",
            "metadata": {},
            "time": {"start": self.time, "end": self.time + 5},
        }
        tool = {"type": "tool", "callID": self.id("call"), "tool": "read", "state": state}
        self.message(session, "assistant", [{"type": "step-start"}, tool, {"type": "text", "text": self.words(50)}])


def exported(database):
    """What `opencode export` would write of each session."""
    rows = lambda sql, *given: database.execute(sql, given).fetchall()
    sessions = {}
    for (session,) in rows("SELECT DISTINCT session_id FROM message ORDER BY session_id"):
        [(parent, directory, title)] = rows("SELECT parent_id, directory, title FROM session WHERE id = ?", session)
        info = {"id": session, "parentID": parent, "directory": directory, "title": title}
        messages = []
        for message, data in rows("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", session):
            of_message = rows("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", message)
            parts = [{"id": i, "sessionID": session, "messageID": message} | json.loads(d) for i, d in of_message]
            messages.append({"info": {"id": message, "sessionID": session} | json.loads(data), "parts": parts})
        sessions[session] = {"info": {key: value for key, value in info.items() if value}, "messages": messages}
    return sessions


def made(name, page, journal):
    path = HERE / name
    for ending in ["", "-wal", "-shm"]:
        Path(f"{path}{ending}").unlink(missing_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(f"PRAGMA page_size = {page}; PRAGMA journal_mode = {journal}; BEGIN; {TABLES} COMMIT;")
    database.execute("INSERT INTO project VALUES ('p', '/work')")
    return database


def expected(name, database):
    text = json.dumps(exported(database), ensure_ascii=False)
    (HERE / name).write_text(text + "\n", encoding="utf-8")


def opencode():
    """Its newest pages are in the log, and something is in pages that are free."""
    database = made("opencode.db", 4096, "wal")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    agent = Agent(database, 1)
    agent.session("ses_1")
    for length in [10, 9_000, 500]:
        agent.turn("ses_1", length)
    agent.session("ses_2", parent="ses_1")
    agent.turn("ses_2", 4_500)
    agent.session("ses_gone")
    for _ in range(2):
        agent.turn("ses_gone", 900)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # From here on, the log.
    for table in ["part", "message"]:
        database.execute(f"DELETE FROM {table} WHERE session_id = 'ses_gone'")
    agent.turn("ses_1", 700)
    agent.session("ses_newer")
    created = json.dumps({"time": {"created": BEGUN}, "text": "hello"})
    database.execute("INSERT INTO session_message VALUES ('msg_n', 'ses_newer', 'user', 1, 1, ?)", [created])
    database.execute("BEGIN")
    agent.turn("ses_2", 20)
    # This one is not completed when the files are copied.
    for ending in ["", "-wal"]:
        shutil.copy(HERE / f"opencode.db{ending}", HERE / f"copy.db{ending}")
    database.execute("ROLLBACK")
    expected("opencode.expected.json", database)
    database.close()
    for ending in ["", "-wal"]:
        os.replace(HERE / f"copy.db{ending}", HERE / f"opencode.db{ending}")


def kilo():
    """Small pages, so that trees are deep and most rows go on elsewhere; no log."""
    database = made("kilo.db", 512, "delete")
    agent = Agent(database, 2)
    database.execute("BEGIN")
    sessions = [f"ses_{number}" for number in range(12)]
    for session in sessions:
        agent.session(session)
    for _ in range(25):
        agent.turn(agent.random.choice(sessions), agent.random.choice([5, 80, 440, 460, 900]))
    database.execute("DELETE FROM part WHERE rowid % 5 = 0 AND data LIKE '%step-start%'")
    database.execute("ALTER TABLE message ADD COLUMN agent text")
    agent.time += 1
    row = (agent.id("msg"), sessions[0], BEGUN, BEGUN, '{ "role": "user" }', "build")
    database.execute("INSERT INTO message VALUES (?,?,?,?,?,?)", row)
    database.execute("COMMIT")
    expected("kilo.expected.json", database)
    database.close()


def codex():
    """Two frames, as if something had been appended."""
    first = {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "0a1b", "cwd": "/work"}}
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is in a.py?"}]},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["cat","a.py"]}', "call_id": "call_1"},
        {"type": "function_call_output", "call_id": "call_1", "output": "print(1)\n" * 900},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It prints 1."}]},
    ]
    line = lambda item: {"timestamp": "2026-01-01T00:00:01Z", "type": "response_item", "payload": item}
    all = [json.dumps(first)] + [json.dumps(line(item)) for item in items]
    frames = [all[:3], all[3:]]
    bytes = b""
    for frame in frames:
        text = "".join(entry + "\n" for entry in frame).encode()
        bytes += subprocess.run(["zstd", "-19", "--check", "-c"], input=text, capture_output=True, check=True).stdout
    (HERE / "rollout-2026-01-01T00-00-00-0a1b.jsonl.zst").write_bytes(bytes)


def hermes():
    """Columns as Hermes Agent 0.19 has them, without those that say nothing here; one message was set aside."""
    path = HERE / "hermes.db"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    database.executescript("""
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, system_prompt TEXT,
    parent_session_id TEXT, started_at REAL NOT NULL, message_count INTEGER DEFAULT 0);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,
    reasoning TEXT, active INTEGER NOT NULL DEFAULT 1);
""")
    call = {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a.py"}'}}
    picture = [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
    rows = [
        ("user", "What is in a.py?", None, None, None, None, 0),
        ("user", "What is in a.py? 漢字", None, None, None, None, 1),
        ("assistant", "", None, json.dumps([call]), None, "It must be read.", 1),
        ("tool", "print(1)\n" * 900, "call_1", None, "read_file", None, 1),
        ("assistant", "It prints 1.", None, None, None, None, 1),
        ("user", "\0json:" + json.dumps(picture), None, None, None, None, 1),
    ]
    insert = "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning, active)"
    sessions = {}
    for number, id in enumerate(["20261129_101112_abc123", "20261130_080000_def456"]):
        row = (id, "cli", "m", 'You are "Hermes".', None, 1795924745.5 + number, 5)
        database.execute("INSERT INTO sessions VALUES (?,?,?,?,?,?,?)", row)
        for at, (role, content, answers, calls, tool, thought, active) in enumerate(rows[: 6 - number]):
            row = (id, role, content, answers, calls, tool, 1795924745.25 + at, thought, active)
            database.execute(f"{insert} VALUES (?,?,?,?,?,?,?,?,?)", row)
        [session] = database.execute("SELECT * FROM sessions WHERE id = ?", [id]).fetchall()
        found = database.execute("SELECT * FROM messages WHERE session_id = ? AND active = 1 ORDER BY id", [id])
        messages = [dict(row) for row in found]
        for message in messages:
            message["tool_calls"] = json.loads(message["tool_calls"] or "null")
            if message["content"].startswith("\0json:"):
                message["content"] = json.loads(message["content"][6:])
        sessions[id] = dict(session) | {"messages": messages}
    database.commit()
    database.close()
    (HERE / "hermes.expected.json").write_text(json.dumps(sessions, ensure_ascii=False) + "\n", encoding="utf-8")


def openclaw():
    """Long entries are compressed; a session was reset, and goes on behind an entry that names another one."""
    path = HERE / "openclaw-agent.sqlite"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.execute("""CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
    created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
    PRIMARY KEY (session_id, seq)) STRICT""")
    entry = lambda id, parent, kind="message", **more: {"type": kind, "id": id, "parentId": parent} | more
    said = lambda role, text: {"role": role, "content": [{"type": "text", "text": text}], "timestamp": BEGUN}
    call = {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "a.py"}}
    result = {"role": "toolResult", "toolCallId": "call_1", "toolName": "read", "isError": False}
    lines = [
        {"type": "session", "version": 4, "id": "s-1", "timestamp": "2026-11-29T10:00:00.000Z", "cwd": "/work"},
        entry("a", None, message=said("user", "Before the reset.")),
        entry("r", "a", "reset", reason="new"),
        entry("b", "r", message=said("user", "What is in a.py?")),
        entry("c", "b", message=said("assistant", "") | {"content": [call], "stopReason": "toolUse"}),
        entry("d", "c", message=result | {"content": [{"type": "text", "text": "print(1)\n" * 900}]}),
        entry("e", "d", message=said("assistant", "It prints 2.") | {"stopReason": "stop"}),
        entry("l", "e", "leaf", targetId="d"),
        entry("f", "l", message=said("assistant", "It prints 1.") | {"stopReason": "stop"}),
        entry("n", "f", "custom", appendMode="side", customType="note", data={}),
    ]
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    for seq in reversed(range(len(texts))):
        text = texts[seq].encode()
        if len(text) < 1024:
            row = ("s-1", seq, texts[seq], BEGUN, None, None, None)
        else:
            frame = subprocess.run(["zstd", "-1", "--check", "-c"], input=text, capture_output=True, check=True).stdout
            row = ("s-1", seq, None, BEGUN, frame, len(text), "{}")
        database.execute("INSERT INTO transcript_events VALUES (?,?,?,?,?,?,?)", row)
    database.commit()
    database.close()
    (HERE / "openclaw.expected.jsonl").write_text("".join(text + "\n" for text in texts), encoding="utf-8")


if __name__ == "__main__":
    opencode()
    kilo()
    codex()
    hermes()
    openclaw()
