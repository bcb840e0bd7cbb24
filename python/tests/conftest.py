"""What the tests have in common: the command, a program, and a cluster of three nodes on one machine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest
import ray
from ray.cluster_utils import Cluster

ROOT = Path(__file__).resolve().parents[2]

#: Which program the tests of everyway that are run in processes of their own are to run: eight stores, in any order.
os.environ["PROGRAM_OF_JOBS_TEST"] = "large"
STORES = 40_320

#: sigma(7) has 3 * 5 * 7 * 9 * 11 * 13 executions (OOPSLA 2019, Table 2).
SIGMA = 135_135


@pytest.fixture(scope="session")
def binary() -> str:
    """The command, as cargo has built it."""
    named = os.environ.get("EVERYWAY")
    built = [ROOT / "target" / profile / "everyway" for profile in ("release", "debug")]
    found = named or next((str(path) for path in built if path.exists()), None)
    if found is None:
        pytest.fail("there is no command `everyway`: build it with `cargo build -p everyway-cli`, or name one with $EVERYWAY")
    return found


@pytest.fixture(scope="session")
def rust_test() -> str:
    """A test in Rust, as cargo has built it."""
    named = os.environ.get("EVERYWAY_RUST_TEST")
    if named is not None:
        return named
    line = ["cargo", "test", "-p", "everyway", "--test", "jobs", "--no-run", "--message-format=json"]
    built = subprocess.run(line, capture_output=True, text=True, cwd=ROOT, check=True)
    messages = (json.loads(message) for message in built.stdout.splitlines())
    return next(message["executable"] for message in messages if message.get("executable") and message["target"]["name"] == "jobs")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three nodes of one core each."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    nodes.add_node(num_cpus=1)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def begun(binary: str, tmp_path: Path) -> Path:
    """What is left of a check of sigma(7) after a hundred executions."""
    frontier = tmp_path / "sigma.frontier"
    program = ROOT / "crates/cli/tests/programs/sigma.c"
    line = [binary, "check", str(program), "-DN=7", "--algorithm=graphs", "--max-executions=100", f"--frontier={frontier}"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 3, ran
    return frontier


def report(text: str) -> Dict[str, Any]:
    return json.loads(text)
