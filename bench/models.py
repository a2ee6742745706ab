"""What serving costs: the first prediction, the front, and a switch of models under load. Started by bench/models."""
from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

BODY = json.dumps({"instances": [[0.0, 0.0, 0.0]]})
TRAINING = """
import joblib, os
from sklearn.linear_model import LinearRegression
for version, answer in (("v1", 1.0), ("v2", 2.0)):
    os.makedirs("/mnt/models/m/" + version)
    joblib.dump(LinearRegression().fit([[0.0] * 3, [1.0] * 3], [answer, answer]), "/mnt/models/m/" + version + "/model.pkl")
"""


def kubectl(*words: str, text: str = "") -> str:
    return subprocess.run(["kubectl", *words], input=text, capture_output=True, text=True, check=True).stdout


def wait(kind: str, name: str, path: str, value: str) -> None:
    kubectl("wait", f"--for=jsonpath={path}={value}", f"{kind}/{name}", "--timeout=120s")


def service(name: str, version: str) -> str:
    return json.dumps({"apiVersion": "serving.kserve.io/v1beta1", "kind": "InferenceService", "metadata": {"name": name},
                       "spec": {"predictor": {"model": {"modelFormat": {"name": "sklearn"},
                                                        "storageUri": f"pvc://models/m/{version}"}}}})


def train() -> None:
    mounts = [{"name": "models", "mountPath": "/mnt/models"}]
    pod = {"restartPolicy": "Never", "volumes": [{"name": "models", "persistentVolumeClaim": {"claimName": "models"}}],
           "containers": [{"name": "train", "image": "kserve/sklearnserver:latest", "volumeMounts": mounts,
                           "command": ["/usr/bin/python3", "-c", TRAINING]}]}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    for made in ({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "models"}, "spec": claim},
                 {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"},
                  "spec": {"backoffLimit": 0, "template": {"spec": pod}}}):
        kubectl("apply", "-f", "-", text=json.dumps(made))
    kubectl("wait", "--for=condition=complete", "job/train", "--timeout=120s")


class Load:
    """As many callers as are wanted, each with a connection of its own, at a rate or as fast as they can."""

    def __init__(self, url: str, path: str, callers: int, rate: float | None = None) -> None:
        self.host, self.path = urlsplit(url).netloc, path
        self.times: list[float] = []
        self.failures = 0
        self.done = threading.Event()
        self.pause = callers / rate if rate else 0.0
        self.threads = [threading.Thread(target=self.call) for _ in range(callers)]
        for thread in self.threads:
            thread.start()

    def call(self) -> None:
        connection = http.client.HTTPConnection(self.host, timeout=30)
        due = time.monotonic()
        while not self.done.is_set():
            begun = time.monotonic()
            try:
                connection.request("POST", self.path, BODY, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                self.failures += answer.status != 200
            except (OSError, http.client.HTTPException):
                self.failures += 1
                connection.close()
            self.times.append(time.monotonic() - begun)
            due += self.pause
            time.sleep(max(0.0, due - time.monotonic()) if self.pause else 0.0)

    def end(self) -> str:
        self.done.set()
        for thread in self.threads:
            thread.join()
        times = sorted(self.times)
        return (f"{len(times)} requests, p50 {1000 * times[len(times) // 2]:.2f} ms,"
                f" p99 {1000 * times[len(times) * 99 // 100]:.2f} ms, {self.failures} failed")


def timed(url: str, path: str, callers: int, seconds: float) -> str:
    load = Load(url, path, callers)
    time.sleep(seconds)
    said = load.end()
    return f"{len(load.times) / seconds:8.0f}/s  {said}"


def first_prediction() -> None:
    program = ("import joblib, numpy, sys; from sklearn.linear_model import LinearRegression;"
               " m = LinearRegression().fit([[0.0]*3,[1.0]*3],[1.0,1.0]); m.predict(numpy.zeros((1, 3)))")
    bare, served = [], []
    for number in range(5):
        begun = time.monotonic()
        subprocess.run(["/usr/bin/python3", "-I", "-c", program], check=True)
        bare.append(time.monotonic() - begun)
        begun = time.monotonic()
        kubectl("create", "-f", "-", text=service(f"first-{number}", "v1"))
        created = time.monotonic()
        kubectl("wait", "--for=condition=Ready", f"isvc/first-{number}", "--timeout=120s")
        served.append((time.monotonic() - begun, time.monotonic() - created))
        if number < 4:
            kubectl("delete", "isvc", f"first-{number}")
    print(f"bare python: import, fit, predict      {1000 * sorted(bare)[2]:6.0f} ms (median of 5)")
    print(f"InferenceService created to Ready      {1000 * sorted(each[1] for each in served)[2]:6.0f} ms"
          " (a prediction answered; with kubectl's own time)")


def main(seconds: float) -> None:
    train()
    first_prediction()
    url = kubectl("get", "isvc", "first-4", "-o", "jsonpath={.status.url}")
    pod = json.loads(kubectl("get", "pod", "first-4-predictor-00001-0", "-o", "json"))
    port = pod["spec"]["containers"][0]["ports"][0]["containerPort"]
    address = pod["status"]["podIP"] if pod["status"]["podIP"] != pod["status"].get("hostIP") else "127.0.0.1"
    front = kubectl("get", "endpointslice", "first-4-predictor", "-o", "jsonpath={.endpoints[0].addresses[0]}:{.ports[0].port}")
    path = "/v1/models/first-4:predict"
    timed(url, path, 16, seconds)  # so that the JVM has compiled what it runs
    for callers in (1, 16):
        print(f"{callers:2} callers, the worker alone   {timed(f'http://{address}:{port}', path, callers, seconds)}")
        print(f"{callers:2} callers, the front's port   {timed(f'http://{front}', path, callers, seconds)}")
        print(f"{callers:2} callers, by the service     {timed(url, path, callers, seconds)}")
    load = Load(url, path, 8, rate=200)
    for version in ("v2", "v1", "v2"):
        kubectl("patch", "isvc", "first-4", "--type=merge", "-p",
                json.dumps({"spec": {"predictor": {"model": {"storageUri": f"pvc://models/m/{version}"}}}}))
        generation = kubectl("get", "isvc", "first-4", "-o", "jsonpath={.metadata.generation}")
        wait("isvc", "first-4", "{.status.observedGeneration}", generation)
        wait("isvc", "first-4", "{.status.modelStatus.transitionStatus}", "UpToDate")
    print(f"three switches at 200/s: {load.end()}")


main(float(sys.argv[1]))
