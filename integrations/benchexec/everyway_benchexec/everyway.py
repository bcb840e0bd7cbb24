# The tool-info module of everyway for BenchExec: put the folder above on PYTHONPATH, and name the tool
# `everyway_benchexec.everyway` in the benchmark definition. It runs `everyway check` with the property of the task, and
# reads its JSON. `python -m benchexec.test_tool_info everyway_benchexec.everyway` shows what it does.

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64


class Tool(benchexec.tools.template.BaseTool2):
    """everyway: runs a concurrent program in every way that makes a difference."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("everyway")

    def name(self):
        return "everyway"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="everyway")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "json"] + options
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "-m32", LP64: "-m64"})
        if data_model:
            command.append(data_model)
        if rlimits.cputime:
            command += ["--timeout", str(max(1, rlimits.cputime - 5))]
        if rlimits.memory:
            command += ["--max-memory", f"{max(1, rlimits.memory * 9 // 10 // 2**20)}M"]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        try:
            report = json.loads("\n".join(run.output))
        except ValueError:
            return result.RESULT_ERROR
        verdict = report.get("verdict")
        if verdict == "verified":
            return result.RESULT_TRUE_PROP
        if verdict == "bug":
            part = report.get("violated")
            return f"{result.RESULT_FALSE_PROP}({part})" if part else result.RESULT_FALSE_PROP
        if verdict == "incomplete":
            return result.RESULT_UNKNOWN
        message = (report.get("error") or {}).get("message", "")
        return f"{result.RESULT_ERROR} ({message})"
