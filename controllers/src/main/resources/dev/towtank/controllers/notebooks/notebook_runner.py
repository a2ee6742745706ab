#!/usr/bin/python3
"""Runs a notebook cell by cell in a fresh kernel, and tells what happens while it does.

Events go to --events, one JSON object a line; what people read goes to stdout; the notebook as it was executed to
--output and the summary to --results, both also when a cell fails. Exit code 0: all cells succeeded and all checks held;
1: a cell or a check failed; 2: it could not be started as it is; 124: timeout; 137: the kernel died; 143: cancelled.
"""
from __future__ import annotations

import argparse
import ast
import difflib
import importlib.util
import json
import keyword
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, NamedTuple

try:
    import nbformat
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
except ImportError as without:  # told in the same form as everything else, by those who have nothing to tell it with
    told = {"status": "failed", "reason": "MissingPackages", "error_category": "dependency_install_failed", "exit_code": 2,
            "message": f"{os.environ.get('NOTEBOOK_IMAGE') or sys.executable} has no module {without.name}, without which no"
                       " notebook runs. On Debian: apt-get install python3-nbclient python3-ipykernel."}
    print(f"=== MissingPackages: {told['message']}", flush=True)
    if "--results" in sys.argv:
        Path(sys.argv[sys.argv.index("--results") + 1]).write_text(json.dumps(told), encoding="utf-8")
    sys.exit(2)

INJECTED = "injected-parameters"
MOST_NOTEBOOK_BYTES = 64 << 20
SHOWN_IN_RESULTS = 4000
EXIT_CODES = {"Succeeded": 0, "CellFailed": 1, "ValidationFailed": 1, "GoldenMismatch": 1, "DataSourceMismatch": 1,
              "ValidationTimeout": 124,
              "KernelDied": 137, "OOMKilled": 137, "Cancelled": 143}
CATEGORIES = {"CellFailed": "notebook_execution_failed", "ValidationTimeout": "notebook_execution_failed",
              "KernelDied": "notebook_execution_failed", "OOMKilled": "notebook_execution_failed",
              "Cancelled": "notebook_execution_failed", "GoldenMismatch": "notebook_execution_failed",
              "MissingPackages": "dependency_install_failed", "MissingKernel": "environment_setup_failed"}


class Stop(Exception):
    """Ends the run, with a reason in one word, as for a condition, and a message in many."""

    def __init__(self, reason: str, message: str, category: str | None = None) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message
        self.category = category or CATEGORIES.get(reason, "configuration_error")


# --- Reading ----------------------------------------------------------------------------------------------------------


def is_json(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return False
    return True


def read_notebook(path: Path) -> Any:
    if not path.is_file():
        raise Stop("InvalidNotebook", f"There is no notebook {path}.")
    if path.stat().st_size > MOST_NOTEBOOK_BYTES:
        raise Stop("InvalidNotebook", f"{path} has {path.stat().st_size} bytes; at most {MOST_NOTEBOOK_BYTES} are read.")
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as failure:  # nbformat raises what its many versions happen to raise
        problem = f"{type(failure).__name__}: {str(failure)[:300]}"
        if not is_json(path):
            problem = "a notebook is JSON, with a list of cells, as Jupyter saves it, and this is another text"
        advice = "Name a file that Jupyter has saved; a script runs as a step of a Task."
        raise Stop("InvalidNotebook", f"{path} is not a notebook: {problem}. {advice}") from failure
    if not any(cell.cell_type == "code" and cell.source.strip() for cell in notebook.cells):
        raise Stop("NoCells", f"{path} has no code cells: there is nothing to run.")
    return notebook


def value_of(text: str) -> Any:
    """As papermill reads -p."""
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def python_literal(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {python_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(python_literal, value)) + "]"
    return repr(value)


def inject(notebook: Any, parameters: dict[str, Any]) -> None:
    """A cell of its own behind the one tagged 'parameters', in place of one from an earlier run, or at the top."""
    for name in parameters:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise Stop("InvalidConfiguration", f"A parameter cannot be called {name!r}: it has to be a name in Python.")
    if not parameters:
        return
    lines = ["# Parameters", *(f"{name} = {python_literal(value)}" for name, value in parameters.items()), ""]
    cell = nbformat.v4.new_code_cell("\n".join(lines), metadata={"tags": [INJECTED]})
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        cell.pop("id", None)
    tags = [cell.metadata.get("tags", []) for cell in notebook.cells]
    before = next((at for at, tag in enumerate(tags) if INJECTED in tag), None)
    declared = next((at for at, tag in enumerate(tags) if "parameters" in tag), None)
    if before is not None:
        notebook.cells[before] = cell
    else:
        notebook.cells.insert(0 if declared is None else declared + 1, cell)


# --- Packages ---------------------------------------------------------------------------------------------------------


def plain_python(source: str) -> ast.Module | None:
    """Without IPython's magics. None for what is no Python: running it says so better."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError, RecursionError):
        return None


def imports(nodes: list[Any]) -> Iterator[str]:
    """The first part of each module that is imported for certain: not in functions, nor where it is tried."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]
        elif isinstance(node, (ast.If, ast.For, ast.While)):
            continue  # whether it happens, only running tells
        elif isinstance(node, ast.With):
            yield from imports(node.body)


def missing_packages(notebook: Any, directory: Path, python: str) -> list[str]:
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    # Whoever installs or makes modules on the way has them later.
    if any(re.search(r"sys\.path|%%writefile|\b(pip|conda|mamba)3?\b.*\binstall\b|site\.addsitedir", source)
           for source in sources):
        return []
    wanted = {name for source in sources if (tree := plain_python(source)) for name in imports(tree.body)}
    wanted = {name for name in wanted if not (directory / name).exists() and not (directory / f"{name}.py").exists()}
    if not wanted:
        return []
    if python == sys.executable:
        return sorted(name for name in wanted if importlib.util.find_spec(name) is None)
    asked = subprocess.run(
        [python, "-c", "import importlib.util as u, sys; print(*(n for n in sys.argv[1:] if u.find_spec(n) is None))",
         *sorted(wanted)], capture_output=True, text=True, timeout=60, check=False)
    return asked.stdout.split() if asked.returncode == 0 else []


def kernel_python(name: str) -> str | None:
    """The interpreter of a kernel for Python, None for other languages."""
    manager = KernelSpecManager()
    try:
        spec = manager.get_kernel_spec(name)
    except NoSuchKernel as failure:
        known = ", ".join(sorted(manager.find_kernel_specs())) or "none"
        raise Stop("MissingKernel", f"The notebook wants the kernel {name!r}, which is not installed. There are: {known}."
                   " Install it, or choose another one with --kernel.") from failure
    if spec.language != "python":
        return None
    return sys.executable if spec.argv[0] in ("python", "python3") else spec.argv[0]


# --- Telling ------------------------------------------------------------------------------------------------------------


class Teller:
    """Events for programs, lines for people."""

    def __init__(self, target: str | None) -> None:
        self.file = None
        if target:
            self.file = os.fdopen(int(target[3:]), "w") if target.startswith("fd:") else open(target, "a", encoding="utf-8")

    def event(self, kind: str, **fields: Any) -> None:
        if self.file is not None:
            self.file.write(json.dumps({"event": kind, "time": round(time.time(), 3), **fields}) + "\n")
            self.file.flush()

    def close(self) -> None:
        if self.file is not None:
            self.file.close()

    @staticmethod
    def say(text: str, end: str = "\n") -> None:
        print(text, end=end, flush=True)


def text_of(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    return str(output.get("data", {}).get("text/plain", ""))


def hidden(value: Any, secrets: list[str]) -> Any:
    """Without the values of secrets: whoever reads an output is not for that one who may read them."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "***")
        return value
    if isinstance(value, dict):
        return {key: hidden(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [hidden(item, secrets) for item in value]
    return value


class Client(NotebookClient):
    """nbclient, with output that is shown as it comes and bounded per cell."""

    teller: Teller
    masked: list[str]
    most_output: int
    left: int
    limit: float
    shown_index: int | None

    def _get_timeout(self, cell: Any) -> float:
        return self.limit  # its own is in whole seconds

    def begin_cell(self, shown_index: int | None) -> None:
        self.left, self.shown_index = self.most_output, shown_index

    def output(self, outs: list[Any], msg: Any, display_id: str, cell_index: int) -> Any:
        if msg["msg_type"] != "error":  # why a cell failed is never too much
            size = len(msg["content"].get("text", "")) or sum(len(str(each)) for each in msg["content"].get(
                "data", {}).values())
            if self.left < 0:
                return None
            self.left -= size
            if self.left < 0:
                note = f"\n[output is cut off here: a cell may write at most {self.most_output} bytes]\n"
                kept = msg["content"].get("text", "")[:self.left + size] if msg["msg_type"] == "stream" else ""
                name = msg["content"].get("name", "stdout")
                msg = {**msg, "msg_type": "stream", "content": {"name": name, "text": kept + note},
                       "header": {**msg["header"], "msg_type": "stream"}}
        if self.masked:
            msg = {**msg, "content": hidden(msg["content"], self.masked)}
        made = super().output(outs, msg, display_id, cell_index)
        if made is not None:
            self.show(made)
            # A line each is how kernels send; one text is what notebooks hold.
            if len(outs) > 1 and made.output_type == "stream" and outs[-2].get("name") == made.name:
                outs.pop()
                outs[-1].text += made.text
        return made

    def show(self, made: Any) -> None:
        text = text_of(made)
        if made.output_type != "error":
            self.teller.say(text, end="" if text.endswith("\n") else "\n")
        stream = made.get("name", made.output_type)
        self.teller.event("output", cell=self.shown_index, stream=stream, text=text[:1 << 16])


# --- Running ------------------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """One run, and what came of it."""

    options: argparse.Namespace
    teller: Teller
    notebook: Any = None
    results: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[int, dict[str, Any]] = field(default_factory=dict)
    saved: list[Any] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)
    begun_at: float = field(default_factory=time.time)
    exited: bool = False
    comparison: dict[str, Any] | None = None
    findings: list[Finding] = field(default_factory=list)
    provisioner: Any = None
    cancelled: bool = False
    running: int | None = None
    provenance: dict[str, Any] | None = None
    environment: dict[str, Any] = field(default_factory=dict)

    def cancel(self, *_: Any) -> None:
        """On SIGTERM. To raise here would leave nbclient's event loop in the middle of something: it is told by the death
        of its kernel."""
        self.cancelled = True
        kill_group(self.provisioner)

    def unless_cancelled(self) -> None:
        if self.cancelled:
            raise Stop("Cancelled", "The run was cancelled.")

    def remaining(self) -> float:
        return self.options.timeout - (time.monotonic() - self.begun)

    def execute(self) -> None:
        kernel = self.options.kernel or self.notebook.metadata.get("kernelspec", {}).get("name") or "python3"
        python = kernel_python(kernel)
        self.unless_cancelled()
        if python is not None and not self.options.skip_package_check:
            if missing := missing_packages(self.notebook, Path(self.options.cwd), python):
                image = os.environ.get("NOTEBOOK_IMAGE") or python
                raise Stop("MissingPackages", f"The notebook imports {', '.join(missing)}, which {image} does not have."
                           " Install what brings it into the image, or use an image that has it.")
        self.teller.event("started", notebook=str(self.options.notebook), kernel=kernel,
                          cells=sum(cell.cell_type == "code" for cell in self.notebook.cells))
        client = Client(self.notebook, kernel_name=kernel, iopub_timeout=60, startup_timeout=120, record_timing=True,
                        shutdown_kernel="immediate", resources={"metadata": {"path": self.options.cwd}})
        client.teller, client.most_output = self.teller, self.options.max_output
        # What is very short is found everywhere.
        client.masked = [value for name in self.options.mask if len(value := os.environ.get(name, "")) >= 4]
        client.begin_cell(None)
        kills = oom_kills()
        with client.setup_kernel():
            provisioner = self.provisioner = client.km.provisioner
            watchdog = threading.Timer(max(0, self.remaining()) + 5, kill_group, [provisioner])
            watchdog.daemon = True  # for a cell that floods us so that nbclient's own timer is late
            watchdog.start()
            try:
                self.cells(client)
            except DeadKernelError as failure:
                raise self.died(provisioner, kills) from failure
            finally:
                watchdog.cancel()
                kill_group(provisioner)

    def cells(self, client: Client) -> None:
        shown = -1
        for index, cell in enumerate(self.notebook.cells):
            injected = INJECTED in cell.metadata.get("tags", [])
            shown += not injected
            if cell.cell_type != "code":
                continue
            self.unless_cancelled()
            if self.exited:
                self.note(index, shown, injected, "Skipped", 0.0, "")
                continue
            self.cell(client, index, None if injected else shown, injected)

    def cell(self, client: Client, index: int, shown: int | None, injected: bool) -> None:
        cell = self.notebook.cells[index]
        lines = [line for line in cell.source.splitlines() if line.strip()]
        # Comments say less about what takes so long.
        first = next((line for line in lines if not line.lstrip().startswith("#")), next(iter(lines), ""))
        self.teller.event("cellStarted", cell=shown, source=first[:200])
        self.running = shown
        self.tell_progress()
        self.teller.say(f"--- cell {'parameters' if injected else shown}: {first[:100]}")
        client.begin_cell(shown)
        begun = time.monotonic()
        client.limit = max(0.1, min(self.remaining(), self.options.cell_timeout or math.inf))
        error = ""
        try:
            client.execute_cell(cell, index)
        except CellExecutionError as failure:
            failure.evalue = hidden(failure.evalue, client.masked)
            if failure.ename == "SystemExit" and failure.evalue in ("0", "None", ""):
                self.exited = True  # done, in the words of a script
            else:
                error = f"{failure.ename}: {failure.evalue}"
        except CellTimeoutError as failure:
            taken = time.monotonic() - begun
            limit = (f"the run's timeout of {self.options.timeout:g} s" if self.remaining() <= 0.2
                     else f"the timeout of {self.options.cell_timeout:g} s for a cell")
            self.note(index, shown, injected, "Failure", taken, f"stopped after {taken:.1f} s by {limit}")
            raise Stop("ValidationTimeout", f"Cell {shown} was still running at {limit}: {first[:100]}") from failure
        except DeadKernelError:
            self.note(index, shown, injected, "Failure", time.monotonic() - begun, "the kernel died")
            raise
        self.note(index, shown, injected, "Failure" if error else "Success", time.monotonic() - begun, error)
        self.write_notebook()
        if error.startswith("MemoryError") and resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            # Where no group of processes has a limit, each process has it: nothing is killed, it gets no more.
            raise Stop("OOMKilled", too_large(shown))
        if error:
            raise Stop("CellFailed", f"Cell {'with the parameters' if injected else shown} failed: {error[:500]}")
        if shown is not None and not self.exited:
            self.facts[shown] = ask_facts(client, cell)

    def note(self, index: int, shown: int | None, injected: bool, status: str, seconds: float, error: str) -> None:
        cell = self.notebook.cells[index]
        result = {"cellIndex": None if injected else shown, "status": status, "seconds": round(seconds, 3),
                  "output": "".join(map(text_of, cell.get("outputs", [])))[:SHOWN_IN_RESULTS] if status != "Skipped" else "",
                  "errorMessage": error[:SHOWN_IN_RESULTS]}
        self.results.append(result)
        cell.metadata["towtank"] = {"status": status, "seconds": result["seconds"]}  # for whoever draws it
        self.teller.event("cellFinished", cell=result["cellIndex"], **{key: value for key, value in result.items()
                                                                       if key != "cellIndex"})
        self.running = None
        self.tell_progress()

    def tell_progress(self) -> None:
        if self.options.results:
            write_atomically(self.options.results, json.dumps({**summary(self, None), "status": "running", "reason": "",
                                                               "message": "", "running_cell": self.running}) + "\n")

    def skip_rest(self) -> None:
        """Cells that were not reached have no outputs of this run: those of an earlier one would lie."""
        done = len(self.results)
        code = [(index, cell) for index, cell in enumerate(self.notebook.cells) if cell.cell_type == "code"]
        for index, cell in code[done:]:
            cell.outputs, cell.execution_count = [], None
            before = sum(INJECTED not in each.metadata.get("tags", []) for each in self.notebook.cells[:index])
            self.note(index, before, INJECTED in cell.metadata.get("tags", []), "Skipped", 0.0, "")

    def died(self, provisioner: Any, kills: int) -> Stop:
        process = getattr(provisioner, "process", None)
        code = process.poll() if process is not None else None
        if self.cancelled:
            return Stop("Cancelled", "The run was cancelled.")
        where = next((result["cellIndex"] for result in reversed(self.results) if result["status"] == "Failure"), None)
        if self.remaining() <= 0:
            return Stop("ValidationTimeout", f"Cell {where} was still running at the run's timeout.")
        if oom_kills() > kills:
            return Stop("OOMKilled", too_large(where))
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        hint = " A kill from outside is often for lack of memory." if code == -signal.SIGKILL else ""
        return Stop("KernelDied", f"The kernel ended {how} in cell {where}.{hint}")

    def write_notebook(self) -> None:
        if self.options.output:
            write_atomically(self.options.output, nbformat.writes(self.notebook))


def ask_facts(client: Client, cell: Any) -> dict[str, Any]:
    """What the cell left behind: its value, and the names that it gave to results of calls."""
    tree = plain_python(cell.source)
    if client.kernel_name is None or tree is None or cell.execution_count is None:
        return {}
    names = [target.id for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
             for target in node.targets if isinstance(target, ast.Name)]
    request = client.kc.execute("", silent=True, store_history=False, user_expressions={
        "facts": FACTS.replace("COUNT", str(cell.execution_count)).replace("NAMES", repr(names[:100]))})
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            reply = run_waiting(client.kc.get_shell_msg(timeout=10))
        except Exception:  # no answer is no fact
            return {}
        if reply["parent_header"].get("msg_id") == request:
            told = reply["content"].get("user_expressions", {}).get("facts", {}).get("data", {}).get("text/plain", "''")
            try:
                return dict(json.loads(ast.literal_eval(told)))
            except (ValueError, SyntaxError, TypeError):
                return {}
    return {}


def run_waiting(maybe: Any) -> Any:
    from nbclient.util import run_sync

    async def wait() -> Any:
        return await maybe

    return run_sync(wait)() if hasattr(maybe, "__await__") else maybe


# Evaluated in the kernel. Only what is cheap: no value is copied, and what raises is left out.
FACTS = """(lambda out, names: __import__('json').dumps((lambda tell: {
 'value': tell(out[COUNT]) if COUNT in out else None,
 'names': {n: tell(globals()[n]) for n in names if n in globals()}})(lambda v: {
 'type': type(v).__module__.replace('builtins', '') + '.' * (type(v).__module__ != 'builtins') + type(v).__qualname__,
 'shape': [int(s) for s in v.shape] if isinstance(getattr(v, 'shape', None), tuple) else
          [len(v)] if isinstance(v, (list, tuple, dict, set, str)) else None,
 'number': float(v) if isinstance(v, (int, float)) and v == v and abs(v) < 1e308 or
           (hasattr(v, 'item') and getattr(v, 'shape', None) == () and v == v and abs(v) < 1e308) else None,
 'nan': bool(isinstance(v, float) and v != v)})))(globals().get('Out', {}), NAMES)"""


def too_large(cell: int | None) -> str:
    return f"Cell {cell} needed more memory than the limit. Raise resources.limits.memory, or load less at once."


def oom_kills() -> int:
    """How often the kernel of this machine has killed in our group for lack of memory."""
    for path, key in (("/sys/fs/cgroup/memory.events", "oom_kill"), ("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill")):
        try:
            words = Path(path).read_text().split()
            return int(words[words.index(key) + 1])
        except (OSError, ValueError, IndexError):
            continue
    return 0


def kill_group(provisioner: Any) -> None:
    """The kernel and what it has started: it leads a group of its own."""
    group = getattr(provisioner, "pgid", None)
    process = getattr(provisioner, "process", None)
    if group and process is not None and group != os.getpgid(0):
        try:
            os.killpg(group, signal.SIGKILL)
        except OSError:
            pass  # already gone


# --- Checks after the run -------------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    category: str
    cell: int | None
    message: str


SWITCHES = ("strictMode", "failOnStderr", "failOnWarnings", "detectSilentFailures", "requireExplicitExitCodes",
            "checkOutputTypes", "verifyAssertions")
LEVELS = ("learning", "development", "staging", "production")


def switches_of(config: dict[str, Any]) -> dict[str, bool]:
    """strictMode and the level production turn on what tells of trouble; what is set by name wins."""
    unknown = set(config) - {*SWITCHES, "level", "expectedOutputs"}
    if unknown:
        raise Stop("InvalidConfiguration", f"validationConfig has no field {', '.join(sorted(unknown))}.")
    level = config.get("level") or "development"
    if level not in LEVELS:
        raise Stop("InvalidConfiguration", f"validationConfig.level is one of {', '.join(LEVELS)}, not {level!r}.")
    for at, expected in enumerate(config.get("expectedOutputs") or []):
        check_expected(f"validationConfig.expectedOutputs[{at}]", expected)
    strict = bool(config.get("strictMode")) or level == "production"
    chosen = dict.fromkeys(SWITCHES, False) | {"detectSilentFailures": True, "checkOutputTypes": strict or level == "staging"}
    chosen |= dict.fromkeys(("failOnStderr", "failOnWarnings", "verifyAssertions"), strict)
    return chosen | {name: config[name] for name in SWITCHES if isinstance(config.get(name), bool) and not (
        strict and name != "detectSilentFailures" and config[name] is False and name != "strictMode")}


def check_expected(where: str, expected: dict[str, Any]) -> None:
    if unknown := set(expected) - {"cell", "type", "shape", "minValue", "maxValue", "notEmpty"}:
        raise Stop("InvalidConfiguration", f"{where} has no field {', '.join(sorted(unknown))}.")
    if type(expected.get("cell")) is not int or expected["cell"] < 0:
        raise Stop("InvalidConfiguration", f"{where}.cell has to be the index of a cell.")
    if not re.fullmatch(r"(\s*-?\d{1,18}\s*(,|$))*", str(expected.get("shape") or "")):
        raise Stop("InvalidConfiguration", f"{where}.shape is a list of sizes such as -1,10; not {expected['shape']!r}.")
    for bound in ("minValue", "maxValue"):
        if not re.fullmatch(r"(-?\d+(\.\d+)?([eE][+-]?\d+)?)?", str(expected.get(bound) or "")):
            raise Stop("InvalidConfiguration", f"{where}.{bound} is a number, not {expected[bound]!r}.")


def code_cells(notebook: Any) -> list[tuple[int, Any]]:
    """As the author counts them, without the cell for parameters."""
    own = [cell for cell in notebook.cells if INJECTED not in cell.metadata.get("tags", [])]
    return [(index, cell) for index, cell in enumerate(own) if cell.cell_type == "code"]


def stderr_of(cell: Any) -> str:
    text = "".join(output.text for output in cell.get("outputs", []) if output.get("name") == "stderr")
    return "\n".join(line for line in text.splitlines() if "Debugger warning" not in line and line.strip())


def look(run: Run, config: dict[str, Any]) -> list[Finding]:
    switches = switches_of(config)
    category = "validation_strict_mode_failure" if switches["strictMode"] else ""
    found: list[Finding] = []
    for index, cell in code_cells(run.notebook):
        errors = stderr_of(cell)
        warned = re.search(r"^.*\b\w*Warning\b.*$", errors, re.MULTILINE)
        if switches["failOnWarnings"] and warned:
            found.append(Finding(category or "validation_warning_failure", index, f"a warning: {warned[0].strip()[:200]}"))
        elif switches["failOnStderr"] and errors:
            found.append(Finding(category or "validation_stderr_failure", index,
                                 f"output on stderr: {errors.strip().splitlines()[0][:200]}"))
        if switches["detectSilentFailures"]:
            found += silent_failures(index, run.facts.get(index, {}))
    if switches["checkOutputTypes"]:
        found += other_types(run)
    if switches["verifyAssertions"] and not any(
            isinstance(node, ast.Assert) or isinstance(node, ast.Attribute) and node.attr.startswith("assert")
            for _, cell in code_cells(run.notebook) for node in ast.walk(plain_python(cell.source) or ast.Module([], []))):
        found.append(Finding("", None, "no cell asserts anything"))
    if switches["requireExplicitExitCodes"] and not run.exited:
        found.append(Finding("", None, "the notebook does not end with sys.exit(0)"))
    for expected in config.get("expectedOutputs") or []:
        found += unexpected(expected, run.facts.get(expected.get("cell", -1), {}).get("value"))
    return [finding if finding.category else finding._replace(category=category or "notebook_execution_failed")
            for finding in found]


def silent_failures(index: int, facts: dict[str, Any]) -> Iterator[Finding]:
    for name, known in facts.get("names", {}).items():
        if known["type"] == "NoneType":
            yield Finding("", index, f"{name} is None: what was called returned nothing")
        elif known["nan"]:
            yield Finding("", index, f"{name} is NaN")
    if (facts.get("value") or {}).get("nan"):
        yield Finding("", index, "the result is NaN")


def kinds_of(outputs: list[Any]) -> list[str]:
    return sorted({output.output_type + ":" + ",".join(sorted(output.get("data", {}))) for output in outputs
                   if output.get("name") != "stderr"})


def other_types(run: Run) -> Iterator[Finding]:
    """Than those that the notebook was saved with, where it was saved with any."""
    for (index, cell), before in zip(code_cells(run.notebook), run.saved):
        if before and kinds_of(before) != kinds_of(cell.outputs):
            yield Finding("", index, f"the outputs are {kinds_of(cell.outputs)}, and were saved as {kinds_of(before)}")


def unexpected(expected: dict[str, Any], value: dict[str, Any] | None) -> Iterator[Finding]:
    cell = expected.get("cell")
    if value is None:
        yield Finding("", cell, "a result is expected, and the cell has none: its last line has to be an expression")
        return
    wanted = expected.get("type")
    # pandas.DataFrame is what people call pandas.core.frame.DataFrame.
    if wanted and value["type"] != wanted and not (
            value["type"].split(".")[-1] == wanted.split(".")[-1] and value["type"].split(".")[0] == wanted.split(".")[0]):
        yield Finding("", cell, f"the result is a {value['type']}, and {wanted} is expected")
    if expected.get("shape"):
        sizes = [int(size) for size in str(expected["shape"]).replace(" ", "").split(",") if size]
        if value["shape"] is None or len(sizes) != len(value["shape"]) or any(
                size not in (-1, found) for size, found in zip(sizes, value["shape"])):
            yield Finding("", cell, f"the result has shape {value['shape']}, and {expected['shape']} is expected")
    for bound, wrong, word in (("minValue", lambda number, limit: number < limit, "at least"),
                               ("maxValue", lambda number, limit: number > limit, "at most")):
        if expected.get(bound) not in (None, ""):
            if value["number"] is None or wrong(value["number"], float(expected[bound])):
                yield Finding("", cell, f"the result is {value['number']}, and {word} {expected[bound]} is expected")
    if expected.get("notEmpty") and value["shape"] is not None and 0 in value["shape"]:
        yield Finding("", cell, "the result is empty")


# --- The golden notebook ------------------------------------------------------------------------------------------------

TIMESTAMPS = (r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?", r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}",
              r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d{2}:\d{2}", r"Execution time: \d+(?:\.\d+)?s?", r"Duration: \d+(?:\.\d+)?ms",
              r"\b\d+\.\d+s\b", r"\b\d{10,13}\b")
FLOAT = re.compile(r"(-?\d+\.\d+(?:[eE][+-]?\d+)?)")


class Comparison:
    def __init__(self, config: dict[str, Any]) -> None:
        known = {"strategy", "floatingPointTolerance", "ignoreTimestamps", "ignoreExecutionCount", "customTimestampPatterns",
                 "ignoreOutputTypes"}
        if unknown := set(config) - known:
            raise Stop("InvalidConfiguration", f"comparisonConfig has no field {', '.join(sorted(unknown))}.")
        self.strategy = config.get("strategy") or "normalized"
        if self.strategy not in ("exact", "normalized"):
            raise Stop("InvalidConfiguration", f"comparisonConfig.strategy is exact or normalized, not {self.strategy!r}.")
        self.counts = config.get("ignoreExecutionCount") is False
        self.ignored = set(config.get("ignoreOutputTypes") or [])
        try:
            self.tolerance = float(config.get("floatingPointTolerance") or 0.0001)
            patterns = config.get("customTimestampPatterns") or TIMESTAMPS
            self.timestamps = [re.compile(pattern) for pattern in patterns] if config.get("ignoreTimestamps", True) else []
        except (ValueError, re.error) as failure:
            raise Stop("InvalidConfiguration", f"comparisonConfig: {failure}") from failure

    def text(self, cell: Any) -> str:
        if cell.cell_type != "code":
            return str(cell.source)
        outputs = [output for output in cell.outputs if output.output_type not in self.ignored
                   and output.get("name") not in self.ignored]
        count = f"[{cell.execution_count}]\n" if self.counts else ""
        return count + "".join(text_of(output) for output in outputs)

    def same(self, one: str, other: str) -> bool:
        if self.strategy == "exact":
            return one == other
        parts = [FLOAT.split(self.normalized(text)) for text in (one, other)]
        return len(parts[0]) == len(parts[1]) and all(
            left == right or at % 2 == 1 and abs(float(left) - float(right)) <= self.tolerance
            for at, (left, right) in enumerate(zip(*parts)))

    def normalized(self, text: str) -> str:
        for pattern in self.timestamps:
            text = pattern.sub("[TIMESTAMP]", text)
        return " ".join(text.split())

    def compare(self, executed: list[Any], golden: list[Any]) -> dict[str, Any]:
        diffs = []
        for index in range(max(len(executed), len(golden))):
            if index >= len(golden):
                diffs.append({"cellIndex": index, "cellType": executed[index].cell_type, "diffType": "extra_cell",
                              "actual": f"Cell {index} exists in executed notebook but not in golden", "severity": "major"})
            elif index >= len(executed):
                diffs.append({"cellIndex": index, "cellType": golden[index].cell_type, "diffType": "missing_cell",
                              "expected": f"Cell {index} exists in golden notebook but not in executed",
                              "severity": "major"})
            elif executed[index].cell_type != golden[index].cell_type or not self.same(
                    self.text(executed[index]), self.text(golden[index])):
                diffs.append(self.difference(index, executed[index], golden[index]))
        total = max(len(executed), len(golden))
        return {"strategy": self.strategy, "result": "failed" if diffs else "matched", "totalCells": total,
                "matchedCells": total - len(diffs), "mismatchedCells": len(diffs), "diffs": diffs[:50]}

    def difference(self, index: int, executed: Any, golden: Any) -> dict[str, Any]:
        expected, actual = self.text(golden), self.text(executed)
        lines = difflib.unified_diff(expected.splitlines()[:200], actual.splitlines()[:200], lineterm="", n=0)
        failed = any(output.output_type == "error" for output in executed.get("outputs", []))
        return {"cellIndex": index, "cellType": executed.cell_type,
                "diffType": "execution_error" if failed else "output_mismatch", "expected": expected[:500],
                "actual": actual[:500], "diff": "\n".join(list(lines)[2:])[:1000], "severity": "major"}


# --- Where it comes from ------------------------------------------------------------------------------------------------


def environment_of(notebook: Any) -> dict[str, Any]:
    """What the notebook runs with: Python, and the versions of what it imports."""
    from importlib import metadata

    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    wanted = sorted({name for source in sources if (tree := plain_python(source)) for name in imports(tree.body)})
    known = metadata.packages_distributions()
    versions = {}
    for name in wanted:
        for distribution in known.get(name, [])[:1]:
            versions[distribution] = metadata.version(distribution)
    return {"python": "%d.%d.%d" % sys.version_info[:3], "packages": versions}


def provenance_of(since: float) -> dict[str, Any] | None:
    """What the notebook says it was made of, in the file $NOTEBOOK_PROVENANCE: {"data_source": "synthetic", …}. Asked for
    was $DATA_SOURCE; something else instead, without a word, is how models come to be trained on noise."""
    asked, path = os.environ.get("DATA_SOURCE", ""), os.environ.get("NOTEBOOK_PROVENANCE", "")
    told: dict[str, Any] = {}
    if path and os.path.isfile(path) and os.path.getmtime(path) >= since - 1:
        told = json_object(Path(path))
    if not told and not asked:
        return None
    used = told.get("data_source")
    allowed = os.environ.get("ALLOW_DATA_FALLBACK", "").lower() == "true"
    if asked and used and used != asked and not allowed:
        raise Stop("DataSourceMismatch", f"The data should come from {asked!r} and came from {used!r}. Where that is wanted,"
                   " set ALLOW_DATA_FALLBACK=true.", "notebook_execution_failed")
    return {**told, "asked_data_source": asked, "used_data_source": used or "not told"}


# --- All of it ------------------------------------------------------------------------------------------------------------


def write_atomically(path: Path, text: str) -> None:
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def perform(run: Run, config: dict[str, Any]) -> None:
    """Mistakes in what was asked for are told before the first cell."""
    validation = config.get("validationConfig") or {}
    switches_of(validation)
    comparison = Comparison(config.get("comparisonConfig") or {})
    golden = read_notebook(run.options.golden) if run.options.golden else None
    run.notebook = read_notebook(run.options.notebook)
    run.saved = [list(cell.outputs) for _, cell in code_cells(run.notebook)]
    inject(run.notebook, run.options.parameters)
    run.environment = environment_of(run.notebook)
    run.execute()
    run.provenance = provenance_of(run.begun_at)
    run.findings = look(run, validation)
    for finding in run.findings:
        run.teller.event("finding", cell=finding.cell, category=finding.category, message=finding.message)
    if golden is not None:
        own = [cell for cell in run.notebook.cells if INJECTED not in cell.metadata.get("tags", [])]
        run.comparison = comparison.compare(own, golden.cells)
    if run.findings and (validation.get("level") != "learning"):
        first = run.findings[0]
        where = "" if first.cell is None else f"cell {first.cell}: "
        more = "" if len(run.findings) == 1 else f" (and {len(run.findings) - 1} more)"
        raise Stop("ValidationFailed", f"Validation failed: {where}{first.message}{more}", first.category)
    if run.comparison and run.comparison["result"] == "failed":
        matched, total = run.comparison["matchedCells"], run.comparison["totalCells"]
        raise Stop("GoldenMismatch", f"golden notebook comparison failed ({matched}/{total} cells matched)")


def summary(run: Run, stop: Stop | None) -> dict[str, Any]:
    reason = stop.reason if stop else "Succeeded"
    own = [result for result in run.results if result["cellIndex"] is not None]
    succeeded = sum(result["status"] == "Success" for result in own)
    failed = sum(result["status"] == "Failure" for result in run.results)
    rate = round(succeeded / len(own) * 100, 2) if own else 0.0
    message = stop.message if stop else (f"Validation completed: {succeeded}/{len(own)} cells succeeded"
                                         f" ({rate:.1f}% success rate)")
    return {"status": "failed" if stop else "succeeded", "reason": reason, "message": message,
            "error": stop.message if stop else "", "error_category": stop.category if stop else "",
            "exit_code": EXIT_CODES.get(reason, 2), "notebook_path": str(run.options.notebook),
            "execution_duration_seconds": round(time.monotonic() - run.begun, 3),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "cells": run.results,
            "statistics": {"total_cells": len(run.notebook.cells) if run.notebook else 0,
                           "code_cells": len(code_cells(run.notebook)) if run.notebook else 0,
                           "failed_cells": failed, "success_rate": rate},
            "findings": [finding._asdict() for finding in run.findings], "comparisonResult": run.comparison,
            "provenance": run.provenance, "environment": run.environment}


def tell_end(run: Run, told: dict[str, Any]) -> None:
    teller = run.teller
    for cell in run.notebook.cells if run.notebook else []:
        for output in cell.get("outputs", []):
            if output.output_type == "error" and told["reason"] == "CellFailed":
                teller.say("\n".join(output.traceback)[-20_000:])
    for finding in run.findings:
        teller.say(f"finding{'' if finding.cell is None else f' in cell {finding.cell}'}: {finding.message}")
    for diff in (run.comparison or {}).get("diffs", []):
        teller.say(f"cell {diff['cellIndex']}: {diff['diffType']}\n{diff.get('diff', '')}")
    teller.say(f"=== {told['reason']}: {told['message']}")
    teller.event("finished", **{key: told[key] for key in ("status", "reason", "message", "error_category", "exit_code",
                                                           "statistics", "comparisonResult", "findings")})


def options_from(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="notebook_runner", description=__doc__, allow_abbrev=False)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--output", type=Path, help="where the executed notebook goes")
    parser.add_argument("--results", type=Path, help="where the summary goes, as JSON")
    parser.add_argument("--events", help="a file for the events, or fd:N")
    parser.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--parameters-file", type=Path, help="a JSON object of parameters")
    parser.add_argument("--config", type=Path, help='JSON: {"validationConfig": {…}, "comparisonConfig": {…}}')
    parser.add_argument("--golden", type=Path, help="a notebook whose outputs are the right ones")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for the whole run")
    parser.add_argument("--cell-timeout", type=float, help="seconds for each cell")
    parser.add_argument("--kernel", help="instead of the one that the notebook names")
    parser.add_argument("--cwd", help="where the cells run; the notebook's directory if not given")
    parser.add_argument("--max-output", type=int, default=1 << 20, help="bytes of output that are kept of a cell")
    parser.add_argument("--skip-package-check", action="store_true")
    parser.add_argument("--mask", action="append", default=[], metavar="VARIABLE",
                        help="an environment variable whose value is hidden in all outputs")
    options = parser.parse_args(arguments)
    options.cwd = options.cwd or str(options.notebook.resolve().parent)
    options.parameters = {}
    for given in options.parameter:
        name, equals, text = given.partition("=")
        if not equals:
            parser.error(f"-p takes NAME=VALUE, not {given!r}")
        options.parameters[name] = value_of(text)
    return options


def json_object(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        raise Stop("InvalidConfiguration", f"Cannot read {path}: {failure}") from failure
    if not isinstance(document, dict):
        raise Stop("InvalidConfiguration", f"{path} does not hold a JSON object.")
    return document


def main(arguments: list[str]) -> int:
    options = options_from(arguments)
    run = Run(options, Teller(options.events))
    signal.signal(signal.SIGTERM, run.cancel)
    signal.signal(signal.SIGINT, run.cancel)  # as a terminal ends all that it has started
    signal.alarm(int(options.timeout) + 60)  # ends the process whatever it does, also inside of a regular expression
    stop: Stop | None = None
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.setdefault("JUPYTER_RUNTIME_DIR", scratch)  # homes in pods may be read-only
        os.environ.setdefault("IPYTHONDIR", scratch)
        # Otherwise a debugger that nobody asked for warns on stderr, and failOnWarnings would trip over it.
        os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
        try:
            options.parameters = json_object(options.parameters_file) | options.parameters
            perform(run, json_object(options.config))
        except Stop as failure:
            stop = failure
        except RuntimeError as failure:  # from nbclient, when a kernel does not come up
            stop = Stop("KernelDied", f"The kernel could not be started: {str(failure)[:500]}")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # what is known is written down first
    if run.notebook is not None:
        run.skip_rest()
        run.write_notebook()
    told = summary(run, stop)
    if options.results:
        write_atomically(options.results, json.dumps(told, indent=2) + "\n")
    tell_end(run, told)
    run.teller.close()
    return int(told["exit_code"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
