#!/usr/bin/python3
"""Decides whether a model may be rolled out: checks that each say passed, failed or not run, and why.

The candidate, and the current model where there is one, are loaded by the very server that would serve them, each in a
process of its own, and asked over loopback. Exit code 0: may be rolled out; 1: may not; 2: called wrongly.
"""
from __future__ import annotations

import argparse
import csv
import http.client
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

PASSED, FAILED, NOT_RUN = "passed", "failed", "not run"
MODEL_SUFFIXES = (".joblib", ".pkl", ".pickle")
# Without these nothing is known about a model: that one did not run is as bad as a failure.
ALWAYS_REQUIRED = ("file", "one-model-file", "size", "load", "predictions")
BATCH = 500
MOST_ROWS = 100_000
MOST_FILE_BYTES = 256 << 20


@dataclass(frozen=True)
class Check:
    name: str
    state: str
    message: str
    seconds: float = 0.0


class Unusable(Exception):
    """The gate itself was given something that it cannot work with: exit code 2."""


class Failed(Exception):
    """A check that failed, in words."""


class NotRun(Exception):
    """A check that had nothing to look at, in words."""


# --- Rules: a part of CEL ---------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|"
                   r"(&&|\|\||<=|>=|==|!=|[-+*/<>!()]))")


class RuleError(Exception):
    pass


class Rule:
    """`f1 >= baseline.f1 - 0.02 && recall >= 0.8`: numbers, names, arithmetic, comparison, logic. Nothing is called."""

    LEVELS: tuple[tuple[str, ...], ...] = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"))

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self.read(text))
        self.at = 0
        self.depth = 0
        self.tree = self.binary(0)
        if self.at < len(self.tokens):
            raise RuleError(f"rule {text!r}: {self.tokens[self.at][1]!r} is too much")

    @staticmethod
    def read(text: str) -> Iterator[tuple[str, str]]:
        if len(text) > 1000:
            raise RuleError("a rule has at most 1000 characters")
        at = 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if match is None:
                raise RuleError(f"rule {text!r}: cannot read {text[at:].strip()[:20]!r}")
            yield ("number", "name", "sign")[match.lastindex - 1], match.group(match.lastindex)  # type: ignore[operator]
            at = match.end()

    def next_is(self, signs: tuple[str, ...]) -> str | None:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def binary(self, level: int) -> Any:
        if level == len(self.LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while sign := self.next_is(self.LEVELS[level]):
            left = (sign, left, self.binary(level + 1))
        return left

    def unary(self) -> Any:
        self.depth += 1
        if self.depth > 50:
            raise RuleError(f"rule {self.text!r} is nested too deeply")
        try:
            if sign := self.next_is(("!", "-")):
                return (sign, self.unary())
            if self.next_is(("(",)):
                inner = self.binary(0)
                if not self.next_is((")",)):
                    raise RuleError(f"rule {self.text!r}: a ) is missing")
                return inner
            if self.at == len(self.tokens) or self.tokens[self.at][0] == "sign":
                raise RuleError(f"rule {self.text!r}: a number or a name is missing")
            kind, token = self.tokens[self.at]
            self.at += 1
            return float(token) if kind == "number" else {"true": True, "false": False}.get(token, token)
        finally:
            self.depth -= 1

    def names(self) -> set[str]:
        return {token for kind, token in self.tokens if kind == "name" and token not in ("true", "false")}

    def holds(self, values: dict[str, float]) -> bool:
        result = self.value(self.tree, values)
        if not isinstance(result, bool):
            raise RuleError(f"rule {self.text!r} is a number, not a comparison")
        return result

    def value(self, tree: Any, values: dict[str, float]) -> Any:
        if isinstance(tree, (bool, float)):
            return tree
        if isinstance(tree, str):
            return values[tree]
        sign, *sides = tree
        if sign in ("&&", "||", "!"):
            truths = (self.of(bool, side, values) for side in sides)  # the second only if it matters
            return not next(truths) if sign == "!" else all(truths) if sign == "&&" else any(truths)
        numbers = [self.of(float, side, values) for side in sides]
        if sign == "/" and numbers[1] == 0:
            raise RuleError(f"rule {self.text!r} divides by zero")
        return OPERATORS[sign](*numbers)

    def of(self, kind: type, tree: Any, values: dict[str, float]) -> Any:
        value = self.value(tree, values)
        if isinstance(value, bool) != (kind is bool):
            raise RuleError(f"rule {self.text!r} mixes numbers and truth")
        return value


OPERATORS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b=None: -a if b is None else a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}


# --- Data -------------------------------------------------------------------------------------------------------------


class Data(NamedTuple):
    rows: list[Any]
    labels: list[Any] | None


def read_data(path: Path, target: str) -> Data:
    """CSV with a header, JSON {"instances", "labels"} or npz with X and y."""
    if not path.is_file():
        raise Unusable(f"There is no file {path}.")
    if path.stat().st_size > MOST_FILE_BYTES:
        raise Unusable(f"{path} has {path.stat().st_size} bytes; at most {MOST_FILE_BYTES} are read.")
    try:
        data = {".csv": read_csv, ".json": read_json, ".npz": read_npz}[path.suffix](path, target)
    except KeyError as failure:
        raise Unusable(f"{path} has to be .csv, .json with instances or .npz with X: {failure} is missing.") from failure
    except (ValueError, TypeError, AttributeError, IndexError, OSError) as failure:
        raise Unusable(f"Cannot read {path}: {failure}") from failure
    if not data.rows:
        raise Unusable(f"{path} has no rows.")
    if len(data.rows) > MOST_ROWS:
        raise Unusable(f"{path} has {len(data.rows)} rows; at most {MOST_ROWS} are looked at.")
    if data.labels is not None and len(data.labels) != len(data.rows):
        raise Unusable(f"{path} has {len(data.rows)} rows and {len(data.labels)} labels.")
    return data


def number(text: str) -> Any:
    try:
        return int(text) if re.fullmatch(r"-?\d{1,18}", text) else float(text)
    except ValueError:
        return text


def read_csv(path: Path, target: str) -> Data:
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        header = next(lines, [])
        at = header.index(target) if target in header else None
        rows, labels = [], []
        for line in lines:
            if len(line) != len(header):
                raise ValueError(f"line {lines.line_num} has {len(line)} values, the header has {len(header)}")
            rows.append([number(value) for index, value in enumerate(line) if index != at])
            if at is not None:
                labels.append(number(line[at]))
    return Data(rows, None if at is None else labels)


def read_json(path: Path, _: str) -> Data:
    document = json.loads(path.read_text(encoding="utf-8"))
    return Data(document["instances"], document.get("labels"))


def read_npz(path: Path, _: str) -> Data:
    import numpy

    with numpy.load(path, allow_pickle=False) as arrays:
        return Data(arrays["X"].tolist(), arrays["y"].tolist() if "y" in arrays else None)


def read_object(path: Path) -> dict[str, Any] | None:
    """None where there is none."""
    if not path.is_file():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8")) if path.stat().st_size < 4 << 20 else None
    except ValueError as failure:
        raise Failed(f"{path.name} is not JSON: {failure}") from failure
    if not isinstance(document, dict):
        raise Failed(f"{path.name} is not a JSON object of a reasonable size.")
    return document


def numbers_of(document: dict[str, Any] | None) -> dict[str, float]:
    """Of metrics.json, flat or below 'metrics'."""
    inner = (document or {}).get("metrics", document or {})
    return {name: float(value) for name, value in inner.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)} if isinstance(inner, dict) else {}


def scores(labels: list[Any], predictions: list[Any]) -> dict[str, float]:
    """What scikit-learn measures. Labels that are whole numbers or names are classes, others are values."""
    from sklearn import metrics

    if any(isinstance(value, float) and not value.is_integer() for value in labels):
        return {"mae": float(metrics.mean_absolute_error(labels, predictions)),
                "mse": float(metrics.mean_squared_error(labels, predictions)),
                "r2": float(metrics.r2_score(labels, predictions))}
    kinds = sorted(set(map(str, labels)) | set(map(str, predictions)))
    # Of two classes the rare one is what is looked for, as -1 is for outliers; of more, each counts the same.
    texts = list(map(class_name, labels)), list(map(class_name, predictions))
    rare = min(sorted(set(texts[0])), key=texts[0].count)
    how = {"average": "binary", "pos_label": rare} if len(set(texts[0]) | set(texts[1])) == 2 and len(kinds) >= 2 else {
        "average": "macro"}
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(*texts, zero_division=0, **how)
    return {"accuracy": float(metrics.accuracy_score(*texts)), "precision": float(precision), "recall": float(recall),
            "f1": float(f1)}


def class_name(label: Any) -> str:
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


# --- A model, served ----------------------------------------------------------------------------------------------------


class Served:
    """The server in a process of its own, with nothing in its environment that it was not given."""

    def __init__(self, predictor: Path, directory: Path, timeout: float) -> None:
        passed_on = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "MODEL_ALLOW_ANY_CLASS")
                     if name in os.environ}
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(predictor), "--model_name", "candidate", "--model_dir", str(directory),
             "--http_port", "0", "--address", "127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said, env=passed_on)
        self.connection: http.client.HTTPConnection | None = None
        try:
            self.wait_until_ready(timeout)
        except BaseException:
            self.close()
            raise

    def wait_until_ready(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            said = self.text()
            if self.process.poll() is not None:
                reason = said.strip().splitlines()[-1:] or [f"it ended with code {self.process.returncode}"]
                raise Failed(reason[0].removeprefix("error: "))
            if " is ready: " in said and (port := re.search(r"^listening on \S+:(\d+)$", said, re.MULTILINE)):
                self.connection = http.client.HTTPConnection("127.0.0.1", int(port.group(1)), timeout=60)
                return
            time.sleep(0.02)
        raise Failed(f"The model was not loaded within {timeout:g} s.")

    def text(self) -> str:
        return os.pread(self.said.fileno(), 1 << 16, 0).decode(errors="replace")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        assert self.connection is not None
        try:
            self.connection.request(method, path, None if body is None else json.dumps(body),
                                    {"Content-Type": "application/json"})
            response = self.connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, http.client.HTTPException) as failure:
            raise Failed(f"The model's process did not answer: {type(failure).__name__} {failure}") from failure
        if response.status != 200:
            raise Failed(str(answer.get("error", answer)))
        return answer

    def predict(self, rows: list[Any]) -> list[Any]:
        answers: list[Any] = []
        for begin in range(0, len(rows), BATCH):
            answers += self.ask("POST", "/v1/models/candidate:predict", {"instances": rows[begin:begin + BATCH]})[
                "predictions"]
        return answers

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.process.kill()
        self.process.wait()
        self.said.close()


# --- The checks ---------------------------------------------------------------------------------------------------------


@dataclass
class Gate:
    """Runs check after check; what one found out is there for the next."""

    options: argparse.Namespace
    rules: list[Rule]
    held_out: Data | None
    inputs: Data | None
    checks: list[Check] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    baseline: dict[str, float] = field(default_factory=dict)
    file: Path | None = None
    candidate: Served | None = None
    current: Served | None = None
    sample: list[Any] = field(default_factory=list)
    predictions: list[Any] | None = None

    def check(self, name: str, look: Callable[[], str]) -> None:
        begun = time.monotonic()
        try:
            state, message = PASSED, look()
        except Failed as failure:
            state, message = FAILED, str(failure)
        except NotRun as failure:
            state, message = NOT_RUN, str(failure)
        self.checks.append(Check(name, state, message[:1000], round(time.monotonic() - begun, 4)))

    def run(self) -> None:
        try:
            self.check("file", self.look_at_file)
            self.check("one-model-file", self.look_at_directory)
            self.check("size", self.look_at_size)
            self.check("load", self.look_at_load)
            self.check("libraries", self.look_at_libraries)
            self.check("features", self.look_at_features)
            self.check("predictions", self.look_at_predictions)
            self.check("latency", self.look_at_latency)
            self.check("shadow", self.look_at_shadow)
            self.check("metrics", self.look_at_metrics)
            for rule in self.rules:
                self.check(f"rule: {rule.text}", lambda: self.look_at_rule(rule))
        finally:
            for served in (self.candidate, self.current):
                if served is not None:
                    served.close()

    def models(self) -> list[Path]:
        directory = Path(self.options.model_dir)
        return sorted(entry for entry in directory.iterdir() if entry.is_file() and entry.name.endswith(MODEL_SUFFIXES))

    def look_at_file(self) -> str:
        directory = Path(self.options.model_dir)
        if not directory.is_dir():
            raise Failed(f"There is no directory {directory}.")
        files = self.models()
        if not files:
            raise Failed(f"Model file not found in {directory}: one that ends in {', '.join(MODEL_SUFFIXES)} is needed.")
        self.file = files[0]
        return str(self.file)

    def needs_file(self) -> Path:
        if self.file is None:
            raise NotRun("there is no model file")
        return self.file

    def look_at_directory(self) -> str:
        self.needs_file()
        if len(files := self.models()) > 1:
            raise Failed(f"More than one model file: {', '.join(file.name for file in files)}. A server refuses these.")
        return files[0].name

    def look_at_size(self) -> str:
        size = self.facts["size-bytes"] = self.needs_file().stat().st_size
        if size < self.options.min_bytes:
            raise Failed(f"{size} bytes are too few (at least {self.options.min_bytes}): likely corrupted.")
        if size > self.options.max_bytes:
            raise Failed(f"{size} bytes are too many (at most {self.options.max_bytes}).")
        return f"{size} bytes"

    def look_at_load(self) -> str:
        self.needs_file()
        if any(check.state == FAILED for check in self.checks):
            raise NotRun("the file is not as it should be")
        self.candidate = Served(self.options.predictor, Path(self.options.model_dir), self.options.load_timeout)
        known = self.candidate.ask("GET", "/internal/model")
        self.facts |= {"model-class": known["class"], "feature-count": known["features"], "libraries": known["libraries"],
                       "load-seconds": round(known["seconds"]["load"], 4), "feature-names": known["featureNames"]}
        return f"{known['class']} in {known['seconds']['load']:.2f} s"

    def needs_candidate(self) -> Served:
        if self.candidate is None:
            raise NotRun("the model was not loaded")
        return self.candidate

    def look_at_libraries(self) -> str:
        """A pickle is good for the libraries that wrote it: trees of another minor version of scikit-learn do not load,
        and what does load may predict otherwise."""
        self.needs_candidate()
        document = read_object(Path(self.options.model_dir) / "environment.json")
        if document is None:
            raise NotRun("there is no environment.json beside the model that says what it was trained with")
        trained = document.get("libraries", document.get("packages", document))
        trained = {{"sklearn": "scikit-learn"}.get(name, name): str(version) for name, version in trained.items()}
        serving: dict[str, str] = self.facts["libraries"]
        shared = [name for name in serving if name in trained]
        if "scikit-learn" not in shared:
            raise Failed("environment.json does not say the version of scikit-learn.")
        other = [f"{name} {trained[name]} (serving: {serving[name]})" for name in shared
                 if trained[name].split(".")[:2] != serving[name].split(".")[:2]]
        if other:
            raise Failed(f"Trained with other versions than it would be served with: {', '.join(other)}.")
        return ", ".join(f"{name} {serving[name]}" for name in shared)

    def look_at_features(self) -> str:
        self.needs_candidate()
        document = read_object(Path(self.options.contract)) if self.options.contract else {}
        if document is None:
            raise Failed(f"There is no contract {self.options.contract}.")
        names = document.get("names")
        declared = self.options.features or document.get("features") or (len(names) if names else None)
        if declared is None:
            raise NotRun("no contract says how many features there are: --features or --contract")
        found = self.facts["feature-count"]
        if found != declared:
            raise Failed(f"The model takes {found} features, and its contract says {declared}.")
        if names and self.facts["feature-names"] and names != self.facts["feature-names"]:
            raise Failed("The model's features have other names or another order than its contract.")
        return f"{found} features"

    def rows(self) -> list[Any]:
        """What was given, or ten rows that are the same in every run."""
        import random

        given = self.inputs or self.held_out
        if given is not None:
            return given.rows
        if not self.facts["feature-count"]:
            raise NotRun("how many features there are is not known: give rows with --inputs or --held-out")
        chance = random.Random(self.options.seed)
        return [[chance.random() for _ in range(self.facts["feature-count"])] for _ in range(10)]

    def look_at_predictions(self) -> str:
        candidate, self.sample = self.needs_candidate(), self.rows()
        begun = time.monotonic()
        answers = candidate.predict(self.sample)
        self.facts["predict-seconds"] = round(time.monotonic() - begun, 4)
        if len(answers) != len(self.sample):
            raise Failed(f"{len(self.sample)} rows were answered with {len(answers)} predictions.")
        # The server writes null for what is not finite.
        if wrong := sum(1 for answer in answers if not is_finite(answer)):
            raise Failed(f"{wrong} of {len(answers)} predictions are not finite.")
        self.predictions = answers
        return f"{len(answers)} predictions, all finite"

    def look_at_latency(self) -> str:
        candidate = self.needs_candidate()
        if self.predictions is None:
            raise NotRun("there are no predictions")
        taken = []
        for index in range(50):
            begun = time.monotonic()
            candidate.predict([self.sample[index % len(self.sample)]])
            taken.append((time.monotonic() - begun) * 1000)
        taken.sort()
        p50, p99 = taken[25], taken[-1]
        self.facts["latency-p50-ms"], self.facts["latency-p99-ms"] = round(p50, 2), round(p99, 2)
        if self.options.max_latency_ms is None:
            raise NotRun(f"no limit was given (--max-latency-ms); measured p50 {p50:.1f} ms, p99 {p99:.1f} ms")
        if p99 > self.options.max_latency_ms:
            raise Failed(f"p99 {p99:.1f} ms is over {self.options.max_latency_ms:g} ms.")
        return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"

    def look_at_shadow(self) -> str:
        if not self.options.current_dir or not Path(self.options.current_dir).is_dir():
            raise NotRun("there is no current model yet")
        if self.predictions is None:
            raise NotRun("there are no predictions to compare")
        try:
            self.current = Served(self.options.predictor, Path(self.options.current_dir), self.options.load_timeout)
            before = self.current.predict(self.sample)
        except Failed as failure:  # a current model that is broken is no reason to keep it
            raise NotRun(f"the current model cannot be asked: {failure}") from failure
        other = sum(1 for old, new in zip(before, self.predictions) if differs(old, new, self.options.shadow_tolerance))
        share = self.facts["shadow-disagreement"] = round(other / len(before), 4)
        found = f"{other} of {len(before)} predictions differ from the current model's"
        if self.options.max_disagreement is None:
            raise NotRun(f"no limit was given (--max-disagreement); {found}")
        if share > self.options.max_disagreement:
            raise Failed(f"{found}: {share:g} is over {self.options.max_disagreement:g}.")
        return found

    def look_at_metrics(self) -> str:
        """Measured on the held-out set, for both; otherwise what their own metrics.json say."""
        candidate = self.needs_candidate()
        self.metrics = numbers_of(read_object(Path(self.options.model_dir) / "metrics.json"))
        if self.options.baseline:
            self.baseline = numbers_of(read_object(Path(self.options.baseline)))
        elif self.options.current_dir:
            self.baseline = numbers_of(read_object(Path(self.options.current_dir) / "metrics.json"))
        if self.held_out is not None and self.held_out.labels is not None:
            self.metrics |= scores(self.held_out.labels, candidate.predict(self.held_out.rows))
            if self.current is not None:
                self.baseline |= scores(self.held_out.labels, self.current.predict(self.held_out.rows))
        if not self.metrics:
            raise NotRun("there is neither a held-out set with labels nor a metrics.json")
        return ", ".join(f"{name} {value:.4g}" for name, value in sorted(self.metrics.items()))

    def look_at_rule(self, rule: Rule) -> str:
        self.needs_candidate()
        values = {**self.metrics, **{f"candidate.{name}": value for name, value in self.metrics.items()},
                  **{f"baseline.{name}": value for name, value in self.baseline.items()}}
        used = sorted(rule.names())
        if not self.baseline and any(name.startswith("baseline.") for name in used):
            raise NotRun("there is no baseline yet")
        if missing := [name for name in used if name not in values]:
            raise Failed(f"There is no metric {', '.join(missing)}. There are {', '.join(sorted(values)) or 'none'}.")
        shown = ", ".join(f"{name} = {values[name]:.4g}" for name in used)
        try:
            if rule.holds(values):
                return shown
        except RuleError as failure:
            raise Failed(str(failure)) from failure
        raise Failed(shown)

    def verdict(self) -> str:
        """A check that did not run is no pass: those that are required count as failed."""
        required = {*ALWAYS_REQUIRED, *self.options.require}
        bad = [check for check in self.checks if check.state == FAILED
               or check.state == NOT_RUN and (check.name in required or "all" in required)]
        return FAILED if bad else PASSED


def is_finite(answer: Any) -> bool:
    if isinstance(answer, list):
        return all(map(is_finite, answer))
    return answer is not None and not (isinstance(answer, float) and not math.isfinite(answer))


def differs(old: Any, new: Any, tolerance: float) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(differs(a, b, tolerance) for a, b in zip(old, new))
    if isinstance(old, float) and isinstance(new, (int, float)):
        return abs(old - new) > tolerance * max(1.0, abs(old))
    return bool(old != new)


# --- Telling ------------------------------------------------------------------------------------------------------------


def report_of(gate: Gate) -> dict[str, Any]:
    return {"verdict": gate.verdict(), "modelDirectory": str(gate.options.model_dir),
            "file": gate.file.name if gate.file else None, "checks": [asdict(check) for check in gate.checks],
            "metrics": gate.metrics, "baseline": gate.baseline, "facts": gate.facts}


def table_of(report: dict[str, Any]) -> str:
    lines = [f"{check['state']:<8} {check['name']:<16} {check['message']}" for check in report["checks"]]
    if report["metrics"]:
        lines += ["", f"{'METRIC':<20} {'CURRENT':>10} {'NEW':>10}"]
        for name, value in sorted(report["metrics"].items()):
            old = report["baseline"].get(name)
            lines.append(f"{name:<20} {'-' if old is None else format(old, '.4g'):>10} {value:>10.4g}")
    return "\n".join([*lines, "", f"The model {report['verdict']} the gate." if report["verdict"] == PASSED
                      else "The model failed the gate and must not be rolled out."])


def write_results(report: dict[str, Any], directory: Path) -> None:
    """Tekton's results: one small file each."""
    facts = report["facts"]
    texts = {"verdict": report["verdict"],
             "failed-checks": ", ".join(check["name"] for check in report["checks"] if check["state"] == FAILED)[:500],
             "not-run-checks": ", ".join(check["name"] for check in report["checks"] if check["state"] == NOT_RUN)[:500],
             "metrics": json.dumps(report["metrics"])[:1000],
             **{name: str(facts.get(name, "")) for name in ("size-bytes", "model-class", "feature-count", "load-seconds",
                                                            "predict-seconds", "latency-p99-ms", "shadow-disagreement")}}
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8")


def write_report(report: dict[str, Any], path: Path) -> None:
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(path)


def options_from(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gate", description=__doc__, allow_abbrev=False)
    parser.add_argument("--model-dir", required=True, help="the candidate's directory")
    parser.add_argument("--current-dir", help="the directory of the model that serves now")
    parser.add_argument("--features", type=int, help="how many features the contract declares")
    parser.add_argument("--contract", help='a JSON file: {"features": 45, "names": […]}')
    parser.add_argument("--held-out", type=Path, help="rows with labels that training has not seen: .csv, .json or .npz")
    parser.add_argument("--target", default="label", help="the column of a CSV that holds the labels")
    parser.add_argument("--inputs", type=Path, help="rows to predict, such as recorded ones")
    parser.add_argument("--baseline", help="a metrics.json to compare with, instead of the current model's")
    parser.add_argument("--rule", action="append", default=[], help="such as 'f1 >= baseline.f1 - 0.02'; may be repeated")
    parser.add_argument("--min-bytes", type=int, default=1000)
    parser.add_argument("--max-bytes", type=int, default=2 << 30)
    parser.add_argument("--max-latency-ms", type=float)
    parser.add_argument("--max-disagreement", type=float, help="share of predictions that may differ from the current's")
    parser.add_argument("--shadow-tolerance", type=float, default=1e-6)
    parser.add_argument("--load-timeout", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--require", action="append", default=[], help="a check that has to run, or 'all'")
    parser.add_argument("--predictor", type=Path, default=Path(__file__).resolve().parent / "predictor.py")
    parser.add_argument("--report", type=Path, help="where the report goes, as JSON")
    parser.add_argument("--results-dir", type=Path, help="where Tekton's results go")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = options_from(arguments)
    try:
        if not options.predictor.is_file():
            raise Unusable(f"There is no {options.predictor}; --predictor says where the server is.")
        rules = [Rule(text) for text in options.rule]
        gate = Gate(options, rules, *(read_data(path, options.target) if path else None
                                      for path in (options.held_out, options.inputs)))
    except (Unusable, RuleError) as failure:
        print(f"gate: {failure}", file=sys.stderr)
        return 2
    gate.run()
    report = report_of(gate)
    print(table_of(report), flush=True)
    if options.report:
        write_report(report, options.report)
    if options.results_dir:
        write_results(report, options.results_dir)
    return 0 if report["verdict"] == PASSED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
