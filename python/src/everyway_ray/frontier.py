"""What was explored and what is left, as the command ``everyway`` reads and writes it.

Nothing is known here of what a subtree is: it is a text that the command understands.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Tuple

Json = Dict[str, Any]

COUNTS = ("complete", "blocked", "redundant", "failed")


def expand(texts: List[str]) -> List[str]:
    """Subtrees in full: a text that begins with ``=N`` has its first N words from the one before."""
    whole: List[str] = []
    for text in texts:
        if text.startswith("="):
            count, rest = text[1:].split(" ", 1)
            text = " ".join(whole[-1].split(" ")[: int(count)] + [rest])
        whole.append(text)
    return whole


def share(texts: List[str]) -> List[str]:
    """The same subtrees, each with what it has in common with the one before left out; ``expand`` has them in full."""
    written: List[str] = []
    before: List[str] = []
    for text in texts:
        words = text.split(" ")
        # Events are what they have in common, and not what to do after them.
        end = words.index(">") if ">" in words else len(words) - 1
        common = 0
        while common < min(end, len(before)) and words[common] == before[common] != ">":
            common += 1
        written.append(text if common < 3 else " ".join([f"={common}", *words[common:]]))
        before = words
    return written


@dataclass
class Frontier:
    """An exploration: counts, what was found, and the subtrees that are left."""

    #: All but the exploration: the program, its settings, the version.
    head: Json
    exploration: Json
    subtrees: List[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, file: Json) -> "Frontier":
        head = {key: value for key, value in file.items() if key not in ("exploration", "checksum", "part")}
        exploration = dict(file["exploration"])
        subtrees = expand(exploration.pop("subtrees"))
        return cls(head, exploration, subtrees)

    @classmethod
    def load(cls, path: Path) -> "Frontier":
        return cls.from_json(json.loads(path.read_text()))

    def to_json(self, subtrees: List[str]) -> Json:
        return {**self.head, "exploration": {**self.exploration, "subtrees": share(subtrees)}}

    def save(self, path: Path, subtrees: List[str]) -> None:
        """Writes it whole: a reader sees the old file or the new one, but no part of one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w") as file:
            json.dump(self.to_json(subtrees), file)
        os.replace(name, path)

    def part(self, subtrees: List[str]) -> Json:
        """These subtrees under the same assumptions, with nothing explored."""
        empty = {
            "stage": self.exploration["stage"],
            "assumptions": self.exploration.get("assumptions", []),
            "executions": {count: 0 for count in COUNTS},
            "milliseconds": 0,
            "subtrees": share(subtrees),
        }
        return {**self.head, "exploration": empty}

    @property
    def under(self) -> Tuple[str, Tuple[str, ...]]:
        """What is assumed. A result under something else has started over, and stands for all."""
        return self.exploration["stage"], tuple(self.exploration.get("assumptions", []))

    @property
    def executions(self) -> int:
        counts = self.exploration["executions"]
        return sum(counts.get(count, 0) for count in COUNTS) + self.exploration.get("too_long", 0)

    @property
    def bugs(self) -> List[Json]:
        return self.exploration.setdefault("bugs", [])

    def add(self, other: "Frontier") -> None:
        """Counts what came of a part of it. Its subtrees are not among those that are left here."""
        mine, theirs = self.exploration, other.exploration
        for count in COUNTS:
            mine["executions"][count] = mine["executions"].get(count, 0) + theirs["executions"].get(count, 0)
        for count in ("too_long", "milliseconds"):
            mine[count] = mine.get(count, 0) + theirs.get(count, 0)
        for what_is_said in ("cut", "set_aside", "assumed"):
            known = mine.setdefault(what_is_said, [])
            known.extend(what for what in theirs.get(what_is_said, []) if what not in known)
        for bug in other.bugs:
            same = [known for known in self.bugs if is_same(known, bug)]
            if same:
                same[0]["bug"]["executions"] += bug["bug"]["executions"]
            else:
                self.bugs.append(bug)
        remarks = mine.setdefault("remarks", [])
        for remark in theirs.get("remarks", []):
            known = [known for known in remarks if known["what"] == remark["what"]]
            if known:
                known[0]["executions"] += remark["executions"]
            else:
                remarks.append(remark)


def is_same(one: Json, other: Json) -> bool:
    """Whether two bugs are one."""
    return one["places"] == other["places"] and one["bug"]["kind"] == other["bug"]["kind"]
