"""Hands out subtrees to the nodes of a cluster, and puts together what comes back.

A result is counted when it arrives, once: Ray runs a slice again that was lost with its node, and what is lost gives no
result. What is saved is what has arrived; slices under way are saved as what they were given.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Union

import ray

from everyway_ray.frontier import Frontier, is_same
from everyway_ray.slices import Command, CouldNotRun, RustTest, explore_slice

#: How long a slice takes: short while there is not enough to do for all, so that what is left comes back soon.
SHORT, LONG = 1.0, 10.0
#: So many subtrees go to a slice at most.
MOST_SUBTREES = 256


@dataclass
class Outcome:
    """What an exploration has come to."""

    frontier: Frontier
    #: Why it has ended early.
    stopped: Optional[str] = None
    #: Where the failing executions of the bugs are, as far as they were saved.
    traces: List[Optional[Path]] = field(default_factory=list)


@dataclass
class Options:
    """How to explore."""

    #: Where what is left is saved, and how often, in seconds.
    path: Path
    checkpoint: float = 60.0
    #: The most seconds that a slice takes.
    slice: float = LONG
    #: After so many seconds, or executions, it ends.
    timeout: Optional[float] = None
    max_executions: Optional[int] = None
    #: So many slices run side by side at most; none stands for as many as there are cores.
    jobs: Optional[int] = None
    #: Where the failing execution is saved; none stands for a place beside what is left.
    save: Optional[Path] = None
    #: Whether it goes on after a failure.
    keep_going: bool = False
    #: Asked from time to time: whether to end.
    is_cancelled: Callable[[], bool] = lambda: False


@ray.remote(num_cpus=1, max_retries=-1)
def _slice(worker: Union[Command, RustTest], part: Dict[str, Any], seconds: float) -> Any:
    try:
        return explore_slice(worker, part, seconds)
    except CouldNotRun as error:
        # A retry would fail in the same way.
        return str(error)


class _Driver:
    def __init__(self, worker: Union[Command, RustTest], frontier: Frontier, options: Options) -> None:
        self.worker, self.frontier, self.options = worker, frontier, options
        self.pending: List[str] = list(frontier.subtrees)
        self.running: Dict[Any, List[str]] = {}
        #: By bug, where its execution is.
        self.traces: List[Optional[Path]] = [None] * len(frontier.bugs)
        self.explored_before = frontier.executions
        self.started = self.saved = time.monotonic()

    def left(self) -> List[str]:
        return self.pending + [subtree for given in self.running.values() for subtree in given]

    def save(self) -> None:
        self.frontier.save(self.options.path, self.left())
        self.saved = time.monotonic()

    def hand_out(self) -> None:
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        cores = min(cores, self.options.jobs or cores)
        # Those near the root are likely to be large.
        self.pending.sort(key=len, reverse=True)
        while self.pending and len(self.running) < cores:
            count = min(MOST_SUBTREES, max(1, len(self.pending) // (2 * cores)))
            given = [self.pending.pop() for _ in range(count)]
            enough = len(self.pending) >= cores
            seconds = self.options.slice if enough else min(SHORT, self.options.slice)
            self.running[_slice.remote(self.worker, self.frontier.part(given), seconds)] = given

    def collect(self) -> None:
        done, _ = ray.wait(list(self.running), timeout=0.2)
        for reference in done:
            result = ray.get(reference)
            given = self.running.pop(reference)
            if isinstance(result, str):
                self.pending.extend(given)
                raise CouldNotRun(result)
            file, traces = result
            other = Frontier.from_json(file)
            if other.under != self.frontier.under:
                self.start_over(other, traces)
                return
            self.keep(other, traces)
            self.frontier.add(other)
            self.pending.extend(other.subtrees)

    def keep(self, other: Frontier, traces: List[Optional[str]]) -> None:
        """Saves the failing executions of bugs that are new, as soon as they are known."""
        known = list(self.frontier.bugs)
        for bug, trace in zip(other.bugs, traces):
            if any(is_same(one, bug) for one in known):
                continue
            known.append(bug)
            path = self.options.save or self.options.path.with_suffix(".json")
            path = path if len(known) == 1 else path.with_name(f"{path.stem}-{len(known)}{path.suffix}")
            if trace is None:
                bug["bug"]["replay"] = None
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(trace)
            self.traces.append(path if trace is not None else None)

    def start_over(self, other: Frontier, traces: List[Optional[str]]) -> None:
        """An assumption about the program was wrong: what was explored so far is not enough."""
        self.cancel()
        self.frontier.bugs.clear()
        self.traces = []
        self.keep(other, traces)
        self.frontier.exploration, self.pending = other.exploration, other.subtrees

    def cancel(self) -> None:
        for reference in self.running:
            ray.cancel(reference, force=True)
        self.running = {}

    def stops(self) -> Optional[str]:
        if self.options.is_cancelled():
            return "it was interrupted"
        if self.options.timeout is not None and time.monotonic() - self.started >= self.options.timeout:
            return f"the limit of {self.options.timeout:g} seconds was reached"
        limit = self.options.max_executions
        if limit is not None and self.frontier.executions - self.explored_before >= limit:
            return f"the limit of {limit} executions was reached"
        return None

    def show(self) -> None:
        if sys.stderr.isatty():
            rate = int(self.frontier.executions / max(0.001, time.monotonic() - self.started))
            nodes = sum(1 for node in ray.nodes() if node["Alive"])
            text = f"{self.frontier.executions:,} executions, {rate:,} a second, {len(self.running)} slices on {nodes} nodes"
            print(f"\r\x1b[K{text}, {len(self.left()):,} subtrees left", end="", file=sys.stderr, flush=True)

    def run(self) -> Outcome:
        stopped = None
        try:
            while self.pending or self.running:
                stopped = self.stops()
                if stopped is not None:
                    break
                self.hand_out()
                self.collect()
                self.show()
                if self.frontier.bugs and not self.options.keep_going:
                    break
                if time.monotonic() - self.saved >= self.options.checkpoint:
                    self.save()
        finally:
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr)
            self.frontier.subtrees = self.left()
            self.save()
            self.cancel()
        return Outcome(self.frontier, stopped, self.traces)


def explore(worker: Union[Command, RustTest], frontier: Frontier, options: Options) -> Outcome:
    """Explores what is left of ``frontier`` on all nodes of the cluster that Ray is connected to."""
    return _Driver(worker, frontier, options).run()
