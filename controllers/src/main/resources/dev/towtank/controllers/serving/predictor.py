#!/usr/bin/python3
"""Serves one scikit-learn model from a directory, by KServe's protocols v1 and v2.

It listens at once and says 503 until the model is loaded and has answered a prediction; a model that cannot do that ends
the process with code 1 and the reason on stderr and in the termination log. SIGTERM lets what runs finish.
What is on /internal is for the platform: what was loaded, and statistics of what was asked and answered.
"""
from __future__ import annotations

import argparse
import ctypes
import errno
import io
import json
import math
import os
import pickle
import re
import signal
import socket
import struct
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Callable, Iterator
from urllib.parse import unquote

MODEL_SUFFIXES = (".joblib", ".pkl", ".pickle")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
DATATYPES = {"BOOL": "?", "INT8": "i1", "INT16": "i2", "INT32": "i4", "INT64": "i8", "UINT8": "u1", "UINT16": "u2",
             "UINT32": "u4", "UINT64": "u8", "FP16": "f2", "FP32": "f4", "FP64": "f8", "BYTES": "O"}
SETTLED_SECONDS = 1.0
JSON_LENGTH = "inference-header-content-length"


class Failure(Exception):
    """What a caller is told, with its HTTP status."""

    def __init__(self, status: int, text: str, body: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.body = body or {"error": text}


class LoadFailure(Exception):
    """Why the model is not served."""


# --- What a pickle may name -------------------------------------------------------------------------------------------

# Each can be had without side effects. getattr, type, eval and what imports by name are missing on purpose.
SAFE_NAMES = {
    "builtins": "set frozenset dict list tuple int float complex bool str bytes bytearray slice range object",
    "collections": "OrderedDict defaultdict deque Counter",
    "copyreg": "_reconstructor",
    "_codecs": "encode",
    "datetime": "datetime date time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "functools": "partial",
    "numpy": "ndarray dtype matrix",
    "numpy.core.multiarray": "_reconstruct scalar",
    "numpy.core.numeric": "_frombuffer",
    "numpy._core.multiarray": "_reconstruct scalar",
    "numpy._core.numeric": "_frombuffer",
    "numpy.ma.core": "MaskedArray _mareconstruct",
    "numpy.random": "RandomState Generator",
    "numpy.random._pickle": "__randomstate_ctor __generator_ctor __bit_generator_ctor",
    "numpy.random._mt19937": "MT19937",
    "numpy.random._pcg64": "PCG64",
    "numpy.random.bit_generator": "SeedSequence",
    "pandas.core.indexes.base": "Index _new_Index",
    "pandas.core.indexes.range": "RangeIndex",
}
# All that is defined below these, but for what reads files, opens connections or is for tests.
SAFE_PACKAGES = ("sklearn",)
SAFE_CLASSES_OF = ("scipy.sparse", "scipy.interpolate", "scipy.spatial")
UNSAFE_PACKAGES = re.compile(r"^sklearn\.(datasets|externals|conftest|setup)\b|\b_?(tests?|testing)\b")


def below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def is_safe(module: str, name: str, found: Any) -> bool:
    import numpy

    if name in SAFE_NAMES.get(module, "").split():
        return True
    if isinstance(found, numpy.ufunc) or isinstance(found, type) and issubclass(found, (numpy.generic, numpy.dtype)):
        return True
    # Where it is defined, not where it was found: a module also holds what it imports, such as os.
    home = getattr(found, "__module__", None) or ""
    if UNSAFE_PACKAGES.search(home) or UNSAFE_PACKAGES.search(module) or not callable(found):
        return False
    return below(home, SAFE_PACKAGES) or isinstance(found, type) and below(home, SAFE_CLASSES_OF)


def is_worth_importing(module: str) -> bool:
    """To import is to run: nothing outside of these is imported just to look at it."""
    return module in SAFE_NAMES or below(module, (*SAFE_PACKAGES, *SAFE_CLASSES_OF, "numpy"))


class Guard:
    """Before an unpickler in the order of its base classes."""

    def find_class(self, module: str, name: str) -> Any:
        if "." not in name and is_worth_importing(module):
            found = super().find_class(module, name)  # type: ignore[misc]
            if is_safe(module, name, found):
                return found
        raise LoadFailure(
            f"it names {module}.{name}, which is not on the list of what a model may be made of. Train a model without it,"
            " or set MODEL_ALLOW_ANY_CLASS=true if you trust whoever wrote this file: loading it runs its code")


class GuardedUnpickler(Guard, pickle._Unpickler):  # the one in C would read ahead, into the next array
    pass


def guarded_load(path: Path) -> Any:
    """What joblib.load does, with the list above."""
    from joblib import numpy_pickle

    class Arrays(numpy_pickle.NumpyArrayWrapper):
        def read_array(self, unpickler: Any) -> Any:
            if self.dtype.hasobject:  # joblib would call pickle.load here, past any list
                return GuardedUnpickler(unpickler.file_handle).load()
            return super().read_array(unpickler)

    class Guarded(Guard, numpy_pickle.NumpyUnpickler):
        def find_class(self, module: str, name: str) -> Any:
            if (module, name) == ("joblib.numpy_pickle", "NumpyArrayWrapper"):
                return Arrays
            return super().find_class(module, name)

    with open(path, "rb") as file, numpy_pickle._read_fileobject(file, str(path), None) as plain:
        if isinstance(plain, str):
            raise LoadFailure("it was written by a joblib older than 0.10. Save it again with a newer one")
        return Guarded(str(path), plain).load()


# --- The model --------------------------------------------------------------------------------------------------------


class Model:
    """A loaded model, and what is known about its inputs."""

    def __init__(self, path: Path, estimator: Any, probabilities: bool, features: int | None) -> None:
        self.path = path
        self.estimator = estimator
        self.ask = estimator.predict
        if probabilities and hasattr(estimator, "predict_proba"):
            self.ask = estimator.predict_proba
        self.features: int | None = getattr(estimator, "n_features_in_", features)
        names = getattr(estimator, "feature_names_in_", None)
        self.names: list[str] | None = None if names is None else [str(name) for name in names]
        self.seconds: dict[str, float] = {}
        self.output: dict[str, Any] = {}
        self.fingerprint = ""

    def contract(self) -> str:
        rows = f"rows of {self.features} features" if self.features else "rows"
        names = "" if not self.names else f" ({', '.join(self.names[:5])}{', …' if len(self.names) > 5 else ''})"
        return f"this model takes {rows}{names}"


def model_file(directory: Path) -> Path:
    if not directory.is_dir():
        raise LoadFailure(f"There is no directory {directory}. Check storageUri and what is in the volume.")
    files = sorted(entry for entry in directory.iterdir() if entry.is_file() and entry.name.endswith(MODEL_SUFFIXES))
    if not files:
        raise LoadFailure(f"No model file in {directory}: one that ends in {', '.join(MODEL_SUFFIXES)} is needed.")
    if len(files) > 1:
        raise LoadFailure("More than one model file is detected, Only one is allowed within model_dir: "
                          f"{[str(file) for file in files]}")
    return files[0]


def fingerprint(path: Path) -> str:
    """Another file, or the same one written anew, has another."""
    found = path.stat()
    return f"{path.name}-{found.st_ino}-{found.st_size}-{found.st_mtime_ns}"


def load_model(settings: argparse.Namespace) -> Model:
    path = model_file(Path(settings.model_dir))
    begun = time.monotonic()
    before = fingerprint(path)
    try:
        if settings.allow_any_class:
            import joblib

            estimator = joblib.load(path)
        else:
            estimator = guarded_load(path)
    except ModuleNotFoundError as failure:
        raise LoadFailure(f"Cannot load {path}: this Python has no {failure.name}. On Debian: apt-get install"
                          " python3-sklearn") from failure
    except Exception as failure:  # whatever a broken pickle may raise
        raise LoadFailure(f"Cannot load {path}: {describe(failure)}") from failure
    if not callable(getattr(estimator, "predict", None)):
        raise LoadFailure(f"{path} holds a {type(estimator).__name__}, which has no predict().")
    model = Model(path, estimator, settings.predict_proba, settings.features)
    model.fingerprint = before
    model.seconds["load"] = time.monotonic() - begun
    if settings.features is not None and model.features != settings.features:
        raise LoadFailure(f"{path} takes {model.features} features, and its contract says {settings.features}.")
    self_test(model)
    return model


def self_test(model: Model) -> None:
    """One prediction before any traffic: a model that loads may still not be able to answer."""
    example = model.path.parent / "input_example.json"
    begun = time.monotonic()
    try:
        if example.is_file():
            rows = rows_of(model, json.loads(example.read_text()))
        else:
            rows = rows_of(model, {"instances": [[0.0] * model.features] if model.features else ["self-test"]})
        result = as_array(model.ask(rows))
    except Exception as failure:
        raise LoadFailure(
            f"{model.path} was loaded, but its self-test failed: {describe(failure)}. If it cannot predict zeros, put an"
            f' {example.name} beside it: {{"instances": […]}}') from failure
    model.seconds["selfTest"] = time.monotonic() - begun
    if result.ndim == 0 or len(result) != len(rows):
        raise LoadFailure(f"{model.path} answered {len(rows)} rows with a result of shape {list(result.shape)}.")
    if result.dtype.kind == "f" and not (abs(result) < float("inf")).all():
        raise LoadFailure(f"{model.path} answered its self-test with a value that is not finite.")
    model.output = {"name": "output-0", "datatype": datatype_of(result), "shape": [-1, *result.shape[1:]]}


def describe(failure: BaseException) -> str:
    text = str(failure)
    return text if isinstance(failure, LoadFailure) else f"{type(failure).__name__}: {text}"


def libraries() -> dict[str, str]:
    versions = {"python": "%d.%d.%d" % sys.version_info[:3]}
    for name, module in (("scikit-learn", "sklearn"), ("numpy", "numpy"), ("scipy", "scipy"), ("joblib", "joblib")):
        if module in sys.modules:
            versions[name] = sys.modules[module].__version__
    return versions


# --- Requests into rows, results into answers ---------------------------------------------------------------------------


def as_array(result: Any) -> Any:
    import numpy

    return result.to_numpy() if hasattr(result, "to_numpy") else numpy.asarray(result)


def rows_of(model: Model, body: dict[str, Any]) -> Any:
    """Protocol v1. Names of the columns count where rows have them."""
    import numpy

    rows = body["inputs"] if "inputs" in body else body["instances"]
    if not isinstance(rows, list):
        raise TypeError('Expected "instances" to be a list')
    if rows and (isinstance(rows[0], dict) or isinstance(rows[0], list) and rows[0] and isinstance(rows[0][0], dict)):
        import pandas

        flat = [row for group in rows for row in (group if isinstance(group, list) else [group])]
        # {"a": [1, 2]} is two rows, as DataFrame reads it; {"a": 1} is one.
        frames = [pandas.DataFrame({name: value if isinstance(value, (list, dict)) else [value]
                                    for name, value in row.items()}) for row in flat]
        table = pandas.concat(frames, axis=0, ignore_index=True)
        # scikit-learn wants the order of training; in JSON, order means nothing.
        return table[model.names] if model.names and set(model.names) == set(table.columns) else table
    return rows if rows and isinstance(rows[0], str) else numpy.array(rows)


def text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def tensor_rows(request: dict[str, Any]) -> Any:
    """Protocol v2: the first input, or with content type pd each input as a column."""
    import numpy

    if (request.get("parameters") or {}).get("content_type") == "pd":
        import pandas

        return pandas.DataFrame({tensor["name"]: [text(value) for value in tensor["data"]]
                                 for tensor in request["inputs"]})
    first = request["inputs"][0]
    if first["datatype"].upper() == "BYTES" and first["data"] and isinstance(first["data"][0], str):
        return first["data"]
    dtype = DATATYPES.get(first["datatype"].upper())
    if dtype is None:
        raise Failure(400, f"invalid datatype {first['datatype']} in the input")
    return numpy.array(first["data"], dtype=dtype).reshape(first["shape"])


def datatype_of(array: Any) -> str:
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        return "FP64"
    return next((name for name, code in DATATYPES.items() if array.dtype == code), "BYTES")


def read_binary(tensor: dict[str, Any], raw: bytes) -> list[Any]:
    import numpy

    if tensor["datatype"].upper() != "BYTES":
        dtype = DATATYPES.get(tensor["datatype"].upper())
        if dtype is None:
            raise Failure(400, f"invalid datatype {tensor['datatype']} in the input")
        return numpy.frombuffer(raw, dtype="<" + dtype).tolist()
    values, stream = [], io.BytesIO(raw)
    while size := stream.read(4):
        values.append(stream.read(int.from_bytes(size, "little")).decode())
    return values


def parse_json(body: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON; use null for a value that is missing")

    try:
        return json.loads(body, parse_constant=refuse)
    except RecursionError as failure:
        raise Failure(400, "Unrecognized request format: it is nested too deeply") from failure
    except ValueError as failure:
        raise Failure(400, f"Unrecognized request format: {failure}") from failure


def parse_tensors(body: bytes, headers: Any) -> dict[str, Any]:
    json_length = headers.get(JSON_LENGTH)
    if json_length is None and "json" not in (headers.get("content-type") or "application/json"):
        raise Failure(400, f"received byte inputs, but the '{JSON_LENGTH}' header is missing.")
    if json_length is not None and not (json_length.isascii() and json_length.isdigit()):
        raise Failure(400, f"the '{JSON_LENGTH}' header is not a number: {json_length[:50]}")
    length = len(body) if json_length is None else min(int(json_length), len(body))
    request = parse_json(body[:length])
    problems = list(schema_problems(request))
    if problems:
        raise Failure(422, "schema", {"detail": problems})
    if (request.get("parameters") or {}).get("binary_data_output") or any(
            (output.get("parameters") or {}).get("binary_data") for output in request.get("outputs") or []):
        raise Failure(400, "binary_data_output is not supported: outputs are JSON. Leave binary_data_output and"
                      " binary_data out.")
    for tensor in request["inputs"]:
        size = (tensor.get("parameters") or {}).get("binary_data_size")
        if "data" in tensor and tensor["datatype"].upper() == "FP16" and tensor["data"]:
            raise Failure(400, "Sending FP16 data via JSON is not supported. Please use the binary data format for input "
                          + tensor["name"])
        if "data" not in tensor:
            if not isinstance(size, int) or size < 0 or length + size > len(body):
                raise Failure(400, f"'data' field is missing for input '{tensor['name']}'")
            tensor["data"] = read_binary(tensor, body[length:length + size])
            length += size
    return request


def schema_problems(request: Any) -> Iterator[dict[str, Any]]:
    """In the words of FastAPI's validator, which callers of KServe know."""

    def missing(*where: Any) -> dict[str, Any]:
        return {"type": "missing", "loc": ["body", "InferenceRequest", *where], "msg": "Field required"}

    def wrong(kind: str, *where: Any) -> dict[str, Any]:
        noun = {"list": "list", "string": "string", "dict": "dictionary", "int": "integer"}[kind]
        return {"type": f"{kind}_type", "loc": ["body", "InferenceRequest", *where],
                "msg": f"Input should be a valid {noun}"}

    if not isinstance(request, dict):
        yield wrong("dict")
        return
    if not isinstance(request.get("parameters") or {}, dict):
        yield wrong("dict", "parameters")
    inputs = request.get("inputs")
    if not isinstance(inputs, list) or not inputs:
        yield missing("inputs") if "inputs" not in request else wrong("list", "inputs")
        return
    for index, tensor in enumerate(inputs):
        if not isinstance(tensor, dict):
            yield wrong("dict", "inputs", index)
            continue
        for field, kind, of in (("name", str, "string"), ("shape", list, "list"), ("datatype", str, "string")):
            if not isinstance(tensor.get(field), kind):
                yield missing("inputs", index, field) if field not in tensor else wrong(of, "inputs", index, field)
        if not all(type(size) is int for size in tensor.get("shape") or []):
            yield wrong("int", "inputs", index, "shape")
        if not isinstance(tensor.get("parameters") or {}, dict):
            yield wrong("dict", "inputs", index, "parameters")
        if not isinstance(tensor.get("data", []), list):
            yield wrong("list", "inputs", index, "data")
    for index, output in enumerate(request.get("outputs") or []):
        if not isinstance(output, dict) or not isinstance(output.get("name"), str):
            yield missing("outputs", index, "name")


def plain(result: Any) -> Any:
    """As v1 answers: nested lists, or an object for each row of a table."""
    if hasattr(result, "to_dict"):
        return result.to_dict(orient="records")
    return result.tolist() if hasattr(result, "tolist") else list(result)


def tensor_answer(model_name: str, request: dict[str, Any], result: Any) -> dict[str, Any]:
    columns = {str(name): result[name].to_numpy() for name in result} if hasattr(result, "to_dict") else {
        "output-0": as_array(result)}
    wanted = [output["name"] for output in request.get("outputs") or []] or list(columns)
    outputs = []
    for name in wanted:
        if name not in columns:
            raise Failure(400, f"Unexpected inference output '{name}' for model '{model_name}'")
        values = columns[name]
        kind = datatype_of(values)
        flat = [str(value) for value in values.flatten()] if kind == "BYTES" else values.flatten().tolist()
        outputs.append({"name": name, "shape": list(values.shape), "datatype": kind, "parameters": None, "data": flat})
    return {"model_name": model_name, "model_version": None, "id": request.get("id") or str(uuid.uuid4()),
            "parameters": None, "outputs": outputs}


def json_bytes(value: Any) -> bytes:
    try:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode(errors="replace")
    except ValueError:  # not finite: null, as KServe writes it
        return json.dumps(finite(value), separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value


# --- What is counted --------------------------------------------------------------------------------------------------


class Durations:
    """A histogram in Prometheus' form, under KServe's names."""

    def __init__(self, name: str, help_text: str) -> None:
        self.name, self.help = name, help_text
        self.lock = threading.Lock()
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        with self.lock:
            self.sum += seconds
            self.counts[next((at for at, bound in enumerate(BUCKETS) if seconds <= bound), len(BUCKETS))] += 1

    def exposition(self, model_name: str) -> Iterator[str]:
        label = f'model_name="{escaped(model_name)}"'
        with self.lock:
            counts, total = list(self.counts), self.sum
        yield f"# HELP {self.name} {self.help}"
        yield f"# TYPE {self.name} histogram"
        seen = 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), counts):
            seen += count
            yield f'{self.name}_bucket{{le="{bound}",{label}}} {float(seen)}'
        yield f"{self.name}_count{{{label}}} {float(seen)}"
        yield f"{self.name}_sum{{{label}}} {total}"


class Statistics:
    """Histograms of features and predictions, never the values themselves. With the edges of the training profile
    (profile.json beside the model) where there is one, so that both can be compared bin by bin."""

    FEATURES = 512
    VALUES = 100  # of predictions that are names
    EDGES = (-1000.0, -100.0, -10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0, 100.0, 1000.0)

    def __init__(self, model: Model) -> None:
        import numpy

        profile = self.profile(model.path.parent / "profile.json")
        self.lock = threading.Lock()
        self.since = time.time()
        self.rows = 0
        # A model that does not say what it takes may have a profile that does.
        self.names = (model.names or [f"feature-{index}" for index in range(model.features or 0)]
                      or list(profile.get("features", {})))
        self.names = self.names[:self.FEATURES]
        edges = [profile.get("features", {}).get(name, self.EDGES) for name in self.names]
        longest = max(map(len, edges), default=0)
        self.edges = [list(row) for row in edges]
        # Padded with infinity, which nothing reaches: one comparison for all features.
        self.matrix = numpy.array([[*row, *[numpy.inf] * (longest - len(row))] for row in edges]).reshape(
            len(edges), longest)
        self.counts = numpy.zeros((len(self.names), longest + 1), dtype=numpy.int64)
        self.missing = numpy.zeros(len(self.names), dtype=numpy.int64)
        self.prediction_edges = list(profile.get("predictions", self.EDGES))
        self.prediction_counts = [0] * (len(self.prediction_edges) + 1)
        self.prediction_values: dict[str, int] = {}
        self.expected: dict[str, list[float]] = profile.get("expected", {})
        self.expected_predictions: dict[str, float] = profile.get("expected_predictions", {})
        self.drift_rows = int(os.environ.get("DRIFT_MIN_ROWS", "100"))
        self.window = float(os.environ.get("DRIFT_WINDOW_SECONDS", "3600"))
        # What was counted when the window before this one began, and when this one did: drift is what came since.
        self.marks = [self.mark(), self.mark()]

    @staticmethod
    def profile(path: Path) -> dict[str, Any]:
        """Edges by name. Of a profile that is not as expected, the rest of the model's life is not the victim."""
        try:
            document = json.loads(path.read_text()) if path.is_file() and path.stat().st_size < 4 << 20 else {}
            predictions = document.get("predictions", {})
            answers = predictions.get("values") or dict(enumerate(predictions.get("counts", [])))
            return {"features": {feature["name"]: sorted(map(float, feature["edges"]))[:64]
                                 for feature in document.get("features", [])},
                    "expected": {feature["name"]: list(map(float, feature["counts"]))
                                 for feature in document.get("features", []) if "counts" in feature},
                    "expected_predictions": {str(name): float(count) for name, count in answers.items()},
                    **({"predictions": sorted(map(float, document["predictions"]["edges"]))[:64]}
                       if "edges" in document.get("predictions", {}) else {})}
        except (ValueError, TypeError, KeyError, AttributeError) as failure:
            log(f"warning: {path} is ignored, as it is not a profile: {describe(failure)}")
            return {}

    def record(self, rows: Any, result: Any) -> None:
        import numpy

        values, answers = as_array(rows), as_array(result)
        with self.lock:
            self.rows += len(answers)
            self.record_predictions(answers)
        if values.ndim != 2 or values.shape[1] < len(self.names) or values.dtype.kind not in "biuf":
            return
        for begin in range(0, len(values), 1024):
            part = values[begin:begin + 1024, :len(self.names)].astype(float)
            bins = (part[:, :, None] >= self.matrix[None]).sum(-1)
            present = ~numpy.isnan(part)
            features = numpy.broadcast_to(numpy.arange(len(self.names)), part.shape)
            with self.lock:
                numpy.add.at(self.counts, (features[present], bins[present]), 1)
                self.missing += (~present).sum(0)

    def record_predictions(self, answers: Any) -> None:
        import numpy

        if answers.dtype.kind in "biuf" and answers.ndim == 1:
            if answers.dtype.kind == "f":
                bins = numpy.searchsorted(self.prediction_edges, answers, side="right")
                for index, count in zip(*numpy.unique(bins, return_counts=True)):
                    self.prediction_counts[index] += int(count)
                return
        elif answers.ndim != 1:
            return
        for value, count in zip(*numpy.unique(answers.astype(str), return_counts=True)):
            known = str(value)[:100]
            if known not in self.prediction_values and len(self.prediction_values) >= self.VALUES:
                known = "(others)"
            self.prediction_values[known] = self.prediction_values.get(known, 0) + int(count)

    def mark(self) -> tuple[float, int, Any, dict[str, int]]:
        return time.monotonic(), self.rows, self.counts.copy(), self.answers()

    def answers(self) -> dict[str, int]:
        binned = {str(index): count for index, count in enumerate(self.prediction_counts) if count}
        return {**binned, **self.prediction_values}

    def drift(self) -> Iterator[tuple[str, str, float]]:
        """How far what came in lately is from the training profile: the population stability index of each feature, and of
        the predictions. Nothing without a profile, and nothing of too few rows."""
        with self.lock:
            if time.monotonic() - self.marks[1][0] > self.window / 2:
                self.marks = [self.marks[1], self.mark()]
            _, rows, counts, answers = self.marks[0]
            since = self.rows - rows
            recent = (self.counts - counts).tolist()
            now = self.answers()
        if since < self.drift_rows:
            return
        for name, edges, found in zip(self.names, self.edges, recent):
            expected = self.expected.get(name, [])
            if len(expected) == len(edges) + 1:
                yield "model_psi", name, stability(expected, found[:len(expected)])
        if self.expected_predictions:
            names = sorted({*self.expected_predictions, *now})
            yield "model_prediction_drift", "", stability(
                [self.expected_predictions.get(name, 0.0) for name in names],
                [now.get(name, 0) - answers.get(name, 0) for name in names])

    def as_json(self) -> dict[str, Any]:
        with self.lock:
            features = [{"name": name, "edges": edges, "counts": counts[:len(edges) + 1], "missing": missing,
                         "expected": self.expected.get(name, [])}
                        for name, edges, counts, missing in
                        zip(self.names, self.edges, self.counts.tolist(), self.missing.tolist())]
            return {"since": self.since, "rows": self.rows, "features": features,
                    "predictions": {"edges": self.prediction_edges, "counts": list(self.prediction_counts),
                                    "values": dict(self.prediction_values), "expected": self.expected_predictions}}


def stability(expected: list[float], found: list[float]) -> float:
    """The population stability index: 0 for the same shares, above 0.2 for what people call drift."""
    total, seen, index = sum(expected) or 1.0, sum(found) or 1.0, 0.0
    for one, other in zip(expected, found):
        before, after = max(one / total, 1e-4), max(other / seen, 1e-4)
        index += (after - before) * math.log(after / before)
    return index


def escaped(text_value: str) -> str:
    return text_value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


# --- The server -------------------------------------------------------------------------------------------------------


class Predictor:
    """What is behind the paths. Without a model it is not ready; after /unload it has none."""

    def __init__(self, settings: argparse.Namespace) -> None:
        self.settings = settings
        self.name: str = settings.model_name
        self.model: Model | None = None
        self.statistics: Statistics | None = None
        self.unloaded = False
        self.draining = False
        self.loading = threading.Lock()
        self.places = threading.BoundedSemaphore(settings.max_concurrency)
        self.preprocess = Durations("request_preprocess_seconds", "pre-process request latency")
        self.postprocess = Durations("request_postprocess_seconds", "post-process request latency")
        self.predict_time = Durations("request_predict_seconds", "predict request latency")
        self.explain_time = Durations("request_explain_seconds", "explain request latency")

    def load(self) -> None:
        with self.loading:
            model = load_model(self.settings)
            self.statistics = Statistics(model)
            self.model, self.unloaded = model, False

    def known(self, name: str) -> None:
        if name != self.name or self.unloaded:
            raise Failure(404, f"Model with name {name} does not exist.")

    def ready(self, name: str) -> Model:
        self.known(name)
        if self.model is None:
            raise Failure(503, f"Model with name {name} is not ready.")
        return self.model

    def answer(self, name: str, decode: Callable[[Model], Any], encode: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        model = self.ready(name)
        self.preprocess.observe(0.0)  # KServe counts a step that models without a transformer do not have
        if not self.places.acquire(timeout=self.settings.queue_seconds):
            raise Failure(503, f"Model with name {name} is busy: no place became free in {self.settings.queue_seconds:g} s."
                          " Try again, or add replicas.")
        begun = time.monotonic()
        try:
            rows = decode(model)
            result = model.ask(rows)
            response = encode(result)
        except Failure:
            raise
        except Exception as failure:  # KServe calls each of these an inference error, a caller's mistake too
            raise Failure(500, f"{failure} ({model.contract()})") from failure
        finally:
            self.predict_time.observe(time.monotonic() - begun)
            self.places.release()
        begun = time.monotonic()
        try:
            if self.statistics is not None:
                self.statistics.record(rows, result)
        except Exception as failure:  # to count must not cost an answer
            log(f"warning: a prediction is missing in the statistics: {describe(failure)}")
        self.postprocess.observe(time.monotonic() - begun)
        return response

    # Each takes what the path names and the request, and answers what becomes JSON.

    def v1_models(self, _: Any) -> dict[str, Any]:
        return {"models": [] if self.unloaded else [self.name]}

    def model_ready(self, _: Any, name: str) -> dict[str, Any]:
        self.ready(name)
        return {"name": name, "ready": True}

    def v1_predict(self, request: Any, name: str) -> dict[str, Any]:
        self.ready(name)
        body = parse_json(request.body())
        if not isinstance(body, dict):
            raise Failure(400, 'Unrecognized request format: expected an object with "instances"')
        return self.answer(name, lambda model: rows_of(model, body), lambda result: {"predictions": plain(result)})

    def v1_explain(self, request: Any, name: str) -> dict[str, Any]:
        self.ready(name)
        raise Failure(501, "Could not find explainer_host.")

    def v2_server(self, _: Any) -> dict[str, Any]:
        return {"name": "kserve", "version": "0.20.0", "extensions": ["model_repository_extension"]}

    def v2_ready(self, _: Any) -> dict[str, Any]:
        if self.model is None or self.draining:  # KServe says true without a model
            raise Failure(503, "Server is not ready.")
        return {"ready": True}

    def v2_metadata(self, _: Any, name: str) -> dict[str, Any]:
        model = self.ready(name)
        inputs = [{"name": "input-0", "datatype": "FP64", "shape": [-1, model.features]}] if model.features else []
        return {"name": name, "versions": None, "platform": "", "inputs": inputs, "outputs": [model.output]}

    def v2_infer(self, request: Any, name: str) -> dict[str, Any]:
        self.ready(name)
        tensors = parse_tensors(request.body(), request.headers)
        return self.answer(name, lambda _: tensor_rows(tensors), lambda result: tensor_answer(name, tensors, result))

    def v2_load(self, _: Any, name: str) -> dict[str, Any]:
        if name != self.name:
            raise Failure(404, f"Model with name {name} does not exist.")
        try:
            self.load()
        except LoadFailure as failure:
            raise Failure(503, f"Model with name {name} is not ready. {failure}") from failure
        return {"name": name, "load": True}

    def v2_unload(self, _: Any, name: str) -> dict[str, Any]:
        self.known(name)
        self.model, self.unloaded = None, True
        return {"name": name, "unload": True}

    def versions(self, _: Any, *__: str) -> dict[str, Any]:
        raise Failure(501, "Model versioning not supported yet.")

    def metrics(self, _: Any) -> bytes:
        shown = (self.preprocess, self.postprocess, self.predict_time, self.explain_time)
        lines = [line for each in shown for line in each.exposition(self.name)]
        known: set[str] = set()
        for name, feature, value in self.statistics.drift() if self.statistics else ():
            if name not in known:
                known.add(name)
                lines.append(f"# TYPE {name} gauge")
            which = f',feature="{escaped(feature)}"' if feature else ""
            lines.append(f'{name}{{model="{escaped(self.name)}"{which}}} {value:.6f}')
        return "".join(line + "\n" for line in lines).encode()

    def described(self, _: Any) -> dict[str, Any]:
        model = self.ready(self.name)
        kind = type(model.estimator)
        return {"name": self.name, "file": model.path.name, "class": f"{kind.__module__}.{kind.__qualname__}",
                "features": model.features, "featureNames": model.names, "output": model.output,
                "seconds": model.seconds, "libraries": libraries()}

    def compared(self, _: Any) -> dict[str, Any]:
        """Which file was loaded, and which one lies in its place now; one that was just written may still be."""
        model = self.ready(self.name)
        try:
            path = model_file(Path(self.settings.model_dir))
            now = fingerprint(path)
            settled = time.time() - path.stat().st_mtime > SETTLED_SECONDS
        except (LoadFailure, OSError):  # none, or two: somebody is at work
            settled, now = False, ""
        return {"loaded": model.fingerprint, "now": now if settled else model.fingerprint}

    def counted(self, _: Any) -> dict[str, Any]:
        self.ready(self.name)
        assert self.statistics is not None
        return {"model": self.name, **self.statistics.as_json()}


NAME = r"/([^/:]+)"
ROUTES: tuple[tuple[str, re.Pattern[str], Callable[..., Any]], ...] = tuple(
    (method, re.compile(pattern), action) for method, pattern, action in (
        ("GET", r"/", lambda *_: {"status": "alive"}),
        ("GET", r"/metrics", Predictor.metrics),
        ("GET", r"/v1/models", Predictor.v1_models),
        ("GET", r"/v1/models" + NAME, Predictor.model_ready),
        ("POST", r"/v1/models" + NAME + ":predict", Predictor.v1_predict),
        ("POST", r"/v1/models" + NAME + ":explain", Predictor.v1_explain),
        ("GET", r"/v2", Predictor.v2_server),
        ("GET", r"/v2/health/live", lambda *_: {"live": True}),
        ("GET", r"/v2/health/ready", Predictor.v2_ready),
        ("GET", r"/v2/models", Predictor.v1_models),
        ("GET", r"/v2/models" + NAME, Predictor.v2_metadata),
        ("GET", r"/v2/models" + NAME + "/ready", Predictor.model_ready),
        ("POST", r"/v2/models" + NAME + "/infer", Predictor.v2_infer),
        ("GET", r"/v2/models" + NAME + r"/versions/[^/]+(?:/ready)?", Predictor.versions),
        ("POST", r"/v2/models" + NAME + r"/versions/[^/]+/infer", Predictor.versions),
        ("POST", r"/v2/repository/models" + NAME + "/load", Predictor.v2_load),
        ("POST", r"/v2/repository/models" + NAME + "/unload", Predictor.v2_unload),
        ("GET", r"/internal/model", Predictor.described),
        ("GET", r"/internal/file", Predictor.compared),
        ("GET", r"/internal/statistics", Predictor.counted)))


def route(predictor: Predictor, request: Any, method: str, path: str) -> Any:
    allowed = []
    for expected, pattern, action in ROUTES:
        if match := pattern.fullmatch(path):
            if expected == method:
                return action(predictor, request, *map(unquote, match.groups()))
            allowed.append(expected)
    if allowed:
        raise Failure(405, "Method Not Allowed", {"detail": "Method Not Allowed"})
    raise Failure(404, "Not Found", {"detail": "Not Found"})


class Connection(BaseHTTPRequestHandler):
    """One connection, request after request. Bodies are bounded before a byte of them is read."""

    protocol_version = "HTTP/1.1"
    server_version = "predictor"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one packet
    timeout = 65
    server: Server

    def do_GET(self) -> None:
        self.length = self.announced_length()
        self.content: bytes | None = None
        try:
            status, answer = 200, route(self.server.predictor, self, self.command, self.path.partition("?")[0])
        except Failure as failure:
            status, answer = failure.status, failure.body
        except OSError:  # the caller went away in the middle of its own request
            self.close_connection = True
            return
        if self.content is None and self.length is None or self.server.predictor.draining:
            self.close_connection = True
        elif self.content is None:
            self.skip(self.length or 0)
        self.respond(status, answer)

    do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_GET

    def announced_length(self) -> int | None:
        """None for chunks, which say how long they are as they come."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return None
        text_length = self.headers.get("Content-Length", "0")
        return int(text_length) if text_length.isascii() and text_length.isdigit() and len(text_length) < 19 else 1 << 62

    def handle_expect_100(self) -> bool:
        if (self.announced_length() or 0) > self.server.predictor.settings.max_body_bytes:
            return True  # without the word to go on, it is refused before it is sent
        return super().handle_expect_100()

    def body(self) -> bytes:
        limit = self.server.predictor.settings.max_body_bytes
        if self.length is not None and self.length > limit:
            self.close_connection = True
            raise self.too_large(f"has {self.length} bytes", limit)
        with self.server.budget(self.length if self.length is not None else limit):
            self.content = self.rfile.read(self.length) if self.length is not None else self.chunks(limit)
            if self.length is not None and len(self.content) < self.length:
                raise ConnectionError("the body ended early")
            return self.content

    def chunks(self, limit: int) -> bytes:
        body = bytearray()
        while True:
            said = self.rfile.readline(100).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,15}", said):
                self.close_connection = True
                raise Failure(400, "Unrecognized request format: a chunk of the body does not say its size")
            size = int(said, 16)
            if len(body) + size > limit:
                self.close_connection = True
                raise self.too_large("is larger than that", limit)
            body += self.rfile.read(size)
            self.rfile.readline(100)
            if size == 0:
                return bytes(body)

    @staticmethod
    def too_large(what: str, limit: int) -> Failure:
        return Failure(413, f"The request body {what}; at most {limit} bytes are accepted. Send fewer instances at once,"
                       " or raise --max_body_bytes.")

    def skip(self, length: int) -> None:
        """What nobody wanted is still in the way of the next request, as long as it is little."""
        if length > 1 << 16:
            self.close_connection = True
        else:
            self.rfile.read(length)

    def respond(self, status: int, answer: Any) -> None:
        payload = answer if isinstance(answer, bytes) else json_bytes(answer)
        kind = "text/plain; version=0.0.4; charset=utf-8" if isinstance(answer, bytes) else "application/json"
        if self.server.predictor.draining:
            self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)
        self.wfile.flush()
        if status == 413:
            self.linger()

    def linger(self) -> None:
        """A caller that is still sending would lose the answer to a reset: listen a moment, forget what comes."""
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(2)
        end = time.monotonic() + 10
        try:
            while time.monotonic() < end and self.connection.recv(1 << 16):
                pass
        except OSError:
            pass

    def handle_one_request(self) -> None:
        self.server.idle(self.connection, True)
        super().handle_one_request()

    def parse_request(self) -> bool:
        self.server.idle(self.connection, False)
        return super().parse_request()

    def log_message(self, format: str, *args: Any) -> None:
        pass  # a line per request is the front's to write


class Server(HTTPServer):
    """A thread for each connection, up to a limit."""

    request_queue_size = 512
    allow_reuse_address = True

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor
        self.lock = threading.Condition()
        self.connections: dict[socket.socket, bool] = {}  # whether it waits for a request
        self.body_bytes = 0
        super().__init__((predictor.settings.address, predictor.settings.http_port), Connection)

    def server_bind(self) -> None:
        # HTTPServer's own asks the resolver for a name, which pods without a network wait for.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.lock:
            full = len(self.connections) >= self.predictor.settings.max_connections
            if not full:
                self.connections[request] = True
        if full:
            busy = json_bytes({"error": "Too many connections."})
            request.settimeout(1)
            request.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n"
                            b"Content-Length: %d\r\n\r\n%s" % (len(busy), busy))
            self.shutdown_request(request)
            return
        threading.Thread(target=self.serve, args=(request, client_address), daemon=True).start()

    def serve(self, request: Any, client_address: Any) -> None:
        try:
            self.finish_request(request, client_address)
        except OSError:
            pass  # the other side is gone
        except Exception as failure:
            log(f"error: {describe(failure)}")
        finally:
            self.shutdown_request(request)
            with self.lock:
                self.connections.pop(request, None)
                self.lock.notify_all()

    def idle(self, connection: socket.socket, waits: bool) -> None:
        with self.lock:
            self.connections[connection] = waits
            if waits and self.predictor.draining:
                connection.shutdown(socket.SHUT_RD)

    def budget(self, size: int) -> Budget:
        return Budget(self, size)

    def drain(self) -> bool:
        """Takes nothing new, and waits for the rest. What had arrived on an open connection is still answered."""
        self.predictor.draining = True
        self.shutdown()
        self.socket.close()
        end = time.monotonic() + self.predictor.settings.drain_seconds
        with self.lock:
            for connection, waits in self.connections.items():
                if waits:
                    try:
                        connection.shutdown(socket.SHUT_RD)
                    except OSError:
                        pass  # already gone
            while self.connections and (left := end - time.monotonic()) > 0:
                self.lock.wait(left)
            return not self.connections


class Budget:
    """Memory for bodies, all connections together."""

    def __init__(self, server: Server, size: int) -> None:
        self.server, self.size = server, size

    def __enter__(self) -> None:
        with self.server.lock:
            if self.server.body_bytes + self.size > 4 * self.server.predictor.settings.max_body_bytes:
                raise Failure(503, "Too many large requests at once. Try again later.")
            self.server.body_bytes += self.size

    def __exit__(self, *_: Any) -> None:
        with self.server.lock:
            self.server.body_bytes -= self.size


# --- Starting and stopping ----------------------------------------------------------------------------------------------


def log(line: str) -> None:
    print(line[:4000], file=sys.stderr, flush=True)


def truth(text_value: str) -> bool:
    return text_value.lower() == "true"


def settings_from(arguments: list[str]) -> argparse.Namespace:
    """KServe's arguments under KServe's names, ours beside them. Each has a variable, for images that fix arguments."""
    parser = argparse.ArgumentParser(prog="predictor", description="Serves one scikit-learn model.", allow_abbrev=False)

    def option(name: str, kind: Callable[[str], Any], default: str | None, meaning: str) -> None:
        value = os.environ.get(name.upper(), default)
        parser.add_argument("--" + name, type=kind, default=value, required=value is None, help=meaning)

    option("model_name", str, None, "the name it is served under")
    option("model_dir", str, "/mnt/models", "the directory with exactly one model file")
    option("http_port", int, "8080", "0 for any that is free")
    option("address", str, "0.0.0.0", "where to listen")
    option("max_body_bytes", int, str(32 << 20), "larger requests get 413")
    option("max_concurrency", int, str(max(2, os.cpu_count() or 2)), "predictions at a time; others wait")
    option("max_connections", int, "1024", "connections at a time; others get 503")
    option("queue_seconds", float, "60", "how long a prediction waits for its turn")
    option("drain_seconds", float, "25", "how long to wait for what runs, after SIGTERM")
    option("termination_log", str, "/dev/termination-log", "where the reason of a failure goes")
    settings = parser.parse_args(arguments)
    settings.predict_proba = truth(os.environ.get("PREDICT_PROBA", "false"))
    settings.allow_any_class = truth(os.environ.get("MODEL_ALLOW_ANY_CLASS", "false"))
    features = os.environ.get("MODEL_FEATURES", "")
    if features and not features.isdigit():
        parser.error(f"MODEL_FEATURES is how many features a row has, not {features!r}")
    settings.features = int(features) if features else None
    return settings


# By architecture: its number for filters; socket, connect, io_uring_setup.
SYSTEM_CALLS = {"x86_64": (0xC000003E, (41, 42, 425)), "aarch64": (0xC00000B7, (198, 203, 425))}


def shut_the_rest_of_the_network() -> None:
    """From now on this thread, and all that come of it, take connections and open none: loading a model runs what others wrote."""
    if os.uname().machine not in SYSTEM_CALLS:
        log(f"connections to others are not refused: their system calls on {os.uname().machine} are not known")
        return
    architecture, calls = SYSTEM_CALLS[os.uname().machine]
    load, is_equal, is_above, answer = 0x20, 0x15, 0x35, 0x06
    allowed, refused = 0x7FFF0000, 0x50000 | errno.EPERM
    x32 = 0x40000000  # the calls of x86_64 once more, under other numbers
    program = [(load, 0, 0, 4), (is_equal, 1, 0, architecture), (answer, 0, 0, refused), (load, 0, 0, 0)]
    program += [(is_above, len(calls) + 1, 0, x32)]
    program += [(is_equal, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    program += [(answer, 0, 0, allowed), (answer, 0, 0, refused)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in program))
    filter_program = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
    system = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, seccomp, by_filter = 38, 22, 2
    if system.prctl(no_new_privileges, 1, 0, 0, 0) or system.prctl(seccomp, by_filter, filter_program, 0, 0):
        log(f"connections to others are not refused: {os.strerror(ctypes.get_errno())}")


def give_up(settings: argparse.Namespace, reason: str) -> None:
    log(f"error: {reason}")
    try:
        with open(settings.termination_log, "r+", encoding="utf-8") as file:  # only where the node has put one
            file.write(reason[:2000])
    except OSError:
        pass
    os._exit(1)  # threads of half a model do not hold it up


def main(arguments: list[str]) -> int:
    settings = settings_from(arguments)
    predictor = Predictor(settings)
    server = Server(predictor)
    shut_the_rest_of_the_network()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    log(f"listening on {settings.address}:{server.server_port}")

    def load() -> None:
        try:
            predictor.load()
        except LoadFailure as failure:
            give_up(settings, str(failure))
        except BaseException as failure:  # MemoryError, or a pickle that exits
            give_up(settings, f"Cannot load the model: {describe(failure)}")
        assert predictor.model is not None
        log(f"model {predictor.name} is ready: {type(predictor.model.estimator).__name__} from {predictor.model.path}")

    threading.Thread(target=load, daemon=True).start()
    stop.wait()
    log("draining")
    drained = server.drain()
    log("stopped" if drained else f"stopped with requests unanswered after {settings.drain_seconds:g} s")
    return 0 if drained else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
