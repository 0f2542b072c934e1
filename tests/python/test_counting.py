"""What is counted of what is no text, and how far reports are believed. The figures are those of tests/npm/counting.test.mjs."""

from __future__ import annotations

import unittest
from typing import Any

import agent
import ebbline

WINDOW: dict[str, Any] = {"context": 128_000, "output": 8_000}


def encoded(size: int) -> str:
    """Base64 of so many bytes."""
    return "Qx7a" * (size // 3)


def person(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


class Counting(unittest.TestCase):
    def test_files_cost_their_pages_or_seconds(self) -> None:
        def document(data: str) -> dict[str, Any]:
            return {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": data}}

        def inline(mime: str, data: str) -> dict[str, Any]:
            return {"role": "user", "parts": [{"inlineData": {"mimeType": mime, "data": data}}]}

        at = {"type": "document", "source": {"type": "url", "url": "https://a.example/b"}}
        for form, message, tokens in (
            ("anthropic_messages", person(document(encoded(250_000))), 9_000),
            ("anthropic_messages", person(at), 9_000),
            ("gemini_contents", inline("application/pdf", encoded(250_000)), 774),
            ("gemini_contents", inline("audio/wav", encoded(320_000)), 320),
            ("gemini_contents", inline("video/mp4", encoded(2_499_999)), 3_000),
        ):
            with self.subTest(form, tokens=tokens):
                counted = ebbline.plan([message], format=form).tokens_before
                self.assertAlmostEqual(counted, tokens, delta=40)

    def test_a_report_is_believed_as_far_as_it_can_be_true(self) -> None:
        for reports, overhead in (
            ((5_000, 600_000), 5_000),
            ((600_000,), None),
            ((100_000, 5_000), 5_000),
        ):
            with self.subTest(reports):
                compactor = ebbline.Compactor(model=WINDOW)
                history = agent.history(6)
                compactor.prepare(history)
                size = compactor.decide().tokens_before
                for beyond in reports:
                    compactor.usage(size + beyond)
                self.assertEqual(compactor.record["overhead"], overhead)
                history.append(person({"type": "text", "text": "Go on."}))
                self.assertEqual(compactor.prepare(history), history)

    def test_less_than_half_of_the_text_is_of_another_list(self) -> None:
        compactor = ebbline.Compactor(model=WINDOW)
        compactor.prepare(agent.history(6))
        size = compactor.decide().tokens_before
        compactor.usage(size + 5_000)
        compactor.usage(size // 3)
        self.assertEqual(compactor.record["overhead"], 5_000)

    def test_nothing_that_is_reported_ends_a_session(self) -> None:
        for reported in (120_000, 127_999, 128_000, 900_000):
            with self.subTest(reported):
                compactor = ebbline.Compactor(model=WINDOW, summarize="deterministic")
                history = agent.history(6)
                compactor.prepare(history)
                compactor.usage(reported)
                for turn in range(4):
                    history.append({"role": "user", "content": f"More, {turn}."})
                    compactor.prepare(history)
                    if turn > 1:
                        compactor.usage(16_000)
                self.assertLess(compactor.record["overhead"] or 0, 16_000)

    def test_where_the_provider_counts_a_third_more_no_request_exceeds_the_window(self) -> None:
        for context in (32_000, 64_000):
            for reports in (True, False):
                compactor = ebbline.Compactor(model={"context": context, "output": 4_000}, summarize="deterministic")
                for steps in range(1, 120, 2):
                    sent = compactor.prepare(agent.history(steps))
                    size = ebbline.plan(sent, format="openai_chat").tokens_before * 1.35 + (2_000 if reports else 0)
                    self.assertLessEqual(size, context, (context, reports, steps))
                    if reports:
                        compactor.usage(round(size))


if __name__ == "__main__":
    unittest.main()
