package dev.towtank.apiserver.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Objects;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.catalog.BuiltinCatalog;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Nodes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What policies have written down about a request.
class PolicyAnnotationsTest {

    private final Store store = JournaledStore.inMemory();
    private final Map<String, String> noted = new LinkedHashMap<>();
    private final ValidatingPolicies policies = new ValidatingPolicies(
            store,
            new BuiltinCatalog(),
            _ -> new Authorizer.Decision(false, ""),
            (_, key, value) -> noted.put(key, value));

    @AfterEach
    void close() {
        store.close();
    }

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private void put(String resource, String yaml) {
        Objects.put(store, LogicalCluster.DEFAULT, resource + ".admissionregistration.k8s.io", yaml(yaml));
    }

    private void check(String node) {
        var target = new Target("", "v1", "nodes", "", "", "");
        var call = new Call(User.of("jane"), LogicalCluster.DEFAULT, Verb.CREATE, target, Params.NONE, Body.None.NONE);
        policies.check(new Review(call, Nodes.KIND, Review.Operation.CREATE, "", "n1", "", yaml(node), null));
    }

    @Test
    void notesAnnotationsAndAuditedFailures() {
        put("validatingadmissionpolicies", """
                {metadata: {name: p}, spec: {failurePolicy: Fail, matchConstraints: {resourceRules: [{operations: ['*'],
                apiGroups: [''], apiVersions: [v1], resources: [nodes]}]}, validations: [{expression: 'true'},
                {expression: 'false', message: no more nodes}], auditAnnotations: [{key: who, valueExpression:
                request.userInfo.username}]}}
                """);
        put("validatingadmissionpolicybindings", """
                {metadata: {name: b1}, spec: {policyName: p, validationActions: [Audit]}}
                """);
        put("validatingadmissionpolicybindings", """
                {metadata: {name: b2}, spec: {policyName: p, validationActions: [Warn]}}
                """);

        check("{metadata: {name: n1}}");

        assertThat(noted)
                .containsEntry("p/who", "jane")
                .containsEntry(
                        "validation.policy.admission.k8s.io/validation_failure",
                        "[{\"message\":\"no more nodes\",\"policy\":\"p\",\"binding\":\"b1\",\"expressionIndex\":1,"
                                + "\"validationActions\":[\"Audit\"]}]");
    }
}
