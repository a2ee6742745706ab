"""How long an event takes to its PipelineRun, how many are held, and what a notebook costs beside bare nbclient."""
import base64
import http.client
import json
import os
import ssl
import statistics
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

TOWTANK, WORK, EVENTS = sys.argv[1], sys.argv[2], int(sys.argv[3])

LISTENER = """
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: maker, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{kind: ServiceAccount, name: default, namespace: default}]
---
apiVersion: triggers.tekton.dev/v1beta1
kind: EventListener
metadata: {name: el, namespace: default}
spec:
  triggers:
  - name: all
    interceptors: [{ref: {name: cel}, params: [{name: filter, value: "has(body.text)"}]}]
    bindings: [{name: text, value: $(body.text)}]
    template:
      spec:
        params: [{name: text}]
        resourcetemplates:
        - apiVersion: tekton.dev/v1
          kind: PipelineRun
          metadata: {generateName: event-}
          # Is never started: what is measured is the way to it.
          spec: {status: PipelineRunPending, params: [{name: text, value: $(tt.params.text)}], pipelineRef: {name: nothing}}
"""


def kubectl(*arguments, given=None):
    return subprocess.run(["kubectl", *arguments], input=given, text=True, check=True, capture_output=True).stdout


def tell(what, value, unit):
    print(f"{what:55} {value:10.2f} {unit}", flush=True)


class Bare(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def post(connection, path, number):
    connection.request("POST", path, json.dumps({"text": f"t{number}"}), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def one_by_one(name, port, path, count):
    connection, times = http.client.HTTPConnection("127.0.0.1", port), []
    for number in range(count):
        begun = time.perf_counter()
        status, body = post(connection, path, number)
        times.append((time.perf_counter() - begun) * 1000)
        assert status == 202 and (path == "/" or b'"accepted":true' in body), body
    times = sorted(times[count // 5:])  # the first fifth warms up
    tell(f"{name}, p50", statistics.median(times), "ms")
    tell(f"{name}, p99", times[int(len(times) * 0.99)], "ms")


def created(count):
    """What the API alone takes for such a run, asked by its administrator over one connection."""
    config = json.loads(kubectl("config", "view", "--raw", "-o", "json"))
    authority = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
    tls = ssl.create_default_context(cadata=authority)
    token = "Bearer " + config["users"][0]["user"]["token"]
    address = urlsplit(config["clusters"][0]["cluster"]["server"])
    connection = http.client.HTTPSConnection(address.hostname, address.port, context=tls)
    run = {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": {"generateName": "alone-"},
           "spec": {"status": "PipelineRunPending", "params": [{"name": "text", "value": "t"}], "pipelineRef": {"name": "nothing"}}}
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        connection.request("POST", "/apis/tekton.dev/v1/namespaces/default/pipelineruns", json.dumps(run),
                           {"Content-Type": "application/json", "Authorization": token})
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - begun) * 1000)
        assert answer.status == 201, answer.status
    times = sorted(times[count // 5:])
    tell("a PipelineRun created by the API alone, p50", statistics.median(times), "ms")
    tell("a PipelineRun created by the API alone, p99", times[int(len(times) * 0.99)], "ms")


def many(port, count, senders):
    taken = []

    def send(share):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for number in range(share):
            status, _ = post(connection, "/?wait=true", number)
            while status == 503:
                status, _ = post(connection, "/?wait=true", number)
            taken.append(status)

    threads = [threading.Thread(target=send, args=(count // senders,)) for _ in range(senders)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    assert len(taken) == count // senders * senders and set(taken) == {202}
    tell(f"events held without loss, {senders} senders", len(taken) / took, "/s")


def notebook():
    source = "import math\nsum(math.sqrt(i) for i in range(200000))"
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    path = WORK + "/ten.ipynb"
    with open(path, "w") as file:
        json.dump({"cells": [cell] * 10, "nbformat": 4, "nbformat_minor": 4, "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}}, file)
    bare = ("import nbformat\nfrom nbclient import NotebookClient\n"
            f"NotebookClient(nbformat.read({path!r}, 4), kernel_name='python3').execute()")
    commands = {"notebook of ten cells, bare nbclient": ["/usr/bin/python3", "-c", bare],
                "notebook of ten cells, towtank notebook run": [TOWTANK, "notebook", "run", path]}
    for name, command in commands.items():
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - begun)
        tell(name, statistics.median(times), "s")


def example():
    """The whole story beside its own commands: two notebooks, and each model loaded and asked, for the gate and for its server."""
    home = os.path.dirname(TOWTANK)
    begun = time.perf_counter()
    subprocess.run([TOWTANK, "run", home + "/examples/model-training", "--data", WORK + "/runs"], check=True, capture_output=True)
    tell("the training example", time.perf_counter() - begun, "s")
    train = ("import nbformat, sys\nfrom nbclient import NotebookClient\n"
             "notebook = nbformat.read(sys.argv[1], 4)\nnotebook.cells[1].source += sys.argv[2]\n"
             "NotebookClient(notebook, kernel_name='python3').execute()")
    notebook = home + "/examples/model-training/notebooks/anomaly-detector.ipynb"
    ask = "import joblib, sys; joblib.load(sys.argv[1] + '/model.pkl').predict([[0.0] * 45])"
    begun = time.perf_counter()
    for version, trees in (("first", 20), ("second", 60)):
        values = f"\nmodels, version, trees = {WORK + '/models'!r}, {version!r}, {trees}"
        subprocess.run(["/usr/bin/python3", "-c", train, notebook, values], check=True, capture_output=True)
        for _ in range(2):
            place = f"{WORK}/models/anomaly-detector/{version}"
            subprocess.run(["/usr/bin/python3", "-c", ask, place], check=True, capture_output=True)
    tell("its own commands, bare", time.perf_counter() - begun, "s")


kubectl("apply", "-f", "-", given=LISTENER)
kubectl("wait", "eventlistener/el", "--for=condition=Ready", "--timeout=30s")
port = int(kubectl("get", "endpointslice", "-l", "kubernetes.io/service-name=el-el", "-o", "jsonpath={.items[0].ports[0].port}"))
bare = ThreadingHTTPServer(("127.0.0.1", 0), Bare)
threading.Thread(target=bare.serve_forever, daemon=True).start()
one_by_one("a bare HTTP answer", bare.server_port, "/", EVENTS)
one_by_one("a listener's answer", port, "/", EVENTS)
created(EVENTS)
one_by_one("event to PipelineRun created", port, "/?wait=true", EVENTS)
many(port, EVENTS, 8)
notebook()
example()
