"""The command ``everyway-ray``: the options, output and exit status of ``everyway check``, on a cluster."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, Optional, Union

import ray

from everyway_ray.driver import LONG, Options, Outcome, explore
from everyway_ray.frontier import Frontier
from everyway_ray.slices import Command, CouldNotRun, RustTest

INCOMPLETE, COULD_NOT_RUN = 3, 2


def seconds(text: str) -> float:
    """A time as ``everyway`` reads it: 60, 500ms, 2m, 1h."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"`{text}` is no time; write 60 (seconds), 500ms, 2m or 1h")
    return float(match[1]) * {"ms": 0.001, None: 1, "s": 1, "m": 60, "h": 3600}[match[2]]


def positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is no number, or 0")
    return int(text)


def parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--address", default="auto", help="the cluster: auto, local, or an address [default: auto]")
    common.add_argument("--timeout", type=seconds, help="stop after this time: 60 (seconds), 500ms, 2m, 1h")
    common.add_argument("--max-executions", type=positive, help="stop after about this many executions")
    common.add_argument("--jobs", "-j", type=positive, help="how many tasks run side by side at most [default: one for each core]")
    common.add_argument("--save", type=Path, help="where to save the failing execution [default: .everyway/PROGRAM.json]")
    common.add_argument("--checkpoint", type=seconds, default=60.0, help="how often the remaining work is saved [default: 1m]")
    common.add_argument("--slice", type=seconds, default=LONG, help="how long a task takes at most [default: 10s]")
    common.add_argument("--frontier", type=Path, help="where the remaining work is saved [default: .everyway/PROGRAM.frontier]")
    common.add_argument("--format", default="text", help="how to print the result, as `everyway check` has it")
    common.add_argument("--html", type=Path, help="write a page for the browser as well")
    binary = argparse.ArgumentParser(add_help=False)
    binary.add_argument("--binary", default=os.environ.get("EVERYWAY", "everyway"), help="the command `everyway`, here and on the nodes")
    whole = argparse.ArgumentParser(prog="everyway-ray", description=__doc__)
    commands = whole.add_subparsers(dest="command", required=True)
    commands.add_parser("check", parents=[common, binary], help="check a program; other options go to `everyway check`")
    test = commands.add_parser("test", parents=[common, binary], help="check a test in Rust")
    test.add_argument("test_binary", metavar="BINARY", type=Path, help="the test binary, at the same path on all nodes")
    test.add_argument("name", metavar="NAME", help="the test, as the binary calls it")
    resume = commands.add_parser("resume", parents=[common, binary], help="go on with a check that was stopped")
    resume.add_argument("saved", metavar="FRONTIER", type=Path, help="what a check saved when it was stopped")
    resume.add_argument("--test", nargs=2, metavar=("BINARY", "NAME"), help="what it is of, if it is a test in Rust")
    return whole


def fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return COULD_NOT_RUN


def begin_check(arguments: argparse.Namespace, rest: List[str], frontier: Path) -> Union[int, Frontier]:
    """Checks for a moment: many programs need no cluster. Otherwise, what is left."""
    if not any(word.startswith(("--algorithm", "-a", "--preemptions")) for word in rest):
        # What `everyway check` does by default may come to what cannot be shared.
        rest = ["--algorithm=graphs", *rest]
    options = ["--timeout=1", f"--frontier={frontier}", f"--format={arguments.format}", "--jobs=1"]
    options += [f"--html={arguments.html}"] if arguments.html else []
    options += [f"--save={arguments.save}"] if arguments.save else []
    options += [f"--max-executions={arguments.max_executions}"] if arguments.max_executions else []
    separator = rest.index("--") if "--" in rest else len(rest)
    line = [arguments.binary, "check", *rest[:separator], *options, *rest[separator:]]
    frontier.unlink(missing_ok=True)
    ran = subprocess.run(line, stdout=subprocess.PIPE, check=False)
    begun = Frontier.load(frontier) if ran.returncode == INCOMPLETE and frontier.exists() else None
    limit = arguments.max_executions
    if begun is None or limit is not None and begun.executions >= limit:
        sys.stdout.buffer.write(ran.stdout)
        return ran.returncode
    if limit is not None:
        arguments.max_executions = limit - begun.executions
    return begun


def begin_test(worker: RustTest, frontier: Path) -> Union[int, Frontier]:
    """Explores a test for a moment. Otherwise, what is left."""
    frontier.unlink(missing_ok=True)
    frontier.parent.mkdir(parents=True, exist_ok=True)
    environment = {"EVERYWAY_RESULT": str(frontier.absolute()), "EVERYWAY_MAX_SECONDS": "1", "EVERYWAY_JOBS": "1"}
    if "EVERYWAY_STRATEGY" not in os.environ:
        environment["EVERYWAY_STRATEGY"] = "graphs"
    os.environ.update({key: environment[key] for key in environment if key == "EVERYWAY_STRATEGY"})
    ran = subprocess.run(worker.command(), env={**os.environ, **environment}, capture_output=True, check=False)
    if not frontier.exists():
        sys.stderr.buffer.write(ran.stdout + ran.stderr)
        return fail(f"`{worker.name}` of {worker.binary} is no test with a check that can be shared")
    begun = Frontier.load(frontier)
    if ran.returncode != 0 or not begun.subtrees:
        sys.stdout.buffer.write(ran.stdout + ran.stderr)
        return 1 if ran.returncode != 0 else 0
    return begun


def finish(arguments: argparse.Namespace, worker: Union[Command, RustTest], outcome: Outcome, path: Path) -> int:
    """Has the command print the result."""
    for found, trace in zip(outcome.frontier.bugs, outcome.traces):
        if trace is not None:
            found["bug"]["replay"] = {"file": str(trace), "command": worker.replay(trace)}
    left = outcome.frontier.subtrees
    if outcome.stopped is not None and left:
        shown = {**outcome.frontier.exploration, "cut": [*outcome.frontier.exploration.get("cut", []), outcome.stopped]}
    else:
        shown = outcome.frontier.exploration
    ends = bool(outcome.frontier.bugs) or not left
    if ends:
        path.unlink(missing_ok=True)
    if isinstance(worker, RustTest):
        return finish_test(outcome, path)
    with tempfile.TemporaryDirectory() as folder:
        # The command is told what there is to say, and prints it.
        file = Path(folder) / "result"
        Frontier(outcome.frontier.head, shown).save(file, [] if outcome.frontier.bugs else left)
        options = [f"--format={arguments.format}", f"--output-file={path}"]
        options += [f"--html={arguments.html}"] if arguments.html else []
        sys.stdout.flush()
        return subprocess.run([arguments.binary, "merge", str(file), *options], check=False).returncode


def finish_test(outcome: Outcome, path: Path) -> int:
    executions = f"{outcome.frontier.executions:,} executions"
    if outcome.frontier.bugs:
        bug = outcome.frontier.bugs[0]["bug"]
        print(f"error: {bug['message']}\n\n{executions} explored")
        if bug.get("replay"):
            print(f"\nto run this execution again:\n\n    {bug['replay']['command']}")
        return 1
    cut = list(outcome.frontier.exploration.get("cut", []))
    if outcome.frontier.subtrees:
        cut.append(outcome.stopped or f"{len(outcome.frontier.subtrees)} subtrees are left to explore")
        print(f"note: to go on from here: everyway-ray resume {path} --test BINARY NAME")
    if cut:
        print(f"incomplete: no failure in {executions}, but not everything was explored")
        print("".join(f"  - {what}\n" for what in cut), end="")
        return INCOMPLETE
    print(f"verified: {executions}, none fails")
    return 0


def stem(arguments: argparse.Namespace, rest: List[str]) -> str:
    if arguments.command == "resume":
        return arguments.saved.with_suffix("").name
    if arguments.command == "test":
        return re.sub(r"[^\w.-]", "-", arguments.name)
    files = [word for word in rest if re.search(r"\.(c|cc|cpp|cxx|ll)$", word) and not word.startswith("-")]
    return Path(files[0]).stem if files else "program"


def main(line: Optional[List[str]] = None) -> int:
    arguments, rest = parser().parse_known_args(line)
    if rest and arguments.command != "check":
        return fail(f"`{rest[0]}` is not understood; see everyway-ray {arguments.command} --help")
    path: Path = arguments.frontier or Path(".everyway") / f"{stem(arguments, rest)}.frontier"
    worker: Union[Command, RustTest] = Command(arguments.binary)
    if arguments.command == "test":
        worker = RustTest(str(arguments.test_binary.absolute()), arguments.name)
    elif arguments.command == "resume" and arguments.test:
        worker = RustTest(str(Path(arguments.test[0]).absolute()), arguments.test[1])
    if isinstance(worker, RustTest) and not Path(worker.binary).exists():
        return fail(f"there is no test binary {worker.binary}; `cargo test --no-run` says where it is")
    if isinstance(worker, Command) and shutil.which(arguments.binary) is None:
        return fail(f"there is no command `{arguments.binary}`; name one with --binary, or $EVERYWAY")
    try:
        if arguments.command == "check":
            begun = begin_check(arguments, rest, path)
        elif isinstance(worker, RustTest) and arguments.command == "test":
            begun = begin_test(worker, path)
        else:
            path, begun = arguments.frontier or arguments.saved, Frontier.load(arguments.saved)
    except (OSError, ValueError, KeyError) as error:
        return fail(f"the frontier cannot be read: {error}")
    if isinstance(begun, int):
        return begun
    cancelled: List[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: cancelled.append(received))
    options = Options(path, arguments.checkpoint, arguments.slice, arguments.timeout, arguments.max_executions)
    options.jobs, options.save, options.is_cancelled = arguments.jobs, arguments.save, lambda: bool(cancelled)
    options.keep_going = "--keep-going" in rest
    options.keep_going |= "--keep-going" in begun.head["settings"]
    address = None if arguments.address == "local" else arguments.address
    forwarded = {key: value for key, value in os.environ.items() if key.startswith("EVERYWAY")}
    ray.init(address=address, log_to_driver=False, logging_level="error", runtime_env={"env_vars": forwarded})
    try:
        outcome = explore(worker, begun, options)
    except CouldNotRun as error:
        return fail(str(error))
    finally:
        ray.shutdown()
    return finish(arguments, worker, outcome, path)


if __name__ == "__main__":
    sys.exit(main())
