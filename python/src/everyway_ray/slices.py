"""How some subtrees are explored for some seconds: in a child process, by the command or by a test in Rust."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from everyway_ray.frontier import Json


class CouldNotRun(Exception):
    """The command ended without a result; what it said."""


@dataclass(frozen=True)
class Command:
    """The command ``everyway``: a path, or a name that every node finds."""

    binary: str

    def slice(self, part: Path, result: Path, trace: Path, seconds: float) -> Tuple[List[str], Dict[str, str]]:
        options = [f"--timeout={max(1, int(seconds * 1000))}ms", "--jobs=1", f"--save={trace}", f"--result={result}"]
        return [self.binary, "explore", str(part), *options], {}

    def replay(self, trace: Path) -> str:
        return f"everyway replay {trace}"


@dataclass(frozen=True)
class RustTest:
    """A test in Rust, in a binary that is at the same path on every node."""

    binary: str
    name: str

    def slice(self, part: Path, result: Path, trace: Path, seconds: float) -> Tuple[List[str], Dict[str, str]]:
        environment = {
            "EVERYWAY_RESUME": str(part),
            "EVERYWAY_RESULT": str(result),
            "EVERYWAY_TRACE": str(trace),
            "EVERYWAY_MAX_SECONDS": str(seconds),
            "EVERYWAY_JOBS": "1",
        }
        return self.command(), environment

    def command(self) -> List[str]:
        return [self.binary, self.name, "--exact", "--nocapture"]

    def replay(self, trace: Path) -> str:
        return f"EVERYWAY_REPLAY={trace} {' '.join(self.command())}"


def explore_slice(worker: "Command | RustTest", part: Json, seconds: float) -> Tuple[Json, List[Optional[str]]]:
    """What came of some subtrees, and for each bug the failing execution, as far as it was saved."""
    folder = Path(tempfile.mkdtemp(prefix="everyway-"))
    try:
        part_file, result, trace = folder / "part", folder / "result", folder / "trace.json"
        part_file.write_text(json.dumps(part))
        line, environment = worker.slice(part_file, result, trace, seconds)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("RUST_TEST")}
        ran = subprocess.run(line, env={**inherited, **environment}, capture_output=True, text=True, check=False)
        if not result.exists():
            raise CouldNotRun((ran.stderr or ran.stdout).strip() or f"{line[0]} ended with status {ran.returncode}")
        file = json.loads(result.read_text())
        # All but the first have a number.
        bugs = range(len(file["exploration"].get("bugs", [])))
        saved = [trace if number == 0 else trace.with_name(f"trace-{number + 1}.json") for number in bugs]
        return file, [path.read_text() if path.exists() else None for path in saved]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
