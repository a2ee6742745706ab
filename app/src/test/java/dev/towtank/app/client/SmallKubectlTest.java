package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallKubectlTest {

    private static final String WEB = "/apis/apps/v1/namespaces/default/deployments/web";
    private static final String APPLIED = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {app: web}}
            spec: {replicas: 1}
            """;

    private static String object(int revision, String fields, int replicas, String status) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: web
                  resourceVersion: "%d"
                  labels: {app: web}
                  annotations: {by-controller: "%d"}
                  managedFields:
                  - {manager: kubectl, operation: Apply, fieldsV1: {"f:spec": {%s}}}
                  - {manager: controller, operation: Update, subresource: status, fieldsV1: {"f:status": {}}}
                spec: {replicas: %d, paused: false}
                status: {%s}
                """.formatted(revision, revision, fields, replicas, status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            7 | '"f:replicas": {}'                 | 1 | unchanged
            8 | '"f:replicas": {}'                 | 1 | unchanged
            8 | '"f:replicas": {}'                 | 2 | configured
            8 | '"f:replicas": {}, "f:paused": {}' | 1 | configured
            """)
    void applyTellsItsOwnChangesFromThoseOfControllers(int revision, String fields, int replicas, String word)
            throws IOException {
        try (var api = new FakeApi().withKinds();
                var client = api.client()) {
            api.with(WEB, object(7, fields, replicas, "replicas: 0"));
            api.with(
                    WEB + "?fieldManager=kubectl&force=true",
                    object(revision, "\"f:replicas\": {}", 1, "replicas: " + revision));

            var code = new SmallKubectl(client, Map.of("web.yaml", APPLIED), api.out(), api.err())
                    .run(List.of("apply", "-f", "web.yaml"));

            assertThat(api.complained()).isEmpty();
            assertThat(api.printed()).isEqualTo("deployment.apps/web " + word + "\n");
            assertThat(code).isZero();
        }
    }
}
