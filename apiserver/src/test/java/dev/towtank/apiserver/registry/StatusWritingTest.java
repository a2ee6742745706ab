package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.patch.MergePatch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a write of the status writes beside it: of most kinds all metadata, of some nothing or a part.
class StatusWritingTest {

    private static final String TEMPLATE =
            "template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: 'b:1'}]}}";
    private static final String SELECTED = "{selector: {matchLabels: {app: a}}, " + TEMPLATE + "}";
    private static final String ONCE = TEMPLATE.replace("containers:", "restartPolicy: Never, containers:");

    private static final Json.Obj METADATA = TestApi.json("""
            {"metadata":{"labels":{"by":"status"},"annotations":{"by":"status"},"finalizers":["example.com/hold"],
             "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u"}]}}""");

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    private void create(String resource, String spec) {
        var filled = spec.replace("SELECTED", SELECTED).replace("ONCE", "{" + ONCE + "}");
        api.create(resource, "{metadata: {name: one}, spec: " + filled + "}");
    }

    private static String path(String resource) {
        return resource + (resource.contains("/") ? "/one" : "//one");
    }

    private static List<String> written(Json.Obj object) {
        return METADATA.object("metadata").keys().stream()
                .filter(object.object("metadata")::has)
                .sorted()
                .toList();
    }

    private static List<String> listed(String names) {
        return names == null ? List.of() : List.of(names.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            daemonsets.apps/default              | SELECTED                         | annotations finalizers labels ownerReferences
            deployments.apps/default             | SELECTED                         | annotations finalizers ownerReferences
            replicasets.apps/default             | SELECTED                         | annotations finalizers labels ownerReferences
            statefulsets.apps/default            | SELECTED                         | annotations finalizers labels ownerReferences
            jobs.batch/default                   | ONCE                             | annotations finalizers labels ownerReferences
            cronjobs.batch/default               | {schedule: '1 1 1 1 *', jobTemplate: {spec: ONCE}} | annotations finalizers labels ownerReferences
            poddisruptionbudgets.policy/default  | {minAvailable: 1}                | annotations finalizers labels ownerReferences
            resourcequotas/default               | {hard: {pods: '1'}}              | annotations finalizers labels ownerReferences
            services/default                     | {clusterIP: None, ports: [{port: 80}]} | annotations finalizers labels ownerReferences
            pods/default                         | {containers: [{name: c, image: 'b:1'}]} | annotations finalizers labels
            nodes                                | {}                               | annotations finalizers labels ownerReferences
            namespaces                           | {}                               | annotations finalizers labels ownerReferences
            """)
    void keepsWhatTheKindLetsItWrite(String resource, String spec, String expected) {
        create(resource, spec);
        var before = api.get(path(resource));

        api.one(Verb.PATCH, path(resource) + "/status", "dryRun=All", TestApi.patch("merge", METADATA.toString()));
        assertThat(api.get(path(resource))).isEqualTo(before);
        var patched = api.patch(path(resource) + "/status", "merge", METADATA.toString());
        assertThat(written(patched)).isEqualTo(listed(expected));

        var none = MergePatch.apply(api.get(path(resource)), JsonText.parse("""
                        {"metadata":{"labels":null,"annotations":null,"finalizers":null,"ownerReferences":null}}"""));
        var cleared = api.update(path(resource) + "/status", (Json.Obj) none);
        assertThat(cleared.string("metadata", "labels", "by")).isEmpty();
        assertThat(written(cleared)).doesNotContain("annotations", "finalizers", "ownerReferences");
        assertThat(api.get(path(resource)).object("spec")).isEqualTo(before.object("spec"));
    }

    @Test
    void ofAPolicyItKeepsNothingElse() {
        api.create("validatingadmissionpolicies.admissionregistration.k8s.io", """
                metadata: {name: one}
                spec:
                  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
                  validations: [{expression: 'true'}]
                """);
        var path = "validatingadmissionpolicies.admissionregistration.k8s.io//one";

        assertThat(written(api.patch(path + "/status", "merge", METADATA.toString())))
                .isEmpty();
    }

    private Json.Obj apply(String path, String query, String yaml) {
        var body = new Body.Text("application/apply-patch+yaml", yaml.getBytes(StandardCharsets.UTF_8));
        return api.one(Verb.PATCH, path, query, body).object().tree();
    }

    @Test
    void takesNoLabelOfAnotherUnlessForced() {
        create("replicasets.apps/default", "SELECTED");
        var path = path("replicasets.apps/default");
        api.one(
                Verb.PATCH,
                path,
                "fieldManager=me",
                TestApi.patch("merge", "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}"));
        var other =
                "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: one, labels: {a: '2'}}, status: {replicas: 0}}";

        assertThat(refused(() -> apply(path + "/status", "fieldManager=you", other))
                        .text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"me\" using apps/v1: .metadata.labels.a");
        assertThat(apply(path + "/status", "fieldManager=you&force=true", other).string("metadata", "labels", "a"))
                .isEqualTo("2");
    }

    @Test
    void hasNoSayAboutLabelsThatItDoesNotWrite() {
        create("deployments.apps/default", "SELECTED");
        var path = path("deployments.apps/default");
        api.one(
                Verb.PATCH,
                path,
                "fieldManager=me",
                TestApi.patch("merge", "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}"));

        var applied = apply(
                path + "/status",
                "fieldManager=you",
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: one, labels: {a: '2'}}, status: {replicas: 2}}");

        assertThat(applied.string("metadata", "labels", "a")).isEqualTo("1");
        assertThat(applied.objects("metadata", "managedFields"))
                .filteredOn(owner -> owner.string("manager").equals("you"))
                .singleElement()
                .extracting(owner -> owner.object("fieldsV1").toString())
                .isEqualTo("{\"f:status\":{\"f:replicas\":{}}}");
    }
}
