package dev.towtank.app.applications.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.gitops.Preview;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ForesightTest {

    private final KnownWorld world = new KnownWorld();

    /// What a test says is there.
    private static final class KnownWorld implements World {
        final List<Json.Obj> objects = new ArrayList<>();
        final Map<String, Map<String, byte[]>> repositories = new HashMap<>();
        final Set<String> modules = new HashSet<>();
        final Set<String> images = new HashSet<>();
        boolean isWhole = true;

        @Override
        public Optional<Json.Obj> object(Kind<?> kind, String namespace, String name) {
            return objects.stream()
                    .filter(object -> object.string("kind").equals(kind.kind())
                            && object.string("metadata", "namespace").equals(namespace)
                            && object.string("metadata", "name").equals(name))
                    .findFirst();
        }

        @Override
        public boolean isWhole() {
            return isWhole;
        }

        @Override
        public boolean hasVolumes(Json.Obj storageClass) {
            return storageClass.string("provisioner").equals("somebody");
        }

        @Override
        public Optional<String> missingImage(String image) {
            return images.contains(image) ? Optional.empty() : Optional.of("nobody has " + image + "\nand more");
        }

        @Override
        public boolean isPlayedHere(String image) {
            return images.contains(image);
        }

        @Override
        public Optional<Map<String, byte[]>> files(String repository) {
            return Optional.ofNullable(repositories.get(repository));
        }

        @Override
        public List<String> missingModules(Collection<String> wanted) {
            return wanted.stream().filter(each -> !modules.contains(each)).toList();
        }
    }

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    /// Each object is a step of its own, and all are waited for.
    private List<Omen> omens(String... yaml) {
        var groups = new ArrayList<Outline.Group>();
        var gates = new HashSet<ResourceKey>();
        for (var text : yaml) {
            var object = object(text);
            var key = ResourceKey.of(object);
            boolean isHook = object.object("metadata", "annotations").has("argocd.argoproj.io/hook");
            var managed =
                    new Managed(key, Optional.of(object), Optional.empty(), Optional.empty(), Optional.empty(), false);
            var entry = new Outline.Entry(managed, isHook, isHook ? Outline.Verb.RUN : Outline.Verb.CREATE);
            groups.add(new Outline.Group(Phase.SYNC, groups.size(), List.of(entry)));
            gates.add(key);
        }
        var outlook = new Preview.Outlook(
                new Outline(groups, List.of()), List.of(), List.of(), List.of(), gates, LogicalCluster.DEFAULT);
        return Foresight.of(outlook, world);
    }

    private static final String END = "{apiVersion: v1, kind: ConfigMap, metadata: {name: end}}";

    private static String storageClass(String provisioner) {
        return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: " + provisioner
                + "}";
    }

    private static final String CLAIM = """
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: demo}, spec: {storageClassName: fast}}""";

    @Test
    void aClaimThatNobodyProvidesForHoldsUpWhateverFollows() {
        assertThat(omens(storageClass("nobody"), CLAIM, END))
                .singleElement()
                .satisfies(omen -> assertThat(omen.turn()).isEqualTo(Omen.Turn.WAITS))
                .satisfies(omen -> assertThat(omen.text())
                        .contains("PersistentVolumeClaim data will stay Pending", "leaves volumes to nobody"));
        assertThat(omens(storageClass("somebody"), CLAIM, END)).isEmpty();
        assertThat(omens(storageClass("nobody"), CLAIM)).as("nothing follows").isEmpty();
        assertThat(omens(
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: one}, spec: {storageClassName: fast}}",
                        storageClass("nobody"),
                        CLAIM,
                        END))
                .as("a volume made by hand")
                .isEmpty();
        assertThat(omens(CLAIM, END)).extracting(Omen::turn).containsExactly(Omen.Turn.WAITS);
        world.isWhole = false;
        assertThat(omens(CLAIM, END)).containsExactly(Omen.needs("StorageClass fast, for PersistentVolumeClaim data"));
    }

    private static String external(String key, String property) {
        return """
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: login, namespace: demo}
                spec:
                  secretStoreRef: {name: store}
                  data: [{secretKey: password, remoteRef: {key: %s, property: %s}}]
                """.formatted(key, property);
    }

    private static String store(String server) {
        return """
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store, namespace: demo}
                spec: {provider: {kubernetes: {remoteNamespace: vault, server: {%s}}}}
                """.formatted(server);
    }

    @Test
    void aSecretIsReadOnlyWhereItHasTheKey() {
        world.objects.add(object("""
                {apiVersion: v1, kind: Secret, metadata: {name: source, namespace: vault}, data: {password: aGlkZGVu, user: bWU=}}"""));
        assertThat(omens(store(""), external("source", "password"))).isEmpty();
        assertThat(omens(store(""), external("source", "passwort")))
                .containsExactly(Omen.fails("ExternalSecret login will fail: Secret vault/source, out of which it reads"
                        + " passwort, has only password, user."));
        assertThat(omens(store(""), external("other", "password")))
                .containsExactly(
                        Omen.fails(
                                "ExternalSecret login will fail: there is no Secret vault/other, out of which it reads password."));
        assertThat(omens(store("url: https://elsewhere.example.com"), external("other", "password")))
                .as("another server")
                .isEmpty();
        world.isWhole = false;
        assertThat(omens(store(""), external("other", "password")))
                .containsExactly(Omen.needs("Secret vault/other with the key password, for ExternalSecret login"));
    }

    private static String service(String name) {
        return """
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: %s, namespace: demo}
                spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: pvc://data/model}}}
                """.formatted(name);
    }

    private static final String TRAINING = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: train, namespace: demo}
            spec: {template: {spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}}}
            """;

    @Test
    void aModelThatComesLaterIsNotWaitedForBefore() {
        world.objects.add(object(storageClass("somebody"))
                .with("metadata", Json.Obj.of("name", Json.of("fast"), "namespace", Json.of(""))));
        assertThat(omens(CLAIM, service("model"), TRAINING))
                .singleElement()
                .satisfies(omen -> assertThat(omen.turn()).isEqualTo(Omen.Turn.WAITS))
                .satisfies(omen -> assertThat(omen.text())
                        .contains(
                                "pvc://data/model", "Job train, which has the claim, comes after", "SkipHealthCheck"));
        assertThat(omens(CLAIM, TRAINING, service("model"), END)).isEmpty();
        assertThat(omens(service("model"), TRAINING))
                .as("what is on a claim that is there")
                .isEmpty();
    }

    @Test
    void imagesThatNobodyHasAreNamedUnlessABuildMakesThem() {
        var built = "image-registry.openshift-image-registry.svc:5000/demo/own:v1";
        var deployment = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: demo}
                spec: {template: {spec: {containers: [{name: c, image: "%s"}]}}}
                """;
        var build = """
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata: {name: own, namespace: demo}
                spec: {output: {to: {kind: ImageStreamTag, name: "own:v1"}}}
                """;
        assertThat(omens(deployment.formatted("no.example.com/x:1")))
                .containsExactly(
                        Omen.waits("the pods of Deployment web will not start: nobody has no.example.com/x:1"));
        assertThat(omens(build, deployment.formatted(built))).isEmpty();
        world.images.add("yes:1");
        assertThat(omens(deployment.formatted("yes:1"))).isEmpty();
    }

    private static String notebook(String path) {
        return """
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: check, namespace: demo}
                spec:
                  notebook: {path: %s, git: {url: "https://git.example.com/a"}}
                  podConfig: {containerImage: "jupyter:1"}
                """.formatted(path);
    }

    private static byte[] cells(String... sources) {
        var cells = new ArrayList<Json>();
        for (var source : sources) {
            cells.add(Json.Obj.of("cell_type", Json.of("code"), "source", Json.of(source)));
        }
        return Json.Obj.of("cells", new Json.Arr(cells)).display().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void packagesThatANotebookImportsForCertainAreLookedFor() {
        world.images.add("jupyter:1");
        world.modules.addAll(List.of("json", "numpy"));
        world.repositories.put(
                "https://git.example.com/a",
                Map.of(
                        "n/good.ipynb", cells("import json, numpy as np\nfrom mine.part import x\n  import torch"),
                        "n/mine/part.py", new byte[0],
                        "n/bad.ipynb",
                                cells("import json", "from sklearn.ensemble import IsolationForest\nimport torch.nn"),
                        "n/own.ipynb", cells("!pip install torch", "import torch")));
        assertThat(omens(notebook("n/good.ipynb"))).isEmpty();
        assertThat(omens(notebook("n/own.ipynb"))).isEmpty();
        assertThat(omens(notebook("n/bad.ipynb")))
                .singleElement()
                .satisfies(omen ->
                        assertThat(omen.text()).contains("n/bad.ipynb imports sklearn, torch, which jupyter:1"));
        assertThat(omens(notebook("n/nowhere.ipynb")))
                .singleElement()
                .satisfies(omen -> assertThat(omen.text()).contains("there is no n/nowhere.ipynb"));
    }

    @Test
    void aRunWhoseScriptEndsBadlyInAnyCaseIsToldWithItsLine() {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: build-1234567-sync-1700000000, namespace: demo, annotations: {argocd.argoproj.io/hook: Sync}}
                spec: {pipelineRef: {name: build}}
                """;
        var pipeline = """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: build, namespace: demo}
                spec:
                  tasks:
                    - name: compile
                      %s
                      taskSpec: {steps: [{name: make, image: x, script: "echo no\\nexit 3\\n"}]}
                """;
        assertThat(omens(pipeline.formatted(""), run))
                .containsExactly(Omen.fails("PipelineRun build-* will fail: the script of step make of task compile"
                        + " always ends with \"exit 3\", in line 2"));
        assertThat(omens(pipeline.formatted("when: [{input: a, operator: in, values: [b]}]"), run))
                .isEmpty();
        assertThat(omens(pipeline.formatted("onError: continue"), run)).isEmpty();
        assertThat(omens("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: hook, namespace: demo}
                spec: {template: {spec: {containers: [{name: c, command: [/bin/bash, -c, "exit 1"]}]}}}
                """)).extracting(Omen::turn).containsExactly(Omen.Turn.FAILS);
    }
}
