"""Frontiers as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyway_ray.cli import main, seconds
from everyway_ray.driver import Options, _Driver
from everyway_ray.frontier import COUNTS, Frontier, Json, expand, share
from everyway_ray.slices import Command


def frontier(complete: int, stage: str = "sc") -> Frontier:
    exploration = {"stage": stage, "executions": {"complete": complete, "blocked": 1}, "milliseconds": 5, "subtrees": ["a"]}
    return Frontier.from_json({"format": 1, "settings": "", "exploration": exploration, "checksum": "x"})


def test_subtrees_are_written_in_full() -> None:
    assert expand(["graph a b > here", "=2 c > here", "=3 > add d", "steps"]) == [
        "graph a b > here",
        "graph a c > here",
        "graph a c > add d",
        "steps",
    ]


def test_counts_are_sums_and_bugs_are_told_apart() -> None:
    whole = frontier(10)
    for line, times in ((1, 1), (2, 1), (1, 2)):
        part = frontier(3)
        part.exploration["bugs"] = [{"bug": {"kind": "Assertion", "executions": times}, "places": [["a.c", line]]}]
        whole.add(part)
    assert whole.executions == 10 + 9 + 4
    assert [(bug["places"][0][1], bug["bug"]["executions"]) for bug in whole.bugs] == [(1, 3), (2, 1)]


def test_a_part_has_nothing_explored(tmp_path: Path) -> None:
    part = Frontier.from_json(frontier(10).part(["b", "c"]))
    assert (part.executions, part.subtrees, part.under) == (0, ["b", "c"], frontier(0).under)
    frontier(4).save(tmp_path / "folder/left", ["b"])
    assert Frontier.load(tmp_path / "folder/left").subtrees == ["b"]


def test_times_are_read_as_the_command_reads_them() -> None:
    assert [seconds(text) for text in ("60", "500ms", "2m", "1h", "1.5s")] == [60, 0.5, 120, 3600, 1.5]


def test_wrong_usage_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", "a.c", "--binary=no-such-command"]) == 2
    assert "no-such-command" in capsys.readouterr().err
    assert main(["resume", str(tmp_path / "nothing"), "--binary=true"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_what_subtrees_have_in_common_is_written_once() -> None:
    texts = ["graph a b c > here", "graph a b c > add d", "graph a b > add d", "graph > here", "steps 0 1 2", "steps 0 1 3", "steps 0 1"]
    written = share(texts)
    assert written == ["graph a b c > here", "=4 > add d", "=3 > add d", "graph > here", "steps 0 1 2", "=3 3", "steps 0 1"]
    assert expand(written) == texts


def test_what_a_verdict_takes_for_granted_is_kept() -> None:
    whole, part = frontier(1), frontier(1)
    part.exploration["assumed"] = ["that malloc succeeds"]
    whole.add(part)
    whole.add(part)
    assert whole.exploration["assumed"] == ["that malloc succeeds"]


def test_failures_that_were_set_aside_are_kept_once() -> None:
    whole, part = frontier(1), frontier(1)
    failure = {"kind": "misuse", "source": {"file": "queue.c", "line": 3, "column": 5}}
    part.exploration["set_aside"] = [failure]
    whole.add(part)
    whole.add(part)
    assert whole.exploration["set_aside"] == [failure]


def test_each_bug_is_saved_once_when_it_is_found(tmp_path: Path) -> None:
    def bug(line: int) -> Json:
        return {"bug": {"kind": "assertion", "executions": 1}, "places": [["queue.c", line]]}

    def exploration(*bugs: Json) -> Frontier:
        counts = {count: 0 for count in COUNTS}
        return Frontier({}, {"stage": "sc", "executions": counts, "bugs": list(bugs)})

    driver = _Driver(Command("everyway"), exploration(), Options(tmp_path / "made/queue.frontier"))
    for other, traces in [
        (exploration(bug(1)), ["one"]),
        (exploration(bug(1), bug(2)), ["one again", "two"]),
        (exploration(bug(3)), [None]),
    ]:
        driver.keep(other, traces)
        driver.frontier.add(other)
    assert [path and path.read_text() for path in driver.traces] == ["one", "two", None]
    assert [path.name for path in driver.traces if path] == ["queue.json", "queue-2.json"]
    assert [found["bug"]["executions"] for found in driver.frontier.bugs] == [2, 1, 1]
