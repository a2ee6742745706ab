package dev.towtank.apiserver.admission.policy;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.webhooks.HookedServer;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidatingPoliciesTest {

    private static final String GROUP = ".admissionregistration.k8s.io";

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

    private void policy(String resource, String spec) {
        int slash = resource.indexOf('/');
        var group = slash < 0 ? "" : resource.substring(0, slash);
        server.create("validatingadmissionpolicies" + GROUP, """
                {metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{operations: ['*'], apiGroups: ['%s'],
                apiVersions: ['*'], resources: ['%s']}]}, %s}}
                """.formatted(group, resource.substring(slash + 1), spec));
    }

    private void bind(String name, String spec) {
        server.create(
                "validatingadmissionpolicybindings" + GROUP,
                "{metadata: {name: " + name + "}, spec: {policyName: p, " + spec + "}}");
    }

    private StatusError refusal(String name, String data) {
        return refused(() -> configMap(name, data));
    }

    private void configMap(String name, String data) {
        server.create("configmaps/shop", "{metadata: {name: " + name + "}, data: " + data + "}");
    }

    @Test
    void refusesWhatAPolicyDoesNotAllow() {
        policy(
                "configmaps",
                "validations: [{expression: 'has(object.data) && has(object.data.owner)', message: 'who owns it?'}]");
        configMap("before", "{}");
        bind("b", "validationActions: [Deny]");

        var refusal = refusal("a", "{}");

        assertThat(refusal.text())
                .isEqualTo("configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied"
                        + " request: who owns it?");
        assertThat(refusal.toJson().integer("code")).isEqualTo(422);
        assertThat(refusal.toJson().string("reason")).isEqualTo("Invalid");
        assertThat(refusal.details().objects("causes").getFirst().string("message"))
                .isEqualTo("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: who owns it?");
        configMap("a", "{owner: me}");
        assertThat(refused(() -> server.merge("configmaps/shop/a", "{data: {owner: null}}"))
                        .text())
                .endsWith("who owns it?");

        server.delete("validatingadmissionpolicybindings" + GROUP + "//b");
        configMap("c", "{}");
    }

    @ParameterizedTest
    @CsvSource({"Forbidden, 403", "RequestEntityTooLarge, 413", "Invalid, 422"})
    void refusesWithTheReasonGiven(String reason, int code) {
        policy("configmaps", "validations: [{expression: 'false', reason: " + reason + "}]");
        bind("b", "validationActions: [Deny]");

        var json = refusal("a", "{}").toJson();

        assertThat(json.string("reason")).isEqualTo(reason);
        assertThat(json.integer("code")).isEqualTo(code);
    }

    @Test
    void warnsWhereThatIsAll() {
        policy("configmaps", "validations: [{expression: 'false', message: hm}]");
        bind("b", "validationActions: [Warn, Audit]");

        var answer =
                server.call(Verb.CREATE, "configmaps/shop", "", Body.of(HookedServer.yaml("{metadata: {name: a}}")));

        assertThat(answer.warnings())
                .containsExactly("Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': hm");
    }

    private static final String PARAMETERIZED = "paramKind: {apiVersion: v1, kind: ConfigMap}, validations:"
            + " [{expression: 'object.spec.containers.size() <= int(params.data.most)', messageExpression:"
            + " \"'at most ' + params.data.most + ' by ' + params.metadata.name\"}]";

    private StatusError twoContainers() {
        return refused(() -> server.create(
                "pods/shop", "{metadata: {name: a}, spec: {containers: [{name: a, image: b}, {name: c, image: d}]}}"));
    }

    @Test
    void takesParametersByName() {
        policy("pods", PARAMETERIZED);
        bind(
                "b",
                "validationActions: [Deny], paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}");

        assertThat(twoContainers().text())
                .endsWith("denied request: failed to configure binding: no params found for policy binding with `Deny`"
                        + " parameterNotFoundAction");
        server.create("configmaps/default", "{metadata: {name: limits}, data: {most: '1'}}");
        assertThat(twoContainers().text()).endsWith("denied request: at most 1 by limits");
        server.merge("configmaps/default/limits", "{data: {most: '2'}}");
        server.create("pods/shop", "{metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}");
    }

    @Test
    void takesParametersByLabelFromTheNamespaceOfTheRequest() {
        policy("pods", PARAMETERIZED);
        bind(
                "b",
                "validationActions: [Deny], paramRef: {selector: {matchLabels: {kind: limit}},"
                        + " parameterNotFoundAction: Allow}");
        server.create("configmaps/default", "{metadata: {name: z, labels: {kind: limit}}, data: {most: '0'}}");
        server.pod("free");

        server.create("configmaps/shop", "{metadata: {name: w, labels: {kind: limit}}, data: {most: '9'}}");
        server.create("configmaps/shop", "{metadata: {name: x, labels: {kind: limit}}, data: {most: '1'}}");

        assertThat(twoContainers().text()).endsWith("at most 1 by x");
    }

    @Test
    void aKindThatNobodyServesIsAMistakeOfThePolicy() {
        policy(
                "configmaps",
                "paramKind: {apiVersion: example.com/v1, kind: Limit}, validations: [{expression: 'true'}]");
        bind("b", "validationActions: [Deny], paramRef: {name: x, parameterNotFoundAction: Deny}");

        assertThat(refusal("a", "{}").text())
                .endsWith("ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find"
                        + " resource referenced by paramKind: 'example.com/v1, Kind=Limit'");
        server.merge("validatingadmissionpolicies" + GROUP + "//p", "{spec: {failurePolicy: Ignore}}");
        configMap("a", "{}");
    }

    @Test
    void knowsTheNamespaceAndTheRightsOfTheUser() {
        policy(
                "configmaps",
                "validations: [{expression: \"namespaceObject.metadata.labels['team'] == 'red' &&"
                        + " (request.name != 'secret' || authorizer.requestResource.check('touch').allowed())\"}]");
        bind("b", "validationActions: [Deny]");
        configMap("secret", "{}");

        server.create(
                "clusterroles.rbac.authorization.k8s.io",
                "{metadata: {name: writer}, rules: [{apiGroups: [''],"
                        + " resources: [configmaps], verbs: [create]}]}");
        server.create(
                "clusterrolebindings.rbac.authorization.k8s.io",
                "{metadata: {name: writer}, roleRef: {apiGroup:"
                        + " rbac.authorization.k8s.io, kind: ClusterRole, name: writer}, subjects: [{apiGroup:"
                        + " rbac.authorization.k8s.io, kind: User, name: joe}]}");
        server.delete("configmaps/shop/secret");
        server.user = User.of("joe", User.ALL_AUTHENTICATED);
        configMap("other", "{}");
        assertThat(refusal("secret", "{}").text()).contains("denied request: failed expression");
    }

    @Test
    void bindingsNarrowWherePoliciesCount() {
        policy("configmaps", "validations: [{expression: 'false'}]");
        bind(
                "b",
                "validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {team: red}},"
                        + " resourceRules: [{resourceNames: [a], operations: [CREATE], apiGroups: [''], apiVersions: [v1],"
                        + " resources: [configmaps]}]}");

        assertThat(refusal("a", "{}").text()).contains("denied request");
        configMap("b", "{}");
        server.create("configmaps/default", "{metadata: {name: a}}");
    }

    @Test
    void looksAtDeletionsScalesAndCustomResources() {
        server.create("customresourcedefinitions.apiextensions.k8s.io", """
                {metadata: {name: gadgets.example.com}, spec: {group: example.com, scope: Namespaced, names: {plural:
                gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}, versions: [{name: v1, served: true,
                storage: true, subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}, schema:
                {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}
                """);
        server.create(
                "gadgets.example.com/shop",
                "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, spec: {size: 1}}");
        server.create("validatingadmissionpolicies" + GROUP, """
                {metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{operations: ['*'], apiGroups:
                [example.com], apiVersions: ['*'], resources: [gadgets, gadgets/scale]}]}, validations: [
                {expression: "request.operation != 'DELETE' || oldObject.spec.size == 0", message: not empty},
                {expression: "request.operation == 'DELETE' || !has(request.subResource) || !has(object.spec.replicas)
                || object.spec.replicas < 5", message: too many},
                {expression: "request.operation != 'CREATE' || object.spec.size > 0", message: too few}]}}
                """);
        bind("b", "validationActions: [Deny]");

        assertThat(refused(() -> server.create(
                                "gadgets.example.com/shop",
                                "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: b}, spec: {size: 0}}"))
                        .text())
                .isEqualTo("gadgets.example.com \"b\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b'"
                        + " denied request: too few");
        assertThat(refused(() -> server.merge("gadgets.example.com/shop/a/scale", "{spec: {replicas: 5}}"))
                        .text())
                .endsWith("denied request: too many");
        assertThat(refused(() -> server.delete("gadgets.example.com/shop/a")).text())
                .endsWith("denied request: not empty");
        server.merge("gadgets.example.com/shop/a/scale", "{spec: {replicas: 0}}");
        server.delete("gadgets.example.com/shop/a");
    }

    @Test
    void policiesAreNotAskedAboutPolicies() {
        server.create("validatingadmissionpolicies" + GROUP, """
                {metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{operations: ['*'], apiGroups: ['*'],
                apiVersions: ['*'], resources: ['*/*']}]}, validations: [{expression: 'false'}]}}
                """);
        bind("b", "validationActions: [Deny]");

        assertThat(refusal("a", "{}").text()).contains("denied request");
        server.merge("validatingadmissionpolicies" + GROUP + "//p", "{spec: {validations: [{expression: 'true'}]}}");
        configMap("a", "{}");
    }

    @Test
    void itsStatusTellsWhichExpressionsDoNotFit() {
        server.create("validatingadmissionpolicies" + GROUP, """
                {metadata: {name: p}, spec: {paramKind: {apiVersion: v1, kind: ConfigMap}, matchConstraints: {resourceRules:
                [{operations: ['*'], apiGroups: [apps], apiVersions: [v1], resources: [deployments, replicasets/scale]}]},
                variables: [{name: count, expression: object.spec.replicas}], validations: [
                {expression: 'object.spec.replicas > 1 && oldObject == null && variables.count > 1'},
                {expression: "object.spec.template.spec.containers.all(c, c.image != '') && object.metadata.labels['a'] == params.data.x"},
                {expression: 'object.spec.replica > 1', messageExpression: "'x' + object.metadata.nam"},
                {expression: "variables.count == 'x' || object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')"}]}}
                """);

        var status = server.get("validatingadmissionpolicies" + GROUP + "//p").object("status");

        assertThat(status.integer("observedGeneration")).isEqualTo(1);
        assertThat(status.objects("typeChecking", "expressionWarnings"))
                .extracting(warning -> warning.string("fieldRef"))
                .containsExactly(
                        "spec.validations[2].expression",
                        "spec.validations[2].messageExpression",
                        "spec.validations[3].expression");
        assertThat(status.objects("typeChecking", "expressionWarnings")
                        .getFirst()
                        .string("warning"))
                .startsWith("apps/v1, Kind=Deployment: compilation failed: ERROR: <input>:1:12: undefined field"
                        + " 'replica'");

        var changed = server.merge(
                "validatingadmissionpolicies" + GROUP + "//p", "{spec: {validations: [{expression:" + " 'true'}]}}");
        assertThat(changed.integer("metadata", "generation")).isEqualTo(2);
        assertThat(changed.object("status").toString()).isEqualTo("{\"observedGeneration\":2,\"typeChecking\":{}}");
    }

    @Test
    void nobodyBindsPoliciesToWhatTheyMayNotRead() {
        policy("pods", PARAMETERIZED);
        server.create(
                "clusterroles.rbac.authorization.k8s.io",
                "{metadata: {name: policies}, rules: [{apiGroups:"
                        + " [admissionregistration.k8s.io], resources: ['*'], verbs: ['*']}]}");
        server.create(
                "clusterrolebindings.rbac.authorization.k8s.io",
                "{metadata: {name: policies}, roleRef: {apiGroup:"
                        + " rbac.authorization.k8s.io, kind: ClusterRole, name: policies}, subjects: [{apiGroup:"
                        + " rbac.authorization.k8s.io, kind: User, name: joe}]}");
        server.user = User.of("joe", User.ALL_AUTHENTICATED);

        assertThat(refused(() -> bind(
                                "b",
                                "validationActions: [Deny], paramRef: {name: x, namespace: default,"
                                        + " parameterNotFoundAction: Deny}"))
                        .text())
                .isEqualTo("ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io \"b\" is invalid:"
                        + " spec.paramRef: Forbidden: user joe does not have \"get\" permission on the object"
                        + " referenced by paramRef");
        bind("c", "validationActions: [Deny]");
        assertThat(refused(() -> server.create("validatingadmissionpolicies" + GROUP, """
                {metadata: {name: q}, spec: {paramKind: {apiVersion: v1, kind: Secret}, matchConstraints: {resourceRules:
                [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]}, validations:
                [{expression: 'true'}]}}
                """))
                        .text())
                .endsWith("spec.paramKind: Forbidden: user joe must have \"get\" permission on all objects of the"
                        + " referenced paramKind (kind=Secret, apiVersion=v1)");
    }
}
