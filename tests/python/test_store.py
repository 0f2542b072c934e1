"""A store for the messages that are no longer sent as they are. Its keys and texts are compared with npm's in test_alike."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

import agent
import ebbline
from test_compactor import SMALL, written


class Texts:
    """A store in memory. The texts from number `fails` on cannot be put."""

    def __init__(self, fails: int | None = None) -> None:
        self.texts: dict[str, str] = {}
        self.fails = fails

    def get(self, key: str) -> str | None:
        return self.texts.get(key)

    def put(self, key: str, text: str) -> None:
        if len(self.texts) == self.fails:
            raise OSError("the disk is full")
        self.texts[key] = text


class Stores(unittest.TestCase):
    def test_an_agent_that_kept_what_was_sent_gets_its_history_back(self) -> None:
        store = Texts()
        first = ebbline.Compactor(summarize=written, store=store, **SMALL)
        history: list[Any] = [agent.SYSTEM]
        view: list[Any] = []
        for number in range(100):
            history.extend(agent.step(number))
            view = first.prepare(history)
        sent = {id(message) for message in view}
        kept = [json.loads(text) for text in store.texts.values()]
        for message in history:
            self.assertTrue(id(message) in sent or message in kept)
        self.assertNotIn("originals", first.record)
        more = agent.step(100)
        second = ebbline.Compactor(summarize=written, store=store, record=first.record, **SMALL)
        before = dict(store.texts)
        self.assertEqual(second.prepare([*view, *more])[: len(view)], view)
        while second.undo():
            pass
        self.assertEqual(second.messages, [*history, *more])
        second.compact_now([*history, *more])
        self.assertEqual({key: store.texts[key] for key in before}, before, "what is there is put no second time")

    def test_what_cannot_be_stored_is_not_changed(self) -> None:
        store = Texts(fails=20)
        events: list[ebbline.Event] = []
        compactor = ebbline.Compactor(summarize=written, store=store, on_event=events.append, **SMALL)
        history = agent.history(100)
        with self.assertRaises(OSError):
            compactor.compact_now(history)
        self.assertEqual((compactor.messages, compactor.record["changes"]), (history, []))
        self.assertNotIn("compacted", [event["type"] for event in events])
        store.fails = None
        self.assertLess(len(compactor.compact_now(history)), len(history))

    def test_a_text_that_is_missing_or_none_does_not_fit(self) -> None:
        store = Texts()
        first = ebbline.Compactor(summarize=written, store=store, **SMALL)
        history = agent.history(100)
        view = first.compact_now(history)
        for text in (None, "", "7", "{"):
            broken = Texts()
            broken.texts = {key: text if text is not None else "null" for key, text in store.texts.items()}
            second = ebbline.Compactor(summarize=written, store=broken, record=first.record, **SMALL)
            broken.texts[next(iter(broken.texts))] = text or "null"
            with self.assertRaises(ebbline.EbblineError) as caught:
                second.prepare(view)
            self.assertEqual(caught.exception.code, "mismatch")
            self.assertEqual(second.prepare(history), view, "the record is not lost by that")

    def test_an_async_store_and_mistakes(self) -> None:
        class Later:
            def __init__(self) -> None:
                self.texts: dict[str, str] = {}

            async def get(self, key: str) -> str | None:
                return self.texts.get(key)

            async def put(self, key: str, text: str) -> None:
                await asyncio.sleep(0)
                self.texts[key] = text

        store = Later()
        compactor = ebbline.Compactor(summarize=written, store=store, **SMALL)
        history = agent.history(100)
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.compact_now(history)
        self.assertIn("is async", caught.exception.message)
        self.assertEqual(compactor.messages, history)
        view = asyncio.run(compactor.acompact_now(history))
        second = ebbline.Compactor(summarize=written, store=store, record=compactor.record, **SMALL)
        self.assertEqual(asyncio.run(second.aprepare(view)), view)
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(store={}, **SMALL)  # pyright: ignore[reportArgumentType]
        self.assertIn("`get` and `put`", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
