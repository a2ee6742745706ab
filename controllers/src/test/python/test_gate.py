"""The gate as a process, with models that are trained here."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import joblib
import numpy
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

GATE = os.environ["GATE"]
VERSIONS = {"python": "3.11.2", "scikit-learn": sklearn.__version__, "numpy": numpy.__version__}


def gate_module():
    spec = importlib.util.spec_from_file_location("gate", GATE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate"] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


class Rules(unittest.TestCase):
    VALUES = {"f1": 0.9, "recall": 0.7, "baseline.f1": 0.91}

    def setUp(self):
        self.gate = gate_module()

    def test_compare_calculate_and_join(self):
        for text, expected in (("f1 >= baseline.f1 - 0.02", True), ("f1 >= baseline.f1", False),
                               ("f1 > 0.8 && recall > 0.8", False), ("f1 > 0.8 || recall > 0.8", True),
                               ("!(recall > 0.8)", True), ("-f1 < 0", True), ("1 + 2 * 3 == 7", True),
                               ("10 - 4 - 3 == 3", True), ("f1 / 2 == 0.45", True), ("1e-3 < .5", True),
                               ("true || 1/0 > 0", True)):
            self.assertIs(self.gate.Rule(text).holds(self.VALUES), expected, text)

    def test_that_cannot_be_read_say_where(self):
        for text in ("f1 >=", "f1 >= 1 2", "(f1 > 1", "__import__('os')", "f1; recall", "", "[x for x in y]",
                     "(" * 60 + "1" + ")" * 60, "x" * 1001):
            with self.assertRaises(self.gate.RuleError, msg=text):
                self.gate.Rule(text)

    def test_that_are_no_comparison_or_divide_by_zero_do_not_hold(self):
        for text in ("f1", "f1 && true", "f1 / 0 > 1", "(f1 > 1) + 1 > 1"):
            with self.assertRaises(self.gate.RuleError, msg=text):
                self.gate.Rule(text).holds(self.VALUES)


class Gated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = numpy.random.RandomState(1).rand(80, 3)
        cls.labels = (cls.rows[:, 0] > 0.6).astype(int)

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name)

    def model(self, name, estimator=None, environment=VERSIONS, metrics=None):
        directory = self.home / name
        directory.mkdir()
        joblib.dump(estimator or LogisticRegression(C=100).fit(self.rows, self.labels), directory / "model.pkl")
        if environment:
            (directory / "environment.json").write_text(json.dumps(environment))
        if metrics:
            (directory / "metrics.json").write_text(json.dumps(metrics))
        return directory

    def held_out(self):
        path = self.home / "held-out.csv"
        lines = [",".join([*map(str, row), str(label)]) for row, label in zip(self.rows, self.labels)]
        path.write_text("\n".join(["a,b,c,label", *lines]))
        return path

    def run_gate(self, directory, *arguments):
        """Exit code, state and message by check, and what was printed."""
        report = self.home / "report.json"
        ended = subprocess.run(
            [sys.executable, "-I", GATE, "--predictor", os.environ["PREDICTOR"], "--min-bytes", "100", "--model-dir",
             str(directory), "--report", str(report), *map(str, arguments)], capture_output=True, text=True, timeout=60)
        document = json.loads(report.read_text()) if report.is_file() else {"checks": []}
        self.report = document
        return ended.returncode, {check["name"]: (check["state"], check["message"]) for check in document["checks"]}, \
            ended.stdout + ended.stderr

    def test_a_good_model_passes_all_checks(self):
        current = self.model("current", DummyClassifier().fit(self.rows, self.labels))
        results = self.home / "results"
        results.mkdir()
        code, checks, said = self.run_gate(
            self.model("new"), "--current-dir", current, "--features", 3, "--held-out", self.held_out(), "--rule",
            "f1 >= baseline.f1 - 0.02", "--rule", "recall >= 0.8", "--max-latency-ms", 10000, "--max-disagreement", 1,
            "--results-dir", results, "--require", "all")
        self.assertEqual(code, 0, said)
        self.assertEqual({state for state, _ in checks.values()}, {"passed"}, said)
        self.assertEqual((results / "verdict").read_text(), "passed")
        self.assertEqual((results / "feature-count").read_text(), "3")
        self.assertIn("LogisticRegression", (results / "model-class").read_text())
        self.assertRegex(said, r"f1 +0 +(1|0\.9)")

    def test_a_worse_model_fails_by_its_rule_and_shows_both_numbers(self):
        current = self.model("current")
        code, checks, said = self.run_gate(
            self.model("new", DummyClassifier().fit(self.rows, self.labels)), "--current-dir", current, "--held-out",
            self.held_out(), "--rule", "f1 >= baseline.f1 - 0.02", "--max-disagreement", 0.1)
        self.assertEqual(code, 1)
        self.assertEqual(checks["rule: f1 >= baseline.f1 - 0.02"][0], "failed")
        self.assertIn("f1 = 0", checks["rule: f1 >= baseline.f1 - 0.02"][1])
        self.assertEqual(checks["shadow"][0], "failed")
        self.assertIn("must not be rolled out", said)

    def test_without_a_baseline_only_the_floor_counts_and_that_is_said(self):
        code, checks, _ = self.run_gate(self.model("new", metrics={"f1": 0.9}), "--rule", "f1 >= 0.8", "--rule",
                                        "f1 >= baseline.f1")
        self.assertEqual(code, 0)
        self.assertEqual(checks["rule: f1 >= 0.8"][0], "passed")
        self.assertEqual(checks["rule: f1 >= baseline.f1"], ("not run", "there is no baseline yet"))
        self.assertEqual(checks["shadow"][0], "not run")

    def test_junk_fails_to_load_and_nothing_after_it_passes(self):
        directory = self.model("new")
        (directory / "model.pkl").write_bytes(b"junk" * 500)
        code, checks, _ = self.run_gate(directory, "--rule", "f1 > 0")
        self.assertEqual(code, 1)
        self.assertEqual(checks["size"][0], "passed")
        self.assertEqual(checks["load"][0], "failed")
        self.assertIn("Cannot load", checks["load"][1])
        self.assertEqual([checks[name][0] for name in ("libraries", "features", "predictions", "rule: f1 > 0")],
                         ["not run"] * 4)

    def test_files_that_are_missing_too_small_or_too_many_fail_each_by_name(self):
        empty = self.home / "empty"
        empty.mkdir()
        code, checks, _ = self.run_gate(empty)
        self.assertEqual((code, checks["file"][0], checks["size"][0]), (1, "failed", "not run"))
        directory = self.model("new")
        self.assertEqual(self.run_gate(directory, "--min-bytes", 10 ** 6)[1]["size"][0], "failed")
        (directory / "old.joblib").write_bytes(b"")
        self.assertEqual(self.run_gate(directory)[1]["one-model-file"],
                         ("failed", "More than one model file: model.pkl, old.joblib. A server refuses these."))

    def test_a_file_of_four_gigabytes_is_too_large_before_it_is_loaded(self):
        directory = self.model("new")
        with open(directory / "model.pkl", "r+b") as file:
            file.truncate(4 << 30)  # all of it a hole
        code, checks, _ = self.run_gate(directory)
        self.assertEqual((code, checks["size"][0], checks["load"][0]), (1, "failed", "not run"))
        self.assertIn("4294967296 bytes are too many", checks["size"][1])

    def test_a_model_that_is_too_slow_fails_with_its_numbers(self):
        code, checks, _ = self.run_gate(self.model("new"), "--max-latency-ms", 0.001)
        self.assertEqual((code, checks["latency"][0]), (1, "failed"))
        self.assertRegex(checks["latency"][1], r"p99 [0-9.]+ ms is over 0\.001 ms")

    def test_a_shadow_that_answers_otherwise_fails_and_says_how_often(self):
        current = self.model("current", DummyClassifier(strategy="constant", constant=1).fit(self.rows, self.labels))
        other = self.model("new", DummyClassifier(strategy="constant", constant=0).fit(self.rows, self.labels))
        code, checks, _ = self.run_gate(other, "--current-dir", current, "--inputs", self.held_out(), "--max-disagreement", 0.5)
        self.assertEqual((code, checks["shadow"][0]), (1, "failed"))
        self.assertIn("80 of 80 predictions differ from the current model's", checks["shadow"][1])

    def test_another_version_of_scikit_learn_is_refused_with_both_versions(self):
        """TP-4."""
        code, checks, _ = self.run_gate(self.model("new", environment={"sklearn": "1.5.1"}))
        self.assertEqual(code, 1)
        self.assertIn(f"scikit-learn 1.5.1 (serving: {sklearn.__version__})", checks["libraries"][1])

    def test_an_unknown_environment_is_no_pass(self):
        directory = self.model("new", environment=None)
        self.assertEqual(self.run_gate(directory)[1]["libraries"][0], "not run")
        self.assertEqual(self.run_gate(directory, "--require", "libraries")[0], 1)

    def test_another_feature_count_than_the_contract_fails(self):
        contract = self.home / "contract.json"
        contract.write_text('{"features": 45}')
        self.assertEqual(self.run_gate(self.model("new"), "--contract", contract)[1]["features"],
                         ("failed", "The model takes 3 features, and its contract says 45."))

    def test_predictions_that_are_not_finite_fail(self):
        broken = LinearRegression().fit(self.rows, self.labels)
        rows = self.home / "rows.npz"
        broken.coef_ = numpy.array([1e308, 1e308, 1e308])
        numpy.savez(rows, X=numpy.full((4, 3), 9.0))
        self.assertEqual(self.run_gate(self.model("new", broken), "--inputs", rows)[1]["predictions"],
                         ("failed", "4 of 4 predictions are not finite."))

    def test_what_the_gate_cannot_read_is_a_mistake_of_its_caller(self):
        rows = self.home / "rows.json"
        rows.write_text("{}")
        for arguments in (("--rule", "f1 >="), ("--held-out", rows), ("--inputs", self.home / "none.csv")):
            code, checks, said = self.run_gate(self.home, *arguments)
            self.assertEqual((code, checks), (2, {}), said)
            self.assertIn("gate: ", said)


if __name__ == "__main__":
    unittest.main()
