"""A result as JSON: the record that docs/json.md describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scrimp.result import Result


def result_text(result: Result) -> str:
    return record_text(result.to_dict())


def record_text(record: Mapping[str, Any]) -> str:
    """One top-level key per line; whatever is longer than a line has one line per element."""
    lines = [f"  {json.dumps(key)}: {_value_text(value)}" for key, value in record.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value_text(value: Any) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) <= 100 or not isinstance(value, list | dict):
        return flat
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_compact(item)}" for key, item in value.items()]
        return "{\n    " + ",\n    ".join(parts) + "\n  }"
    return "[\n    " + ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n  ]"


def _compact(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False)
    return "[\n      " + ",\n      ".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n    ]"
