package dev.towtank.apiserver.admission.webhooks;

import static dev.towtank.apiserver.admission.webhooks.HookedServer.allow;
import static dev.towtank.apiserver.admission.webhooks.HookedServer.patch;
import static dev.towtank.apiserver.admission.webhooks.HookedServer.yaml;
import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Objects;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which requests webhooks are asked about, and what they are shown.
class WebhookScopeTest {

    private static final String EVERYTHING =
            "rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*']," + " resources: ['*/*']}]";

    @TempDir
    static Path directory;

    private static Pki pki;
    private HookedServer server;

    @BeforeAll
    static void makeKeys() {
        pki = HookedServer.pki(directory);
    }

    @BeforeEach
    void start() throws IOException {
        server = new HookedServer(pki);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void dryRunsReachOnlyWebhooksWithoutSideEffects() {
        var url = server.hook("/dry", _ -> allow());
        server.register("Validating", "dry", url, "sideEffects: NoneOnDryRun");
        var body = Body.of(yaml("{metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}"));

        server.call(Verb.CREATE, "pods/shop", "dryRun=All", body);

        assertThat(server.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.get("dryRun")).isEqualTo(Json.of(true)));
        assertThat(refused(() -> server.get("pods/shop/a")).is(StatusError.Reason.NOT_FOUND))
                .isTrue();

        // Such a configuration is refused today, and may be left from before.
        var old = yaml(server.configuration("old", url, "sideEffects: Some, failurePolicy: Fail, timeoutSeconds: 1"));
        Objects.put(
                server.server.store(),
                LogicalCluster.DEFAULT,
                "validatingwebhookconfigurations.admissionregistration.k8s.io",
                old);
        assertThat(refused(() -> server.call(Verb.CREATE, "pods/shop", "dryRun=All", body))
                        .text())
                .isEqualTo("admission webhook \"old.example.com\" does not support dry run");
        assertThat(server.pod("a").string("metadata", "name")).isEqualTo("a");
    }

    @Test
    void nobodyIsAskedAboutConfigurationsThemselves() {
        server.register("Validating", "all", "https://127.0.0.1:1/", EVERYTHING);
        server.register("Mutating", "all", "https://127.0.0.1:1/", EVERYTHING);

        assertThat(refused(() -> server.create("configmaps/shop", "{metadata: {name: a}}"))
                        .text())
                .contains("failed calling webhook");
        server.create(
                "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                "{metadata: {name: b}, spec: {policyName: p, validationActions: [Deny]}}");
        server.merge("mutatingwebhookconfigurations.admissionregistration.k8s.io//all", "{webhooks: []}");
        server.delete("validatingwebhookconfigurations.admissionregistration.k8s.io//all");
        server.create("configmaps/shop", "{metadata: {name: a}}");
    }

    @Test
    void asksAboutDeletions() {
        server.pod("a");
        var url = server.hook("/delete", _ -> patch("[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]"));
        server.register("Mutating", "delete", url, EVERYTHING);

        assertThat(refused(() -> server.delete("pods/shop/a")).text())
                .isEqualTo("Internal error occurred: admission webhook \"delete.example.com\" attempted to modify the"
                        + " object, which is not supported for this operation");
        assertThat(server.requests).singleElement().satisfies(request -> {
            assertThat(request.string("operation")).isEqualTo("DELETE");
            assertThat(request.get("object")).isEqualTo(Json.Null.NULL);
            assertThat(request.string("oldObject", "metadata", "name")).isEqualTo("a");
            assertThat(request.string("options", "kind")).isEqualTo("DeleteOptions");
        });
    }

    @Test
    void passesOnWhatWebhooksAdvise() {
        var url = server.hook("/warn", _ -> allow().with("warnings", Json.Arr.of(Json.of("careful"))));
        server.register("Validating", "warn", url, "");
        server.register("Mutating", "warn", url, "");

        var answer = server.call(
                Verb.CREATE,
                "pods/shop",
                "",
                Body.of(yaml("{metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}")));

        assertThat(answer.warnings()).containsExactly("careful");
    }

    private static final String DEPLOYMENT = """
            {metadata: {name: web, labels: {app: web}}, spec: {replicas: 1, selector: {matchLabels: {a: b}},
            template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}
            """;

    @Test
    void showsAScaleToWhoWatchesScales() {
        server.create("deployments.apps/shop", DEPLOYMENT);
        var rules =
                "rules: [{operations: [UPDATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments/scale]}]";
        var url = server.hook(
                "/scale", _ -> patch("[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 7}]"));
        server.register("Mutating", "scale", url, rules);

        var scale = server.merge("deployments.apps/shop/web/scale", "{spec: {replicas: 3}}");

        assertThat(scale.integer("spec", "replicas")).isEqualTo(7);
        assertThat(server.get("deployments.apps/shop/web").integer("spec", "replicas"))
                .isEqualTo(7);
        assertThat(server.requests).singleElement().satisfies(request -> {
            assertThat(request.string("kind", "kind")).isEqualTo("Scale");
            assertThat(request.string("kind", "group")).isEqualTo("autoscaling");
            assertThat(request.string("resource", "group")).isEqualTo("apps");
            assertThat(request.string("subResource")).isEqualTo("scale");
            assertThat(request.integer("object", "spec", "replicas")).isEqualTo(3);
            assertThat(request.integer("oldObject", "spec", "replicas")).isEqualTo(1);
        });
    }

    @Test
    void changesNothingButTheStatusOfAStatus() {
        server.create("deployments.apps/shop", DEPLOYMENT);
        var rules = "rules: [{operations: [UPDATE], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/status']}]";
        var url = server.hook("/status", _ -> patch("""
                [{"op": "add", "path": "/status/observedGeneration", "value": 9},
                 {"op": "replace", "path": "/spec/replicas", "value": 9}]"""));
        server.register("Mutating", "status", url, rules);

        var changed = server.merge("deployments.apps/shop/web/status", "{status: {replicas: 2}}");

        assertThat(changed.integer("status", "observedGeneration")).isEqualTo(9);
        assertThat(changed.integer("spec", "replicas")).isEqualTo(1);
        server.merge("deployments.apps/shop/web", "{spec: {paused: true}}");
        assertThat(server.requests).hasSize(1);
    }

    private static final String DEFINITION = """
            metadata: {name: gadgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
              - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
            """;

    @ParameterizedTest
    @CsvSource({"Equivalent, example.com/v1, 1", "Exact, '', 0"})
    void meansOtherVersionsOfAResourceWhereItSaysSo(String policy, String shown, int times) {
        server.create("customresourcedefinitions.apiextensions.k8s.io", DEFINITION);
        var url = server.hook("/cr", _ -> patch("[{\"op\": \"add\", \"path\": \"/spec/b\", \"value\": 2}]"));
        server.register(
                "Mutating",
                "cr",
                url,
                "matchPolicy: " + policy + ", rules: [{operations: ['*'],"
                        + " apiGroups: [example.com], apiVersions: [v1], resources: [gadgets]}]");

        var gadget = server.create(
                "gadgets.example.com@v1beta1/shop",
                "{apiVersion: example.com/v1beta1, kind: Gadget, metadata: {name: a}, spec: {a: 1}}");

        assertThat(gadget.string("apiVersion")).isEqualTo("example.com/v1beta1");
        assertThat(gadget.integer("spec", "b")).isEqualTo(times == 0 ? 0 : 2);
        assertThat(server.requests).hasSize(times).allSatisfy(request -> {
            assertThat(request.string("object", "apiVersion")).isEqualTo(shown);
            assertThat(request.string("resource", "version")).isEqualTo("v1");
            assertThat(request.string("requestResource", "version")).isEqualTo("v1beta1");
        });
    }

    @Test
    void conditionsDecideWhoIsAsked() {
        var url = server.hook("/if", _ -> yaml("{allowed: false}"));
        server.register(
                "Validating",
                "if",
                url,
                "matchConditions: [{name: a, expression: \"object.metadata.name.startsWith('x')\"}]");

        server.pod("a");
        assertThat(refused(() -> server.pod("x1")).text()).contains("denied the request");

        server.register(
                "Validating",
                "odd",
                url,
                "matchConditions: [{name: a, expression: \"object.metadata.labels.none == 'x'\"}]");
        assertThat(refused(() -> server.pod("b")).text())
                .isEqualTo("pods \"b\" is forbidden: expression 'object.metadata.labels.none == 'x'' resulted in"
                        + " error: no such key: labels");
    }

    @Test
    void asksAboutBindingsEvictionsAndConnections() {
        server.pod("a");
        var url = server.hook("/all", _ -> allow());
        server.register("Validating", "all", url, EVERYTHING);

        refused(() -> server.call(Verb.CREATE, "pods/shop/a/exec", "command=ls&command=-l&stdin=true", Body.None.NONE));
        server.call(
                Verb.CREATE, "pods/shop/a/binding", "", Body.of(yaml("{metadata: {name: a}, target: {name: node}}")));
        server.call(Verb.CREATE, "pods/shop/a/eviction", "", Body.of(yaml("{metadata: {name: a}}")));
        server.call(Verb.CREATE, "serviceaccounts/shop/default/token", "", Body.of(yaml("{spec: {}}")));

        assertThat(server.requests.stream()
                        .map(request -> request.string("operation") + " "
                                + request.string("kind", "kind") + " " + request.string("resource", "resource") + "/"
                                + request.string("subResource")))
                .containsExactly(
                        "CONNECT PodExecOptions pods/exec",
                        "CREATE Binding pods/binding",
                        "CREATE Eviction pods/eviction",
                        "CREATE TokenRequest serviceaccounts/token");
        assertThat(server.requests.getFirst().object("object").array("command").strings())
                .isEqualTo(List.of("ls", "-l"));
    }

    @Test
    void speaksToOlderWebhooks() {
        var url = server.hook(
                "/old",
                _ -> yaml("{allowed: true, patch: "
                        + patch("[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"a\": \"b\"}}]")
                                .string("patch")
                        + "}"));
        server.register("Mutating", "old", url, "admissionReviewVersions: [v9, v1beta1, v1]");

        assertThat(server.pod("a").string("metadata", "labels", "a")).isEqualTo("b");
    }

    @Test
    void anApplyIsACreationOrAnUpdate() {
        var url = server.hook("/apply", _ -> patch("""
                [{"op": "add", "path": "/data/hook", "value": "was here"},
                 {"op": "remove", "path": "/metadata/managedFields"}]"""));
        server.register(
                "Mutating",
                "apply",
                url,
                "rules: [{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]");
        var body = new Body.Tree(
                "application/apply-patch+yaml",
                yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}"));

        var made = server.call(Verb.PATCH, "configmaps/shop/c", "fieldManager=me", body)
                .object()
                .tree();
        server.call(Verb.PATCH, "configmaps/shop/c", "fieldManager=me", body);

        assertThat(made.string("data", "hook")).isEqualTo("was here");
        assertThat(made.array("metadata", "managedFields").size()).isEqualTo(1);
        assertThat(server.requests)
                .extracting(request -> request.string("operation"))
                .containsExactly("CREATE", "UPDATE");
    }

    @Test
    void countsInItsOwnLogicalClusterOnly() {
        server.create(
                "logicalclusters.towtank.dev",
                "{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: other}}");
        server.register("Validating", "here", "https://127.0.0.1:1/", EVERYTHING);
        var call = new Call(
                server.user,
                new LogicalCluster("other"),
                Verb.CREATE,
                server.target("configmaps/default"),
                Params.NONE,
                Body.of(yaml("{metadata: {name: a}}")));

        refused(() -> server.create("configmaps/shop", "{metadata: {name: a}}"));
        server.server.api().handle(call);
    }

    @Test
    void aNamespaceCountsAsBeingInItself() {
        var url = server.hook("/ns", _ -> allow());
        server.register(
                "Validating",
                "ns",
                url,
                "namespaceSelector: {matchLabels: {team: blue}}, rules: [{operations:"
                        + " ['*'], apiGroups: [''], apiVersions: [v1], resources: [namespaces, pods]}]");

        server.create("namespaces", "{metadata: {name: sea, labels: {team: blue}}}");
        server.create("namespaces", "{metadata: {name: fire, labels: {team: red}}}");
        server.pod("a");

        assertThat(server.requests)
                .extracting(request -> request.string("namespace"))
                .containsExactly("sea");
    }
}
