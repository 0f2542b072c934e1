"""The Python package: identity, errors, sessions, and the cache of the compiled component."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agent
import ebbline
from ebbline import _arguments, _engine, _options

FIXTURES = Path(__file__).parent.parent / "formats"
SMALL = {"model": {"context": 32_000}}


class Options(unittest.TestCase):
    def test_every_option_that_an_editor_shows_is_one(self) -> None:
        history = agent.history(4)
        functions: dict[Callable[..., Any], type] = {
            lambda **given: ebbline.read(history, **given): _arguments.ReadOptions,
            lambda **given: ebbline.plan(history, **given): _arguments.PlanOptions,
            lambda **given: ebbline.compact(history, **given): _arguments.CompactOptions,
            lambda **given: ebbline.summary_request(history, **given): _arguments.RequestOptions,
            lambda **given: ebbline.summary_shortcomings(history, "", **given): _arguments.ShortcomingOptions,
            lambda **given: ebbline.validate(history, **given): _arguments.RuleOptions,
            lambda **given: ebbline.replay(history, **given): _arguments.ReplayOptions,
            lambda **given: ebbline.compare(history, [], **given): _arguments.CompareOptions,
            lambda **given: ebbline.weigh("[]", **given): _arguments.GridOptions,
            lambda **given: ebbline.classify_error("", **given): _arguments.ErrorOptions,
            lambda **given: ebbline.Session(**given): _arguments.SessionOptions,
            lambda **given: ebbline.Session().decide(**given): _arguments.DecisionOptions,
            lambda **given: ebbline.Compactor(**given): _arguments.CompactorOptions,
            lambda **given: ebbline.Compactor().prepare(history, **given): _arguments.PrepareOptions,
        }
        for function, options in functions.items():
            names = list(options.__annotations__)
            self.assertGreater(len(names), 2)
            for name in names:
                with self.subTest(options=options.__name__, option=name):
                    try:
                        function(**{name: 1})
                    except (ebbline.EbblineError, ValueError, AttributeError) as error:
                        self.assertNotIn("there is no option", str(error))
                    except TypeError as error:
                        self.assertNotIn("unexpected keyword", str(error))
            with self.assertRaisesRegex((ebbline.EbblineError, TypeError), "there is no option|unexpected keyword"):
                function(nothing_of_this_name=1)

    def test_times_are_seconds_and_their_former_names_are_refused(self) -> None:
        tests = {"any": [{"idle_seconds": 1.5}, {"all": [{"idle_seconds": 300}]}]}
        written = json.loads(_options.written({"idle_seconds": 0.25, "cache": {"lives_seconds": 300}, "when": tests}))
        self.assertEqual(written["idle"], 250)
        self.assertEqual(written["cache"], {"lives": 300_000})
        self.assertEqual(written["when"], {"any": [{"idle": 1_500}, {"all": [{"idle": 300_000}]}]})
        history = agent.history(4)
        former: list[tuple[str, Callable[[], Any]]] = [
            ("idle", lambda: ebbline.plan(history, idle=1)),  # pyright: ignore[reportCallIssue]
            ("idle", lambda: ebbline.Session().decide(idle=1)),  # pyright: ignore[reportCallIssue]
            ("now", lambda: ebbline.Session().apply(now=1)),  # pyright: ignore[reportCallIssue]
            ("idle", lambda: ebbline.Compactor().prepare(history, idle=1)),  # pyright: ignore[reportCallIssue]
            ("now", lambda: ebbline.compact(history, now=1)),  # pyright: ignore[reportCallIssue]
            ("lives", lambda: ebbline.replay(history, cache={"lives": 1})),  # pyright: ignore[reportArgumentType]
            ("idle", lambda: ebbline.Compactor(when={"all": [{"idle": 1}]})),  # pyright: ignore[reportArgumentType]
        ]
        for name, ask in former:
            said = f"the option {name} is called {name}_seconds, and is a number of seconds"
            with self.subTest(name), self.assertRaisesRegex(ebbline.EbblineError, said):
                ask()
        for wrong in ("1", True, float("nan"), -1):
            with self.assertRaisesRegex(ebbline.EbblineError, "idle_seconds must be a number of seconds"):
                ebbline.plan(history, idle_seconds=wrong)  # pyright: ignore[reportArgumentType]


class Functions(unittest.TestCase):
    def test_the_component_imports_nothing(self) -> None:
        engine, component = _engine._load()
        self.assertEqual(list(component.type.imports(engine)), [])

    def test_untouched_messages_are_the_same_objects(self) -> None:
        messages = agent.history(60)
        before = json.dumps(messages)
        found = ebbline.compact(messages, set={"retain.enabled": False}, **SMALL)
        same = sum(one is other for one, other in zip(found.messages, messages))
        changed = sum(any(part.fate == "pruned" for part in message.parts) for message in found.plan.messages)
        self.assertGreater(changed, 5)
        self.assertEqual(len(found.messages), len(messages))
        self.assertEqual(same, len(messages) - changed)
        self.assertEqual(json.dumps(messages), before)
        self.assertTrue(ebbline.validate(found.messages).valid)

    def test_errors_have_a_code_and_a_place(self) -> None:
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.plan('{"a": tru}')
        self.assertEqual((caught.exception.code, caught.exception.place), ("not_json", ebbline.Place(1, 6)))
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.plan([], modle={})
        self.assertEqual(caught.exception.code, "invalid_option")
        self.assertIn("did you mean model?", str(caught.exception))
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.plan(b"\n\xff")
        self.assertEqual((caught.exception.code, caught.exception.place), ("not_utf8", ebbline.Place(2, 1)))
        for options, code in [
            ({"profile": "ebbline@0"}, "unknown_profile"),
            ({"set": {"prune.protekt": 1}}, "invalid_policy"),
            ({"format": "telepathy"}, "unknown_format"),
            ({"model": object()}, "invalid_option"),
        ]:
            with self.assertRaises(ebbline.EbblineError) as caught:
                ebbline.plan(agent.history(1), **options)
            self.assertEqual(caught.exception.code, code, options)
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((copy.code, copy.message), (caught.exception.code, caught.exception.message))

    def test_objects_become_json_and_come_back(self) -> None:
        @dataclasses.dataclass
        class Message:
            role: str
            content: str

        messages = [Message("user", "Mend it."), Message("assistant", "Done. " * 4_000), Message("user", "Go on.")]
        found = ebbline.compact(
            messages,
            force=True,
            summary="## Goal\nMend it.",
            set={"retain.keep": 10},
            from_json=lambda data, original: Message(**data),
        )
        self.assertIs(found.messages[-1], messages[-1])
        self.assertIsInstance(found.messages[0], Message)
        self.assertIn("Mend it.", found.messages[0].content)

    def test_an_unpaired_surrogate_crosses(self) -> None:
        messages = [{"role": "user", "content": "half \ud83d of it"}]
        self.assertIs(ebbline.compact(messages).messages[0], messages[0])

    def test_what_an_error_means(self) -> None:
        class ApiError(Exception):
            status_code = 400

        text = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
        self.assertEqual(ebbline.classify_error(ApiError(text)).kind, "context_overflow")
        self.assertNotEqual(ebbline.classify_error(ApiError("invalid key")).kind, "context_overflow")

    def test_repair_keeps_what_is_whole(self) -> None:
        messages = [{"role": "user", "content": "ls"}, {"role": "tool", "tool_call_id": "c1", "content": "a"}]
        found = ebbline.repair(messages)
        self.assertEqual(len(found.messages), 1)
        self.assertIs(found.messages[0], messages[0])
        self.assertEqual((len(found.done), found.left), (1, []))

    def test_a_summary_is_asked_for_and_judged(self) -> None:
        history = agent.history(100)
        task = ebbline.summary_request(history, force=True, **SMALL)
        assert task is not None
        self.assertEqual([message["role"] for message in task.request.messages], ["user"])
        self.assertIn("part1.py", ebbline.finish_summary(task, "## Goal\nMend src/part1.py."))
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.finish_summary(task, "  ")
        self.assertEqual(caught.exception.code, "empty_summary")
        reviewed = ebbline.review_summary(task, "<think>Hm.</think>## Goal\nMend src/part1.py.")
        self.assertEqual(reviewed.warnings, ("reasoning_removed",))
        self.assertTrue(reviewed.summary.startswith("## Goal"))
        with self.assertRaisesRegex(ebbline.EbblineError, "summary_shortcomings"):
            ebbline.review_summary(history, "## Goal")  # pyright: ignore[reportArgumentType]
        lacks = ebbline.summary_shortcomings(history, "I'm sorry, I can't help with that.", force=True, **SMALL)
        self.assertEqual(lacks["found"], ["refusal"])
        self.assertIn("## Goal", ebbline.deterministic_summary(history, force=True, **SMALL) or "")

    def test_profiles_and_replays(self) -> None:
        names = [profile.name for profile in ebbline.profiles()]
        self.assertEqual(names[0], "ebbline@3")
        report = ebbline.replay(agent.history(60), **SMALL)
        self.assertEqual(report["messages"], len(agent.history(60)))
        self.assertEqual(ebbline.detect(json.dumps(agent.history(2))).format, "openai_chat")

    def test_threads_have_instances_of_their_own(self) -> None:
        found: list[str] = []
        threads = [
            threading.Thread(target=lambda: found.append(ebbline.plan(agent.history(20)).verdict)) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [found[0]] * 8)


class Sessions(unittest.TestCase):
    def test_a_session_decides_as_a_plan_of_all_its_messages(self) -> None:
        """Messages are read as they come; the answer is that of a whole reading, for every prefix of every fixture."""
        compared = 0
        for path in sorted(FIXTURES.glob("*/*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(data, dict):
                data = data.get("messages") or data.get("contents")
            if not isinstance(data, list) or not data:
                continue
            try:
                form = ebbline.detect(json.dumps(data)).format
            except ebbline.EbblineError:
                continue
            options: dict[str, Any] = {"format": form, "model": {"context": 400, "output": 50}}
            for profile in ("ebbline@2", "pi@0.58"):
                session = ebbline.Session(profile=profile, **options)
                for end, message in enumerate(data, start=1):
                    session.push(message)
                    decision = session.decide()
                    plan = ebbline.plan(data[:end], profile=profile, **options)
                    with self.subTest(path.name, end=end, profile=profile):
                        self.assertEqual(
                            (decision.verdict, decision.reason, decision.tokens_before, decision.tokens_after),
                            (plan.verdict, plan.reason, plan.tokens_before, plan.tokens_after),
                        )
                        compared += 1
        self.assertGreater(compared, 500)

    def test_a_session_goes_on_with_what_a_plan_leaves(self) -> None:
        session = ebbline.Session(**SMALL)
        history = agent.history(60)
        session.extend(history)
        before = session.decide()
        found = session.apply(force=True, summary="## Goal\nMend the parts.")
        self.assertLess(session.decide().tokens_before, before.tokens_before)
        self.assertEqual(len(session.messages), len(found.messages))
        self.assertIs(session.messages[0], history[0])
        self.assertIs(session.messages[-1], history[-1])
        session.push({"role": "user", "content": "Go on."})
        session.truncate(2)
        self.assertEqual(len(session.messages), 2)

    def test_what_is_no_message_is_not_taken(self) -> None:
        session = ebbline.Session(**SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            session.push("no message")
        self.assertEqual((caught.exception.code, session.messages), ("no_messages", []))
        session.push({"role": "user", "content": "hello"})
        self.assertEqual(session.decide().tokens_before, 2)

    def test_a_request_costs_less_than_a_millisecond(self) -> None:
        """The fastest of many: what the machine does beside is not the cost of a call."""
        session = ebbline.Session(**SMALL)
        best = float("inf")
        for number in range(150):
            messages = agent.step(number)
            began = time.perf_counter()
            session.extend(messages)
            session.decide()
            best = min(best, time.perf_counter() - began)
        self.assertLess(best, 0.001)


class End(unittest.TestCase):
    def test_what_another_module_holds_to_the_end_is_freed_in_silence(self) -> None:
        program = (
            "import asyncio, threading, ebbline\n"
            "asyncio.kept = [ebbline.Compactor(model={'context': 1000})]\n"
            "threading.kept = ebbline.Session()\n"
            "asyncio.kept[0].prepare([{'role': 'user', 'content': 'hello'}])"
        )
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")


class Cache(unittest.TestCase):
    """Each in a program of its own, because a program loads the component once."""

    def run_with(self, folder: str) -> str:
        program = "import ebbline; print(ebbline.plan([{'role': 'user', 'content': 'hello'}]).verdict)"
        environment = {**os.environ, "EBBLINE_CACHE": folder}
        done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def test_a_broken_cache_is_built_anew(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_with(folder), "noop")
            (file,) = Path(folder).iterdir()
            whole = file.read_bytes()
            middle = len(whole) // 2
            for broken in (
                b"",
                whole[:middle],
                whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
                b"something else",
            ):
                file.write_bytes(broken)
                self.assertEqual(self.run_with(folder), "noop")
                self.assertEqual(len(file.read_bytes()), len(whole))
            self.assertEqual([one.name for one in Path(folder).iterdir()], [file.name])

    def test_several_programs_start_at_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            answers: list[str] = []
            threads = [threading.Thread(target=lambda: answers.append(self.run_with(folder))) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(answers, ["noop"] * 3)
            self.assertEqual(len(list(Path(folder).iterdir())), 1)

    def test_a_folder_that_cannot_be_written_is_no_fault(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            self.assertEqual(self.run_with(file.name), "noop")
