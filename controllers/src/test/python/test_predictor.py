"""The predictor as a process, asked over loopback, with models that are trained here."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import joblib
import numpy
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LogisticRegression
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, RobustScaler

PREDICTOR = os.environ["PREDICTOR"]
ROW = [0.5] * 45


def anomaly_detector():
    data = numpy.random.RandomState(0).rand(200, 45)
    return make_pipeline(RobustScaler(), IsolationForest(n_estimators=5, random_state=0)).fit(data)


class Running:
    """A predictor process. Its first line says where it listens."""

    def __init__(self, directory, *arguments, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-I", PREDICTOR, "--model_name", "detector", "--model_dir", str(directory), "--http_port",
             "0", "--address", "127.0.0.1", *arguments], stderr=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], **environment})
        first = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)$", first.strip()).group(1)) if "listening" in first else 0
        self.first = first

    def until_ready(self):
        said = ""
        for line in self.process.stderr:
            said += line
            if "is ready" in line:
                return self
        raise AssertionError(said)

    def end(self):
        """What it said, and its exit code."""
        said = self.process.stderr.read()
        return self.process.wait(30), said

    def ask(self, method, path, body=None, headers=None, connection=None):
        if connection is None:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as fresh:
                return self.ask(method, path, body, headers, fresh)
        payload = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
        connection.request(method, path, payload, headers or {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read().decode()
        return response.status, json.loads(text) if "json" in response.headers["Content-Type"] else text

    def predict(self, rows, **more):
        return self.ask("POST", "/v1/models/detector:predict", {"instances": rows}, **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        joblib.dump(anomaly_detector(), Path(cls.directory.name) / "model.pkl")
        cls.running = Running(cls.directory.name, "--max_body_bytes", "1000000").until_ready()
        cls.ask, cls.predict = cls.running.ask, cls.running.predict

    @classmethod
    def tearDownClass(cls):
        cls.running.__exit__()
        cls.directory.cleanup()

    def test_says_what_it_serves(self):
        self.assertEqual(self.ask("GET", "/"), (200, {"status": "alive"}))
        self.assertEqual(self.ask("GET", "/v1/models"), (200, {"models": ["detector"]}))
        self.assertEqual(self.ask("GET", "/v1/models/detector"), (200, {"name": "detector", "ready": True}))
        self.assertEqual(self.ask("GET", "/v2/models"), (200, {"models": ["detector"]}))
        self.assertEqual(self.ask("GET", "/v2/health/live"), (200, {"live": True}))
        self.assertEqual(self.ask("GET", "/v2/health/ready"), (200, {"ready": True}))
        self.assertEqual(self.ask("GET", "/v2/models/detector/ready"), (200, {"name": "detector", "ready": True}))
        self.assertEqual(self.ask("GET", "/v2")[1]["extensions"], ["model_repository_extension"])
        self.assertEqual(self.ask("GET", "/v2/models/detector")[1]["inputs"],
                         [{"name": "input-0", "datatype": "FP64", "shape": [-1, 45]}])

    def test_predicts_by_protocol_1_under_both_names_of_the_rows(self):
        self.assertEqual(self.predict([ROW, [90] * 45]), (200, {"predictions": [1, -1]}))
        self.assertEqual(self.ask("POST", "/v1/models/detector:predict", {"inputs": [ROW]}), (200, {"predictions": [1]}))

    def test_predicts_by_protocol_2_flat_and_nested(self):
        for data in (ROW, [ROW]):
            tensor = {"name": "input-0", "shape": [1, 45], "datatype": "FP64", "data": data}
            self.assertEqual(self.ask("POST", "/v2/models/detector/infer", {"id": "7", "inputs": [tensor]}), (200, {
                "model_name": "detector", "model_version": None, "id": "7", "parameters": None, "outputs": [
                    {"name": "output-0", "shape": [1], "datatype": "INT64", "parameters": None, "data": [1]}]}))

    def test_reads_tensors_that_follow_the_json_as_bytes(self):
        raw = numpy.array(ROW, dtype="<f4").tobytes()
        head = json.dumps({"inputs": [{"name": "i", "shape": [1, 45], "datatype": "FP32",
                                       "parameters": {"binary_data_size": len(raw)}}]}).encode()
        headers = {"Content-Type": "application/octet-stream", "Inference-Header-Content-Length": str(len(head))}
        status, answer = self.ask("POST", "/v2/models/detector/infer", head + raw, headers)
        self.assertEqual((status, answer["outputs"][0]["data"]), (200, [1]))

    def test_bytes_without_the_length_of_their_json_are_refused(self):
        self.assertEqual(
            self.ask("POST", "/v2/models/detector/infer", b"\0", {"Content-Type": "application/octet-stream"}),
            (400, {"error": "received byte inputs, but the 'inference-header-content-length' header is missing."}))

    def test_an_unknown_model_is_404_everywhere(self):
        error = {"error": "Model with name other does not exist."}
        for method, path in (("GET", "/v1/models/other"), ("POST", "/v1/models/other:predict"),
                             ("GET", "/v2/models/other"), ("GET", "/v2/models/other/ready"),
                             ("POST", "/v2/models/other/infer"), ("POST", "/v2/repository/models/other/load")):
            self.assertEqual(self.ask(method, path, "{}" if method == "POST" else None), (404, error), path)

    def test_versions_are_501(self):
        self.assertEqual(self.ask("GET", "/v2/models/detector/versions/1"),
                         (501, {"error": "Model versioning not supported yet."}))

    def test_a_wrong_feature_count_is_500_with_the_contract(self):
        self.assertEqual(self.predict([[1] * 5]), (500, {
            "error": "X has 5 features, but RobustScaler is expecting 45 features as input."
                     " (this model takes rows of 45 features)"}))

    def test_missing_values_are_told_by_the_model(self):
        status, answer = self.predict([[None] * 45])
        self.assertEqual(status, 500)
        self.assertIn("Input X contains NaN", answer["error"])

    def test_missing_instances_are_500_as_in_kserve(self):
        status, answer = self.ask("POST", "/v1/models/detector:predict", {})
        self.assertEqual(status, 500)
        self.assertTrue(answer["error"].startswith("'instances'"), answer)

    def test_what_is_no_json_is_400(self):
        for body in ("", "{", '{"instances": [[NaN]]}', "[" * 100000, "[1]"):
            status, answer = self.ask("POST", "/v1/models/detector:predict", body)
            self.assertEqual(status, 400, body[:20])
            self.assertIn("Unrecognized request format: ", answer["error"])

    def test_tensors_without_a_shape_are_422_and_say_where(self):
        status, answer = self.ask("POST", "/v2/models/detector/infer",
                                  {"inputs": [{"name": "i", "datatype": "FP64", "data": []}]})
        self.assertEqual((status, answer["detail"][0]["loc"]), (422, ["body", "InferenceRequest", "inputs", 0, "shape"]))

    def test_a_shape_that_does_not_fit_is_an_error_of_the_request_alone(self):
        tensor = {"name": "i", "shape": [2, 45], "datatype": "FP64", "data": ROW}
        self.assertEqual(self.ask("POST", "/v2/models/detector/infer", {"inputs": [tensor]})[0], 500)
        self.assertEqual(self.predict([ROW])[0], 200)

    def test_a_body_that_is_too_large_is_413_before_it_is_read(self):
        status, answer = self.ask("POST", "/v1/models/detector:predict", b" " * 5_000_000)
        self.assertEqual(status, 413)
        self.assertIn("has 5000000 bytes; at most 1000000", answer["error"])

    def test_a_body_in_chunks_counts_too(self):
        self.assertEqual(self.ask("POST", "/v1/models/detector:predict", body=None, headers={})[0], 400)
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("POST", "/v1/models/detector:predict",
                           iter([b'{"instances":[', json.dumps(ROW).encode(), b"]}"]), encode_chunked=True)
        self.assertEqual(json.loads(connection.getresponse().read()), {"predictions": [1]})
        self.assertEqual(self.ask("POST", "/v1/models/detector:predict", b"-5\r\n", {"Transfer-Encoding": "chunked"})[0], 400)

    def test_a_connection_is_good_for_many_requests_and_errors(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=30)
        self.addCleanup(connection.close)
        for _ in range(3):
            self.assertEqual(self.predict([ROW], connection=connection)[0], 200)
            self.assertEqual(self.ask("POST", "/v1/models/other:predict", "{}", connection=connection)[0], 404)
        self.assertIsNotNone(connection.sock)

    def test_500_predictions_at_once_are_all_answered(self):
        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            answers = list(pool.map(lambda _: self.predict([ROW]), range(500)))
        self.assertEqual(answers, [(200, {"predictions": [1]})] * 500)

    def test_metrics_have_the_names_of_kserve(self):
        self.predict([ROW])
        status, text = self.ask("GET", "/metrics")
        self.assertEqual(status, 200)
        for name in ("request_preprocess_seconds", "request_predict_seconds", "request_postprocess_seconds"):
            self.assertRegex(text, rf'{name}_bucket{{le="\+Inf",model_name="detector"}} [1-9]')
            self.assertIn(f"# TYPE {name} histogram", text)

    def test_statistics_count_bins_and_keep_no_value(self):
        before = self.ask("GET", "/internal/statistics")[1]
        self.predict([[0.123456] * 45, [0.123456] * 45])
        after = self.ask("GET", "/internal/statistics")[1]
        self.assertEqual(after["rows"], before["rows"] + 2)
        self.assertEqual(sum(after["features"][44]["counts"]), sum(before["features"][44]["counts"]) + 2)
        self.assertNotIn("0.123456", json.dumps(after))

    def test_wrong_methods_and_paths_are_told_apart(self):
        self.assertEqual(self.ask("GET", "/v1/models/detector:predict"), (405, {"detail": "Method Not Allowed"}))
        self.assertEqual(self.ask("GET", "/v3"), (404, {"detail": "Not Found"}))


class Escape:
    """Its pickle names os.system, as an attack would."""

    def __reduce__(self):
        return os.system, ("touch escaped",)


class Asking:
    """Calls somebody when it is loaded."""

    def __init__(self, port):
        self.port = port

    def __reduce__(self):
        return socket.create_connection, (("127.0.0.1", self.port),)


class Loading(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def failure(self, *arguments, **environment):
        with Running(self.directory, *arguments, **environment) as running:
            code, said = running.end()
            self.assertEqual(code, 1)
            return said

    def test_no_file_two_files_and_no_directory_are_told(self):
        self.assertIn("No model file in", self.failure())
        for name in ("a.pkl", "b.joblib"):
            joblib.dump(anomaly_detector(), self.directory / name)
        self.assertRegex(self.failure(), "More than one model file is detected.*a.pkl.*b.joblib")
        self.directory = self.directory / "missing"
        self.assertIn("There is no directory", self.failure())

    def test_junk_is_not_served(self):
        (self.directory / "model.pkl").write_bytes(b"junk" * 500)
        self.assertIn("Cannot load", self.failure())

    def test_what_cannot_predict_is_not_served(self):
        joblib.dump({"weights": [1, 2]}, self.directory / "model.pkl")
        self.assertIn("holds a dict, which has no predict()", self.failure())

    def test_a_pickle_that_runs_code_is_refused_and_has_not_run_it(self):
        (self.directory / "model.pkl").write_bytes(pickle.dumps(Escape()))
        self.assertRegex(self.failure(), r"names posix\.system, which is not on the list")

    def test_neither_arrays_of_objects_nor_names_in_modules_lead_out(self):
        joblib.dump(numpy.array([Escape()], dtype=object), self.directory / "model.pkl")
        self.assertRegex(self.failure(), r"names posix\.system")
        for module, name in (("sklearn.pipeline", "joblib.parallel.os.system"), ("sklearn.base", "warnings"),
                             ("builtins", "getattr"), ("numpy.core", "_ufunc_reconstruct"), ("numpy", "memmap"),
                             ("sklearn.datasets", "fetch_openml"), ("numpy", "load")):
            text = b"\x8c" + bytes([len(module)]) + module.encode() + b"\x8c" + bytes([len(name)]) + name.encode()
            (self.directory / "model.pkl").write_bytes(b"\x80\x04" + text + b"\x93.")
            self.assertIn(f"names {module}.{name}", self.failure())

    def test_whoever_trusts_a_file_may_say_so(self):
        (self.directory / "model.pkl").write_bytes(pickle.dumps(Escape()))
        self.assertIn("holds a int", self.failure(MODEL_ALLOW_ANY_CLASS="true"))

    def test_whoever_is_trusted_still_reaches_nobody(self):
        with socket.create_server(("127.0.0.1", 0)) as nobody:
            port = nobody.getsockname()[1]
            (self.directory / "model.pkl").write_bytes(pickle.dumps(Asking(port)))
            self.assertIn("Operation not permitted", self.failure(MODEL_ALLOW_ANY_CLASS="true"))

    def test_functions_of_numpy_texts_and_labels_are_allowed(self):
        labels = make_pipeline(FunctionTransformer(numpy.log1p), LogisticRegression()).fit([[1.], [9.]], ["low", "high"])
        joblib.dump(labels, self.directory / "model.joblib", compress=3)
        (self.directory / "input_example.json").write_text('{"instances": [[2]]}')
        with Running(self.directory).until_ready() as running:
            self.assertEqual(running.predict([[1], [9]]), (200, {"predictions": ["low", "high"]}))
            self.assertEqual(running.ask("GET", "/internal/statistics")[1]["predictions"]["values"], {"high": 1, "low": 1})

    def test_rows_may_be_texts(self):
        words = make_pipeline(CountVectorizer(), LogisticRegression()).fit(["all good", "it burns"], [0, 1])
        (self.directory / "model.pickle").write_bytes(pickle.dumps(words))
        with Running(self.directory, PREDICT_PROBA="true").until_ready() as running:
            answer = running.predict(["it burns"])[1]["predictions"]
            self.assertGreater(answer[0][1], answer[0][0])

    def test_rows_may_be_objects_with_the_names_of_columns_in_any_order(self):
        import pandas

        table = pandas.DataFrame({"cpu": [0.0, 1.0], "memory": [0.0, 0.0]})
        joblib.dump(LogisticRegression().fit(table, [0, 1]), self.directory / "model.pkl")
        with Running(self.directory).until_ready() as running:
            self.assertEqual(running.predict([{"memory": 0, "cpu": 5}, {"memory": 0, "cpu": -5}]),
                             (200, {"predictions": [1, 0]}))

    def test_a_contract_of_other_features_is_not_met(self):
        joblib.dump(anomaly_detector(), self.directory / "model.pkl")
        self.assertIn("takes 45 features, and its contract says 5", self.failure(MODEL_FEATURES="5"))

    def test_the_reason_goes_into_the_termination_log(self):
        log = self.directory / "termination-log"
        log.touch()
        self.failure("--termination_log", str(log))
        self.assertIn("No model file in", log.read_text())


# A model that predicts until the test lets it go.
SLOW = """
import os, time
from pathlib import Path

class Slow:
    n_features_in_ = 1

    def __init__(self, gate):
        self.gate = gate

    def predict(self, rows):
        if rows[0][0] > 0:
            Path(self.gate + ".begun").touch()
            while not os.path.exists(self.gate):
                time.sleep(0.01)
        return [0.0] * len(rows)
"""


class Drifting(unittest.TestCase):
    def test_inputs_and_answers_are_compared_with_the_training_profile(self):
        data = numpy.random.RandomState(0).normal(size=(400, 2))
        labels = (data[:, 0] > 0).astype(int)
        profile = {"features": [{"name": f"feature-{index}", "edges": [-1, 0, 1],
                                 "counts": numpy.histogram(data[:, index], [-99, -1, 0, 1, 99])[0].tolist()}
                                for index in range(2)],
                   "predictions": {"values": {"0": int((labels == 0).sum()), "1": int((labels == 1).sum())}}}
        with tempfile.TemporaryDirectory() as directory:
            joblib.dump(LogisticRegression().fit(data, labels), directory + "/model.pkl")
            Path(directory, "profile.json").write_text(json.dumps(profile))
            with Running(directory, DRIFT_MIN_ROWS="300").until_ready() as running:
                self.assertNotIn("model_psi", running.ask("GET", "/metrics")[1], "too few rows say nothing")
                running.ask("POST", "/v1/models/detector:predict", {"instances": data.tolist()})
                same = self.series(running)
                self.assertLess(max(same.values()), 0.02, same)
                moved = data + [3, 0]
                running.ask("POST", "/v1/models/detector:predict", {"instances": moved.tolist()})
                drifted = self.series(running)
                self.assertGreater(drifted['model_psi{model="detector",feature="feature-0"}'], 0.2)
                self.assertLess(drifted['model_psi{model="detector",feature="feature-1"}'], 0.02)
                self.assertGreater(drifted['model_prediction_drift{model="detector"}'], 0.2)

    @staticmethod
    def series(running):
        lines = running.ask("GET", "/metrics")[1].splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)
                if name.startswith(("model_psi{", "model_prediction_drift{"))}


class Stopping(unittest.TestCase):
    def test_what_runs_is_answered_and_new_connections_are_refused(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / "slow.py").write_text(SLOW)
            sys.path.insert(0, directory)
            self.addCleanup(sys.path.remove, directory)
            import slow

            gate = str(Path(directory) / "gate")
            joblib.dump(slow.Slow(gate), Path(directory) / "model.pkl")
            starter = f"import sys, runpy; sys.path.insert(0, {directory!r}); sys.argv[0] = {PREDICTOR!r};" \
                      f"runpy.run_path({PREDICTOR!r}, run_name='__main__')"
            process = subprocess.Popen(
                [sys.executable, "-c", starter, "--model_name", "detector", "--model_dir", directory, "--http_port", "0",
                 "--address", "127.0.0.1"], stderr=subprocess.PIPE, text=True,
                env={"PATH": os.environ["PATH"], "MODEL_ALLOW_ANY_CLASS": "true"})
            running = Running.__new__(Running)
            running.process = process
            running.port = int(process.stderr.readline().strip().rsplit(":", 1)[1])
            with running:
                running.until_ready()
                self.stop_while_predicting(running, gate)

    def stop_while_predicting(self, running, gate):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(running.predict, [[1]])
            wait_for(lambda: os.path.exists(gate + ".begun"))
            running.process.send_signal(signal.SIGTERM)
            self.assertIn("draining", running.process.stderr.readline())
            wait_for(lambda: refuses(running))
            Path(gate).touch()
            self.assertEqual(answer.result(), (200, {"predictions": [0.0]}))
        self.assertEqual(running.end()[0], 0)


def refuses(running):
    try:
        running.ask("GET", "/")
        return False
    except ConnectionRefusedError:
        return True
    except OSError:
        return False


def wait_for(condition):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it took too long")
        threading.Event().wait(0.01)


if __name__ == "__main__":
    unittest.main()
