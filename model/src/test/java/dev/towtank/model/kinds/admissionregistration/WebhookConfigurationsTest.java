package dev.towtank.model.kinds.admissionregistration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConfigurationsTest {

    private static final KindTrial MUTATING = new KindTrial(MutatingWebhookConfigurations.KIND);
    private static final KindTrial VALIDATING = new KindTrial(ValidatingWebhookConfigurations.KIND);

    private static final String GOOD = """
            metadata: {name: hooks}
            webhooks:
            - name: pods.example.com
              clientConfig: {service: {namespace: shop, name: hook}}
              rules:
              - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
              sideEffects: None
              admissionReviewVersions: [v1]
            """;

    @Test
    void fillsInWhatIsLeftOut() {
        var hook = MUTATING.stored(GOOD).objects("webhooks").getFirst();

        assertThat(hook.string("failurePolicy")).isEqualTo("Fail");
        assertThat(hook.string("matchPolicy")).isEqualTo("Equivalent");
        assertThat(hook.get("namespaceSelector")).isEqualTo(Json.Obj.EMPTY);
        assertThat(hook.get("objectSelector")).isEqualTo(Json.Obj.EMPTY);
        assertThat(hook.integer("timeoutSeconds")).isEqualTo(10);
        assertThat(hook.string("reinvocationPolicy")).isEqualTo("Never");
        assertThat(hook.integer("clientConfig", "service", "port")).isEqualTo(443);
        assertThat(hook.objects("rules").getFirst().string("scope")).isEqualTo("*");
        assertThat(VALIDATING.stored(GOOD).objects("webhooks").getFirst().has("reinvocationPolicy"))
                .isFalse();
    }

    @Test
    void acceptsWhatIsRight() {
        assertThat(MUTATING.errors(GOOD)).isEmpty();
        assertThat(VALIDATING.errors(GOOD)).isEmpty();
    }

    @Test
    void showsHowManyThereAre() {
        assertThat(MUTATING.headings()).containsExactly("Name", "Webhooks", "Age");
        assertThat(MUTATING.row(
                        GOOD.replace("{name: hooks}", "{name: hooks, creationTimestamp: '2026-01-01T00:00:00Z'}"),
                        "2026-01-01T00:01:00Z"))
                .containsExactly("hooks", "1", "60s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name: pods.example.com      | name: x               | webhooks[0].name: Invalid value: "x": should be a domain with at least three segments separated by dots
            name: pods.example.com      | name: ''              | webhooks[0].name: Required value
            sideEffects: None           | sideEffects: Some     | webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"
            sideEffects: None           | failurePolicy: Fail   | webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun
            sideEffects: None           | {sideEffects: None, timeoutSeconds: 31} | webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds
            sideEffects: None           | {sideEffects: None, failurePolicy: Maybe} | webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"
            sideEffects: None           | {sideEffects: None, reinvocationPolicy: Often} | webhooks[0].reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"
            sideEffects: None           | {sideEffects: None, matchPolicy: Some} | webhooks[0].matchPolicy: Unsupported value: "Some": supported values: "Equivalent", "Exact"
            sideEffects: None           | {sideEffects: None, matchConditions: [{name: a, expression: "1"}]} | webhooks[0].matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int
            sideEffects: None           | {sideEffects: None, matchConditions: [{name: a, expression: " "}]} | webhooks[0].matchConditions[0].expression: Required value
            sideEffects: None           | {sideEffects: None, matchConditions: [{name: a, expression: "true"}, {name: a, expression: "request.namespace == 'x' && request.userInfo.username != ''"}]} | webhooks[0].matchConditions[1].name: Duplicate value: "a"
            admissionReviewVersions: [v1] | admissionReviewVersions: [v2] | webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1
            admissionReviewVersions: [v1] | admissionReviewVersions: [v1, v1] | webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version
            admissionReviewVersions: [v1] | admissionReviewVersions: [] | webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1
            {service: {namespace: shop, name: hook}} | {} | webhooks[0].clientConfig: Required value: exactly one of url or service is required
            {service: {namespace: shop, name: hook}} | {url: 'http://x/y'} | webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]
            {service: {namespace: shop, name: hook}} | {service: {namespace: shop, name: hook, path: ab}} | webhooks[0].clientConfig.service.path: Invalid value: "ab": must start with a '/'
            operations: [CREATE]        | operations: []        | webhooks[0].rules[0].operations: Required value
            operations: [CREATE]        | operations: ['*', CREATE] | webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations
            operations: [CREATE]        | operations: [PATCH]   | webhooks[0].rules[0].operations[0]: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"
            apiGroups: [""]             | apiGroups: ['*', apps] | webhooks[0].rules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other API groups
            apiVersions: [v1]           | apiVersions: [""]     | webhooks[0].rules[0].apiVersions[0]: Required value
            resources: [pods]           | resources: []         | webhooks[0].rules[0].resources: Required value
            resources: [pods]           | resources: ['*/*', pods] | webhooks[0].rules[0].resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources
            resources: [pods]           | resources: ['*', pods] | webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources
            resources: [pods]           | resources: ['pods/*', pods/status] | webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status
            resources: [pods]           | resources: ['*/status', pods/status] | webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if '*/status' is present, must not specify pods/status
            resources: [pods]           | {resources: [pods], scope: Some} | webhooks[0].rules[0].scope: Unsupported value: "Some": supported values: "*", "Cluster", "Namespaced"
            """)
    void saysWhatIsWrong(String from, String to, String message) {
        // A flow mapping stands for several lines, so that one row of the table is one change.
        boolean flow = to.startsWith("{") && !from.startsWith("{");
        var replacement = flow ? to.substring(1, to.length() - 1) : to;
        var text = flow && !from.startsWith("resources")
                ? GOOD.replace(from, replacement.replaceFirst(", ", "\n  "))
                : GOOD.replace(from, replacement);

        assertThat(MUTATING.errors(text)).containsExactly(message);
    }

    @Test
    void namesAreUnique() {
        var twice = GOOD + GOOD.substring(GOOD.indexOf("- name"));

        assertThat(MUTATING.errors(twice)).containsExactly("webhooks[1].name: Duplicate value: \"pods.example.com\"");
    }

    @Test
    void whatWasBrokenBeforeMayStayBroken() {
        var old = MUTATING.stored(GOOD.replace("sideEffects: None", "sideEffects: Some"));

        assertThat(MUTATING.updateErrors(old, old)).isEmpty();
        assertThat(MUTATING.updateErrors(GOOD, GOOD.replace("sideEffects: None", "sideEffects: Some")))
                .isEqualTo(List.of("webhooks[0].sideEffects: Unsupported value: \"Some\": supported values: \"None\","
                        + " \"NoneOnDryRun\""));
    }
}
