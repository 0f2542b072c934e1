"""The engine of Hermes Agent, in the real package (`pip install hermes-agent==0.19.0`): its contract, without the program.
Run by hand, in an environment with this wheel: `python -m unittest test_engine`. `run.mjs` has thirty turns in the program itself."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import io
import json
import os
import tempfile
import threading
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

SUMMARY = "## Goal\nMend the login test.\n\n## Progress\n### Done\n- [x] Files were read.\n\n## Next Steps\n1. Read on."


def history(steps: int, first: int = 0) -> list[Any]:
    """A session as Hermes keeps it, or what came after its first steps."""
    messages: list[Any] = [] if first else [{"role": "user", "content": "Mend the login test.", "timestamp": 1.0}]
    for at in range(first, steps):
        call = {"id": f"c{at}", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}
        said = f"I read file {at}. {'It may be this one. ' * 40}"
        messages.append({"role": "assistant", "content": said, "reasoning": "Hm.", "tool_calls": [call], "_db_persisted": True})
        output = f"line {at} of the file " * 200
        messages.append({"role": "tool", "name": "read_file", "tool_call_id": f"c{at}", "content": output, "_db_persisted": True})
    return messages


@unittest.skipUnless(importlib.util.find_spec("hermes_cli"), "hermes-agent is not installed")
class Hermes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        environment = mock.patch.dict(os.environ, {"HERMES_HOME": folder.name})
        environment.start()
        self.addCleanup(environment.stop)
        self.asked: list[Any] = []
        model = mock.patch("agent.auxiliary_client.call_llm", self.answer)
        model.start()
        self.addCleanup(model.stop)

    def answer(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=SUMMARY), finish_reason="stop")])

    def engine(self, session: str = "s1", **options: Any) -> Any:
        from ebbline.adapters.hermes import EbblineEngine

        engine = EbblineEngine(**{"accept": False, **options})
        engine.update_model("scripted", 66_000, base_url="http://localhost", api_key="secret", provider="custom")
        engine.on_session_start(session, hermes_home=str(self.home))
        return engine

    def test_wrong_settings_are_refused_with_their_place(self) -> None:
        from ebbline.adapters import hermes

        for settings, said in [
            ({"profil": "pi@1.5"}, "profil"),
            ({"profile": "pi@9"}, "there is no profile"),
            ({"set": {"prune.protec": 1}}, "prune.protec"),
            (["ebbline@3"], "must be a mapping"),
        ]:
            context = {"engine": "ebbline", "ebbline": settings}
            loaded = mock.patch("hermes_cli.config.load_config", lambda context=context: {"context": context})
            shown = mock.patch("sys.stderr", io.StringIO())
            with loaded, shown as told, self.assertRaisesRegex(ValueError, r"context\.ebbline in Hermes' config\.yaml") as caught:
                hermes.register(SimpleNamespace(register_context_engine=self.fail))
            self.assertIn(said, str(caught.exception))
            self.assertEqual(told.getvalue(), f"ebbline is not used: {caught.exception}\n")

    def test_the_contract_is_whole(self) -> None:
        from agent.context_engine import ContextEngine  # pyright: ignore[reportMissingImports]

        engine = self.engine()
        self.assertIsInstance(engine, ContextEngine)
        for name, member in inspect.getmembers(ContextEngine, inspect.isfunction):
            own = inspect.signature(getattr(type(engine), name)).parameters
            self.assertLessEqual(set(inspect.signature(member).parameters) - {"kwargs"}, set(own) | {"about"}, name)
        self.assertEqual(engine.name, "ebbline")
        self.assertEqual(engine.context_length, 66_000)
        self.assertTrue(0 < engine.threshold_tokens < 66_000)
        self.assertFalse(engine.should_compress(10))
        self.assertTrue(engine.should_compress(66_000))
        self.assertEqual(engine.get_status()["engine"], "ebbline")
        self.assertFalse(engine.has_content_to_compress(history(0)))
        self.assertTrue(engine.has_content_to_compress(history(60)))

    def test_focus_and_memory_are_in_the_request(self) -> None:
        engine = self.engine(set={"prune.enabled": False})
        given = history(40)
        view = engine.compress(given, 70_000, focus_topic="the login", force=True, memory_context="Ada likes tests.")
        said = self.asked[0]["messages"][-1]["content"]
        self.assertIn("Ada likes tests.", said)
        self.assertIn("Dwell on this above all: the login", said)
        self.assertEqual(self.asked[0]["main_runtime"]["provider"], "custom")
        self.assertLess(len(view), len(given))
        self.assertFalse(any("_db_persisted" in message for message in view))
        self.assertEqual(view[-1]["name"], "read_file")
        self.assertEqual(view[-2]["reasoning"], "Hm.")
        self.assertNotIn("secret", "".join(file.read_text() for file in self.home.rglob("*.json")))

    def test_what_the_user_asks_for_is_a_summary_with_the_focus_although_outputs_could_be_cleared(self) -> None:
        engine, given = self.engine(), history(60)
        view = engine.compress(given, 40_000, focus_topic="the login", force=True)
        self.assertIn("the login", self.asked[-1]["messages"][-1]["content"])
        self.assertLess(len(view), len(given))
        self.assertEqual(engine.compression_count, 1)

    def test_a_known_size_decides_and_what_fits_stays(self) -> None:
        engine = self.engine()
        given = history(12)
        self.assertFalse(engine.should_compress(20_000))
        self.assertTrue(engine.should_compress(65_900))
        self.assertIsNot(engine.compress(given, 65_900), given)
        self.assertEqual(engine.compression_count, 1)
        few = history(0)
        self.assertIs(self.engine("s2").compress(few, 30_000), few)

    def test_a_model_that_fails_ends_nothing(self) -> None:
        def fail(**_asked: Any) -> Any:
            raise RuntimeError("no such model")

        with mock.patch("agent.auxiliary_client.call_llm", fail):
            engine = self.engine(set={"prune.enabled": False}, fallback="history")
            given = history(40)
            self.assertIs(engine.compress(given, 70_000), given)
            self.assertIn("no such model", engine._last_summary_error)

    def test_a_model_that_fails_is_asked_once(self) -> None:
        empty = SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=""), finish_reason="stop")])
        # An answer without a summary is asked for once more.
        for session, answer, most in [("s1", RuntimeError("429"), 1), ("s2", empty, 2)]:
            for steps in (20, 60, 200):
                model = mock.Mock(side_effect=[answer] * 20)
                with mock.patch("agent.auxiliary_client.call_llm", model):
                    engine = self.engine(f"{session}-{steps}")
                    engine.compress(history(steps), force=True)
                self.assertEqual(model.call_count, most, (session, steps))
                self.assertTrue(engine._last_summary_error)

    def test_outputs_come_back_in_another_process_and_by_the_database(self) -> None:
        from hermes_state import SessionDB  # pyright: ignore[reportMissingImports]

        given = history(60)
        view = self.engine().compress(copy.deepcopy(given), 66_000, force=True)
        database: Any = SessionDB(db_path=self.home / "state.db")
        database.create_session(session_id="s1", source="cli", model="scripted")
        database.replace_messages("s1", view)
        stored = database.get_messages_as_conversation("s1")
        engine = self.engine()
        for at in (0, 3, 59):
            answer = json.loads(engine.handle_tool_call("recall_output", {"ref": f"c{at}"}, messages=stored))
            self.assertEqual(answer, {"output": given[2 + 2 * at]["content"]})
        self.assertIn("error", json.loads(engine.handle_tool_call("recall_output", {"ref": "no"}, messages=stored)))
        self.assertIn("error", json.loads(engine.handle_tool_call("other", {})))
        self.assertEqual(engine.get_tool_schemas()[0]["name"], "recall_output")

    def test_another_session_in_this_agent_has_a_record_of_its_own_and_a_branch_begins_with_that_of_its_parent(self) -> None:
        from hermes_state import SessionDB  # pyright: ignore[reportMissingImports]

        database: Any = SessionDB(db_path=self.home / "state.db")
        engine = self.engine()
        view = engine.compress(history(60), 66_000, force=True)
        before = (self.home / "ebbline/s1.json").read_text()
        # What Hermes says at `/new`, `/branch` and `/resume`.
        for session, parent, messages in [("s2", None, history(40)), ("s3", "s1", view)]:
            database.create_session(session_id=session, source="cli", model="scripted", model_config={"_branched_from": parent})
            engine.on_session_reset()
            engine.bind_session_state(database, session)
            answer = json.loads(engine.handle_tool_call("recall_output", {"ref": "c1"}, messages=messages))
            self.assertEqual(answer["output"], history(2)[4]["content"], session)
            engine.compress(messages, 66_000, force=True)
            self.assertTrue((self.home / "ebbline" / f"{session}.json").exists())
            self.assertEqual((self.home / "ebbline/s1.json").read_text(), before)

    def test_a_session_after_a_branch_has_no_record_of_the_parent(self) -> None:
        for at, resets in enumerate([False, True]):
            engine = self.engine()
            engine.compress(history(60), force=True)
            branch = SimpleNamespace(get_session=lambda _id: {"model_config": '{"_branched_from": "s1"}'})
            engine.bind_session_state(branch, f"b{at}")
            self.assertTrue((self.home / f"ebbline/b{at}.json").exists())
            if resets:
                engine.on_session_reset()
            engine.on_session_start(f"c{at}", old_session_id=f"b{at}")
            self.assertFalse((self.home / f"ebbline/c{at}.json").exists())

    def test_engines_with_one_session_go_on_with_the_record_of_the_other(self) -> None:
        first, second = self.engine(), self.engine()
        view = first.compress(history(20), 10_000) + history(60, 20)
        view = second.compress(view, force=True) + history(100, 60)
        view = first.compress(view, force=True)
        for engine in (first, second, self.engine()):
            for at in (5, 30, 70):
                answer = json.loads(engine.handle_tool_call("recall_output", {"ref": f"c{at}"}, messages=view))
                self.assertEqual(answer, {"output": history(at + 1, at)[-1]["content"]})

    def test_a_record_that_another_engine_writes_meanwhile_stays(self) -> None:
        engine, given = self.engine(), history(60)

        def answer(**asked: Any) -> Any:
            with mock.patch("agent.auxiliary_client.call_llm", self.answer):
                self.engine().compress(history(60), force=True)
            self.written = (self.home / "ebbline/s1.json").read_bytes()
            return self.answer(**asked)

        with mock.patch("agent.auxiliary_client.call_llm", answer):
            self.assertIs(engine.compress(given, force=True), given)
        engine.on_session_end("s1", given)
        self.assertEqual((self.home / "ebbline/s1.json").read_bytes(), self.written)
        self.assertIsNot(engine.compress(given, force=True), given)

    def test_engines_of_one_process_write_at_once(self) -> None:
        from ebbline.adapters.hermes import _write

        file, failed = self.home / "ebbline/s1.json", []

        def write(data: bytes) -> None:
            for _ in range(200):
                try:
                    _write(file, data)
                except OSError as error:
                    failed.append(error)

        threads = [threading.Thread(target=write, args=[bytes([65 + at]) * 100_000]) for at in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertEqual(len(set(file.read_bytes())), 1)
        self.assertEqual(list(file.parent.iterdir()), [file])
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        # What cannot be written leaves nothing behind.
        (file.parent / "s2.json").mkdir()
        with self.assertRaises(OSError):
            _write(file.parent / "s2.json", b"")
        self.assertEqual(len(list(file.parent.iterdir())), 2)

    def test_halves_of_characters_are_in_a_record(self) -> None:
        given = history(60)
        given[4]["content"] = "half \ud83d of it " * 200
        view = self.engine().compress(copy.deepcopy(given), force=True)
        answer = json.loads(self.engine().handle_tool_call("recall_output", {"ref": "c1"}, messages=view))
        self.assertEqual(answer, {"output": "half \ufffd of it " * 200})

    def test_sessions_have_records_apart(self) -> None:
        for session in ("a/b", "a_b", "a%2Fb", "a b", "ä", "..", "20261129_101112_a1b2c3"):
            engine = self.engine(session)
            engine.compress(history(60), force=True)
        names = sorted(file.name for file in (self.home / "ebbline").iterdir())
        self.assertEqual(len(names), 7)
        self.assertIn("20261129_101112_a1b2c3.json", names)

    def test_what_is_no_record_is_said_once_and_replaced(self) -> None:
        (self.home / "ebbline").mkdir()
        made = [b'[{"summary":{"made":[%b]}}]' % made for made in (b"1", b"{}", b'{"becomes":7}')]
        changes = [b'{"version":2,"changes":%b}' % value for value in (b"1", b"[1]", *made)]
        for at, record in enumerate([b"[1]", b'"x"', b"7", b"[]", b"{}", b"[" * 100_000, b"\xff\xfe", b"\xff\xfe[\0]\0", *changes]):
            session = f"s{at}"
            (self.home / f"ebbline/{session}.json").write_bytes(record)
            engine = self.engine(session)
            with self.assertLogs("ebbline.adapters.hermes", "WARNING") as said:
                view = engine.compress(history(60), force=True)
                view = engine.compress(view + history(100, 60), force=True)
            self.assertEqual(len(said.output), 1, record[:60])
            answer = json.loads(self.engine(session).handle_tool_call("recall_output", {"ref": "c1"}, messages=view))
            self.assertEqual(answer, {"output": history(2, 1)[-1]["content"]})

    def test_a_branch_of_what_cannot_be_read_begins_without_a_record(self) -> None:
        (self.home / "ebbline").mkdir()
        (self.home / "ebbline/s2.json").write_bytes(b"\xff\xfe")
        for at, settings in enumerate(["{bad", "[1]", '{"_branched_from": 5}', '{"_branched_from": "s2"}', b"\xff"]):
            engine, session = self.engine(), f"b{at}"
            engine.bind_session_state(SimpleNamespace(get_session=lambda _id, settings=settings: {"model_config": settings}), session)
            self.assertLess(len(engine.compress(history(60), force=True)), 100)

    def test_messages_that_cannot_be_read_leave_the_record_of_another_engine_as_it_is(self) -> None:
        engine, given = self.engine(), history(60)
        engine.compress(given, 10_000)
        self.engine().compress(given, force=True)
        before = (self.home / "ebbline/s1.json").read_bytes()
        engine.compress([{"role": "user", "content": object()}])
        engine.on_session_end("s1", given)
        self.assertEqual((self.home / "ebbline/s1.json").read_bytes(), before)

    def test_copies_go_on_by_themselves(self) -> None:
        engine = self.engine()
        view = engine.compress(history(60), 66_000, force=True)
        other = copy.deepcopy(engine)
        other.update_model("small", 64_000)
        self.assertEqual(engine.context_length, 66_000)
        self.assertTrue(other.compress(view, 1_000))
        with mock.patch("agent.auxiliary_client.call_llm", mock.Mock(side_effect=RuntimeError("429"))):
            other.compress(view + history(100, 60), force=True)
        self.assertIn("429", other._last_summary_error)
        self.assertIsNone(engine._last_summary_error)
        other.on_session_reset()
        self.assertEqual((other.compression_count, engine.compression_count), (0, 1))
        self.assertEqual(json.loads(engine.handle_tool_call("recall_output", {"ref": "c1"}))["output"][:6], "line 1")


if __name__ == "__main__":
    unittest.main()
