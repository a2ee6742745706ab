"""The runner as a process, with notebooks that are written here and real kernels."""
import contextlib
import functools
import importlib.util
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from pathlib import Path

import nbformat

RUNNER = os.environ["NOTEBOOK_RUNNER"]


def code(source, *tags):
    return nbformat.v4.new_code_cell(source, metadata={"tags": list(tags)})


@functools.cache
def runner():
    spec = importlib.util.spec_from_file_location("notebook_runner", RUNNER)
    module = sys.modules["notebook_runner"] = importlib.util.module_from_spec(spec)  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def lives(pid):
    """What has ended and waits for its parent to notice lives no more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Runs(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name)
        self.output, self.events = self.home / "out.ipynb", self.home / "events.jsonl"

    def write(self, *cells, name="a.ipynb", **metadata):
        notebook = nbformat.v4.new_notebook(cells=[code(cell) if isinstance(cell, str) else cell for cell in cells],
                                            metadata=metadata)
        nbformat.write(notebook, self.home / name)
        return self.home / name

    def command(self, notebook, *arguments):
        return [sys.executable, "-I", RUNNER, str(notebook), "--output", str(self.output), "--results",
                str(self.home / "results.json"), "--events", str(self.events), *map(str, arguments)]

    def run_it(self, notebook, *arguments, config=None):
        """What is in results.json. What it printed is in self.said."""
        if config:
            (self.home / "config.json").write_text(json.dumps(config))
            arguments = (*arguments, "--config", self.home / "config.json")
        ended = subprocess.run(self.command(notebook, *arguments), capture_output=True, text=True, timeout=60)
        self.said = ended.stdout + ended.stderr
        return self.results(ended.returncode)

    def refused(self, notebook, *arguments, config=None):
        """The same in this process: what starts no kernel needs none of its own."""
        (self.home / "config.json").write_text(json.dumps(config or {}))
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                code = runner().main([*self.command(notebook, *arguments)[3:], "--config", str(self.home / "config.json")])
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self.said = printed.getvalue()
        return self.results(code)

    def results(self, code):
        results = json.loads((self.home / "results.json").read_text())
        self.assertEqual(code, results["exit_code"], self.said)
        return results

    def kinds(self):
        return [(event["event"], event.get("cell")) for event in map(json.loads, self.events.read_text().splitlines())]

    def statuses(self, results):
        return [(cell["cellIndex"], cell["status"]) for cell in results["cells"]]

    def test_cells_run_in_order_with_parameters_and_are_told_as_they_run(self):
        notebook = self.write(nbformat.v4.new_markdown_cell("# Training"), code("rows = 1\nname = ''", "parameters"),
                              "print(rows, name, scale)", "import sys\nprint('at the end', file=sys.stderr)\nrows * 2",
                              "sys.exit(0)", "never")
        results = self.run_it(notebook, "-p", "rows=21", "-p", "name=it's", "-p", "scale=0.5")
        self.assertEqual((results["status"], results["reason"]), ("succeeded", "Succeeded"), self.said)
        self.assertEqual(self.statuses(results), [(1, "Success"), (None, "Success"), (2, "Success"), (3, "Success"),
                                                  (4, "Success"), (5, "Skipped")])
        self.assertEqual([cell["output"] for cell in results["cells"]][2:4], ["21 it's 0.5\n", "at the end\n42"])
        self.assertIn("21 it's 0.5\n", self.said)
        kinds = self.kinds()
        self.assertLess(kinds.index(("cellStarted", 2)), kinds.index(("output", 2)))
        self.assertLess(kinds.index(("output", 2)), kinds.index(("cellFinished", 2)))
        executed = nbformat.read(self.output, as_version=4)
        self.assertEqual(executed.cells[2].metadata["tags"], ["injected-parameters"])
        self.assertEqual(executed.cells[4].metadata["towtank"]["status"], "Success")

    def test_a_cell_that_fails_ends_the_run_and_the_others_are_kept(self):
        stale = code("print('later')")
        stale.outputs = [nbformat.v4.new_output("stream", text="from another day")]
        results = self.run_it(self.write("print('before')", "def f():\n    raise ValueError('no data')\nf()", stale))
        self.assertEqual((results["exit_code"], results["reason"]), (1, "CellFailed"))
        self.assertEqual(results["message"], "Cell 1 failed: ValueError: no data")
        self.assertEqual(self.statuses(results), [(0, "Success"), (1, "Failure"), (2, "Skipped")])
        self.assertEqual(results["cells"][0]["output"], "before\n")
        self.assertEqual(results["statistics"]["failed_cells"], 1)
        self.assertIn("Traceback", self.said)
        self.assertNotIn("another day", self.output.read_text())

    def test_an_endless_cell_is_stopped_with_all_that_it_started(self):
        notebook = self.write("print('begun', flush=True)", "import subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
                              f"open({str(self.home / 'pid')!r}, 'w').write(str(child.pid))\nwhile True: pass")
        results = self.run_it(notebook, "--cell-timeout", "1.5")
        self.assertEqual((results["exit_code"], results["reason"]), (124, "ValidationTimeout"))
        self.assertIn("the timeout of 1.5 s for a cell", results["message"])
        self.assertEqual(self.statuses(results), [(0, "Success"), (1, "Failure")])
        self.assertFalse(lives(int((self.home / "pid").read_text())))

    def test_the_whole_run_has_a_timeout_too(self):
        results = self.run_it(self.write("import time", "time.sleep(600)"), "--timeout", "6")
        self.assertEqual((results["exit_code"], results["reason"]), (124, "ValidationTimeout"), self.said)
        self.assertIn("the run's timeout of 6 s", results["message"])

    def test_a_kernel_that_dies_is_told_with_its_cell(self):
        results = self.run_it(self.write("1", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"))
        self.assertEqual((results["exit_code"], results["reason"]), (137, "KernelDied"), self.said)
        self.assertIn("by signal 9 in cell 1", results["message"])
        self.assertEqual(self.statuses(results), [(0, "Success"), (1, "Failure")])

    def test_a_flood_of_output_is_cut_off_with_a_note(self):
        results = self.run_it(self.write("for _ in range(100):\n    print('x' * 1_000_000)", "print('after')"),
                              "--max-output", "20000")
        self.assertEqual(results["reason"], "Succeeded", self.said[-500:])
        self.assertLess(self.output.stat().st_size, 30_000)
        self.assertIn("[output is cut off here: a cell may write at most 20000 bytes]", self.said)
        self.assertIn("after", self.said)

    def test_what_cannot_run_is_told_before_any_kernel_starts(self):
        broken = self.home / "broken.ipynb"
        broken.write_text("{")
        empty = self.write(name="empty.ipynb")
        other = self.write("1", name="other.ipynb", kernelspec={"name": "julia", "display_name": "Julia"})
        packages = self.write("import json, torch.nn\nfrom xgboost import train", "try:\n    import faiss\nexcept ImportError:"
                              "\n    pass", "%matplotlib inline\n!ls", "def f():\n    import lazy", name="packages.ipynb")
        for notebook, reason, words in (
                (broken, "InvalidNotebook", "Name a file that Jupyter has saved"), (self.home / "none.ipynb", "InvalidNotebook", "no notebook"),
                (empty, "NoCells", "nothing to run"), (other, "MissingKernel", "the kernel 'julia'"),
                (packages, "MissingPackages", "imports torch, xgboost, which")):
            results = self.refused(notebook)
            self.assertEqual((results["exit_code"], results["reason"]), (2, reason), self.said)
            self.assertIn(words, results["message"])
            self.assertFalse(self.events.is_file() and ("cellStarted", 0) in self.kinds())

    def test_configuration_that_is_not_known_is_refused(self):
        notebook = self.write("1")
        for config in ({"validationConfig": {"failOnEverything": True}},
                       {"validationConfig": {"expectedOutputs": [{"cell": 0, "shape": "a,b"}]}},
                       {"comparisonConfig": {"strategy": "fuzzy"}}):
            results = self.refused(notebook, config=config)
            self.assertEqual((results["exit_code"], results["reason"]), (2, "InvalidConfiguration"), config)
        self.assertEqual(self.refused(notebook, "-p", "import=1")["reason"], "InvalidConfiguration")

    def test_every_switch_of_the_validation_finds_something(self):
        """NVJ-9; of the operator's defects: switches that nobody reads."""
        saved = code("import warnings\nwarnings.warn('old api')\n'text'")
        saved.outputs = [nbformat.v4.new_output("display_data", {"image/png": ""})]
        notebook = self.write(saved, "import sys\nprint('trouble', file=sys.stderr)", "def train():\n    pass\nmodel = train()",
                              "float('nan')", "[1, 2, 3]", "0.4")
        results = self.run_it(notebook, config={"validationConfig": {
            "level": "learning", "failOnStderr": True, "failOnWarnings": True, "checkOutputTypes": True,
            "verifyAssertions": True, "requireExplicitExitCodes": True, "expectedOutputs": [
                {"cell": 4, "type": "dict", "shape": "-1,2"}, {"cell": 5, "type": "float", "minValue": "0.5"},
                {"cell": 5, "maxValue": "0.5"}, {"cell": 4, "type": "list", "shape": "3", "notEmpty": True}]}})
        self.assertEqual(results["reason"], "Succeeded", "at level learning, findings are only told")
        found = [(finding["cell"], finding["message"]) for finding in results["findings"]]
        self.assertEqual(len(found), 10, found)
        for cell, words in ((0, "old api"), (0, "were saved as"), (1, "output on stderr: trouble"),
                            (2, "model is None"), (3, "the result is NaN"), (None, "no cell asserts"),
                            (None, "does not end with sys.exit(0)"), (4, "is a list, and dict is expected"),
                            (4, "has shape [3], and -1,2"), (5, "is 0.4, and at least 0.5")):
            self.assertTrue(any(cell == where and words in message for where, message in found), (cell, words, found))

    def test_a_finding_fails_the_run_by_its_own_category(self):
        results = self.run_it(self.write("import sys\nprint('trouble', file=sys.stderr)"),
                              config={"validationConfig": {"failOnStderr": True}})
        self.assertEqual((results["reason"], results["error_category"]), ("ValidationFailed", "validation_stderr_failure"))
        self.assertEqual(results["message"], "Validation failed: cell 0: output on stderr: trouble")

    def test_a_golden_notebook_is_compared_by_its_outputs(self):
        """NVJ-8; of the operator's defects: outputs that are dropped, and fifty lines of the golden one."""
        golden = [code("x") for _ in range(4)]
        for cell, text in zip(golden, ("f1 0.91234\n", "2026-01-01T00:00:00Z done\n", "same\n", "never\n")):
            cell.outputs = [nbformat.v4.new_output("stream", text=text)]
        self.write(*golden, name="golden.ipynb")
        results = self.run_it(self.write("print('f1', 0.91236)", "print('2027-02-02T11:11:11Z  done')", "print('other')"),
                              "--golden", self.home / "golden.ipynb")
        self.assertEqual((results["exit_code"], results["reason"]), (1, "GoldenMismatch"), self.said)
        self.assertEqual(results["message"], "golden notebook comparison failed (2/4 cells matched)")
        self.assertEqual([(diff["cellIndex"], diff["diffType"]) for diff in results["comparisonResult"]["diffs"]],
                         [(2, "output_mismatch"), (3, "missing_cell")])
        self.assertIn("-same\n+other", results["comparisonResult"]["diffs"][0]["diff"])

    def test_data_from_elsewhere_than_asked_for_fails_the_run(self):
        """TP-18: what was asked for and what was used are recorded, and a silent fallback fails."""
        notebook = self.write("import json, os\nwith open(os.environ['NOTEBOOK_PROVENANCE'], 'w') as file:\n"
                              "    json.dump({'data_source': 'synthetic'}, file)")
        told = {"NOTEBOOK_PROVENANCE": str(self.home / "provenance.json"), "DATA_SOURCE": "prometheus"}
        with mock.patch.dict(os.environ, told):
            results = self.run_it(notebook)
            self.assertEqual((results["exit_code"], results["reason"]), (1, "DataSourceMismatch"), self.said)
            self.assertIn("should come from 'prometheus' and came from 'synthetic'", results["message"])
        with mock.patch.dict(os.environ, {**told, "ALLOW_DATA_FALLBACK": "true"}):
            results = self.run_it(notebook)
            self.assertEqual(results["provenance"]["asked_data_source"], "prometheus")
            self.assertEqual(results["provenance"]["used_data_source"], "synthetic")

    def test_a_notebook_without_cells_or_kernel_or_with_forks_is_told_so(self):
        self.assertEqual(self.refused(self.write())["reason"], "NoCells", self.said)
        nameless = self.write("1", name="b.ipynb", kernelspec={"name": "no-such-kernel", "display_name": "x", "language": "x"})
        self.assertEqual(self.refused(nameless)["reason"], "MissingKernel")
        # What a cell starts and leaves behind does not keep the run from its end.
        forked = self.write("import os, time\nif os.fork() == 0:\n    time.sleep(600)\n    os._exit(0)", "print('on')", name="c.ipynb")
        results = self.run_it(forked)
        self.assertEqual((results["exit_code"], results["cells"][1]["output"]), (0, "on\n"), self.said)

    def test_a_cancelled_run_keeps_what_it_has(self):
        process = subprocess.Popen(self.command(self.write("print('first')", "import time\nprint('waiting', flush=True)\n"
                                                           "time.sleep(600)")), stdout=subprocess.PIPE, text=True)
        with process:
            for line in process.stdout:
                if line == "waiting\n":
                    process.send_signal(signal.SIGTERM)
        results = json.loads((self.home / "results.json").read_text())
        self.assertEqual((process.returncode, results["reason"]), (143, "Cancelled"))
        self.assertEqual(results["cells"][0]["output"], "first\n")


if __name__ == "__main__":
    unittest.main()
