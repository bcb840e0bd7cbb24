"""The examples for schedulers do what they say: their shell parts are run here, in the order in which a scheduler runs them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List

import pytest
import yaml
from conftest import ROOT

EXAMPLES = ROOT / "docs/examples"
#: sigma(6) has 3 * 5 * 7 * 9 * 11 executions (OOPSLA 2019, Table 2).
SIGMA = 10_395


class Machine:
    """A folder with the program, in which commands find `everyway`."""

    def __init__(self, folder: Path, binary: str) -> None:
        self.folder = folder
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/everyway").symlink_to(binary)
        text = (ROOT / "crates/cli/tests/programs/sigma.c").read_text()
        (folder / "queue.c").write_text("#define N 6\n" + text)

    def environment(self, more: Dict[str, str]) -> Dict[str, str]:
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", **more}

    def run(self, script: str, shell: str = "bash -e", **variables: str) -> "subprocess.CompletedProcess[str]":
        # Fewer executions than there are, in place of a time that depends on the machine.
        script = re.sub(r"--timeout 10\b", "--max-executions 300", script)
        line = [*shell.split(), "-c", script]
        return subprocess.run(line, cwd=self.folder, env=self.environment(variables), capture_output=True, text=True, check=False)

    def begin(self, comment: str, count: int) -> None:
        """What the comment at the head of an example says to do first."""
        lines = [line.strip("# ").strip() for line in comment.splitlines() if line.startswith("#   everyway ")]
        assert [line.split()[1] for line in lines] == ["check", "split", "merge"], lines
        assert self.run(lines[0] + " --jobs 1").returncode == 3
        split = self.run(lines[1])
        assert split.returncode == 0 and len(split.stdout.splitlines()) == count, split

    def merge(self, line: str) -> None:
        merged = self.run(line)
        assert merged.returncode == 0 and f"verified: {SIGMA:,} executions" in merged.stdout, merged


@pytest.fixture
def machine(binary: str, tmp_path: Path) -> Machine:
    return Machine(tmp_path, binary)


def test_a_kubernetes_job(machine: Machine) -> None:
    text = (EXAMPLES / "kubernetes.yaml").read_text()
    job = yaml.safe_load(text)
    assert (job["apiVersion"], job["kind"], job["spec"]["completionMode"]) == ("batch/v1", "Job", "Indexed")
    count = job["spec"]["completions"]
    machine.begin(text, count)
    pod = job["spec"]["template"]["spec"]
    container = pod["containers"][0]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert set(mounts) == {volume["name"] for volume in pod["volumes"]}
    shell, script = " ".join(container["command"][:-1]), container["args"][0]
    assert container["command"][-1] == "-c"
    here = script.replace(mounts["parts"], str(machine.folder / ".everyway"))
    for index in range(count):
        ran = machine.run(here, shell, JOB_COMPLETION_INDEX=str(index))
        assert ran.returncode == 0, ran
    # A pod whose part is missing fails.
    assert machine.run(here, shell, JOB_COMPLETION_INDEX=str(count)).returncode == 1
    machine.merge("everyway merge .everyway/queue-*.result")


def test_a_pod_that_is_evicted_writes_what_it_has_come_to(machine: Machine) -> None:
    program = (machine.folder / "queue.c").read_text().replace("#define N 6", "#define N 12")
    (machine.folder / "queue.c").write_text(program)
    assert machine.run("everyway check queue.c --algorithm graphs --timeout 10").returncode == 3
    assert machine.run("everyway split .everyway/queue.frontier -n 1").returncode == 0
    script = yaml.safe_load((EXAMPLES / "kubernetes.yaml").read_text())["spec"]["template"]["spec"]["containers"][0]["args"][0]
    script = script.replace("/parts", str(machine.folder / ".everyway"))
    pod = subprocess.Popen(["sh", "-c", script], cwd=machine.folder, env=machine.environment({"JOB_COMPLETION_INDEX": "0"}))
    time.sleep(2)
    pod.send_signal(signal.SIGTERM)
    assert pod.wait(timeout=60) == 0
    merged = machine.run("everyway merge .everyway/queue-0.result")
    assert merged.returncode == 3 and "everyway resume .everyway/queue.frontier" in merged.stdout, merged


def steps(job: Dict[str, Any]) -> List[str]:
    """What a job of a CI service runs, but for what installs the command."""
    scripts = [step["run"] for step in job["steps"] if "run" in step]
    assert scripts[0] == "cargo install --locked everyway-cli"
    return scripts[1:]


def test_a_matrix_of_a_ci_service(binary: str, tmp_path: Path) -> None:
    # `on` is what YAML 1.1 takes for true.
    jobs = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]
    first = Machine(tmp_path / "split", binary)
    output = first.folder / "output"
    for script in steps(jobs["split"]):
        ran = first.run(script, GITHUB_OUTPUT=str(output))
        assert ran.returncode == 0, ran
    assert output.read_text() == "left=yes\n" and jobs["explore"]["if"] == "needs.split.outputs.left == 'yes'"
    last = Machine(tmp_path / "merge", binary)
    for part in jobs["explore"]["strategy"]["matrix"]["part"]:
        other = Machine(tmp_path / f"explore-{part}", binary)
        for file in first.folder.glob("queue-*.part"):
            shutil.copy(file, other.folder)
        for script in steps(jobs["explore"]):
            ran = other.run(script.replace("${{ matrix.part }}", str(part)))
            assert ran.returncode == 0, ran
        shutil.copy(other.folder / f"queue-{part}.result", last.folder)
    (script,) = steps(jobs["merge"])
    assert script.endswith(" --format github")
    last.merge(script.removesuffix(" --format github"))
    assert last.run(script).returncode == 0


def test_a_program_that_is_small_needs_no_matrix(binary: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path / "split", binary)
    (machine.folder / "queue.c").write_text("int main(void) { return 0; }")
    jobs = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]
    output = machine.folder / "output"
    output.touch()
    assert all(machine.run(script, GITHUB_OUTPUT=str(output)).returncode == 0 for script in steps(jobs["split"]))
    assert output.read_text() == ""


def test_a_slurm_array(machine: Machine) -> None:
    """Without Slurm: `srun` runs what it is given."""
    script = EXAMPLES / "slurm.sh"
    machine.begin(script.read_text(), 64)
    srun = machine.folder / "bin/srun"
    srun.write_text('#!/bin/sh\nexec "$@"\n')
    srun.chmod(0o755)
    for task in range(64):
        ran = machine.run(f"bash {script} .everyway/queue", SLURM_ARRAY_TASK_ID=str(task))
        assert ran.returncode == 0, ran
    machine.merge("everyway merge .everyway/queue-*.result")
