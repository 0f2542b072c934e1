"""Moments in time: milliseconds since 1970, or an ISO 8601 date. A time without a zone would mean different moments in
different places, so it is none."""

from __future__ import annotations

import datetime
import re

# The latest moment that JavaScript can represent.
_LATEST = 8_640_000_000_000_000
_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d)))?", re.ASCII
)
_EPOCH = datetime.date(1970, 1, 1)


def moment_of(given: str) -> int | None:
    """The milliseconds since 1970 that a text names; ``None`` if it names none."""
    moment = int(given) if re.fullmatch(r"[0-9]{1,16}", given) else _date(given)
    return moment if moment is not None and 0 <= moment <= _LATEST else None


def _date(given: str) -> int | None:
    found = _DATE.fullmatch(given)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.group(1, 2, 3))
    hour, minute, second, ahead_hours, ahead_minutes = (int(part or 0) for part in found.group(4, 5, 6, 9, 10))
    # Milliseconds are as fine as it gets.
    fraction = int((found[7] or "").ljust(3, "0")[:3])
    is_midnight = hour == 24 and minute == second == fraction == 0
    if not 1 <= month <= 12 or not 1 <= day <= 31 or year == 0 or ahead_hours > 23 or ahead_minutes > 59:
        return None
    if (hour > 23 and not is_midnight) or minute > 59 or second > 59:
        return None
    # A day that its month does not have is counted on, as in JavaScript.
    days = (datetime.date(year, month, 1) - _EPOCH).days + day - 1
    ahead = (ahead_hours * 60 + ahead_minutes) * (-1 if found[8] == "-" else 1)
    return (((days * 24 + hour) * 60 + minute - ahead) * 60 + second) * 1_000 + fraction
