package dev.towtank.model.kinds.admissionregistration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.KindTrial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidatingAdmissionPoliciesTest {

    private static final KindTrial POLICY = new KindTrial(ValidatingAdmissionPolicies.KIND);
    private static final KindTrial BINDING = new KindTrial(ValidatingAdmissionPolicyBindings.KIND);

    private static String policy(String rest) {
        return """
                metadata: {name: replicas}
                spec:
                  matchConstraints:
                    resourceRules:
                    - {operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}
                """ + rest.indent(2);
    }

    @Test
    void fillsInWhatIsLeftOut() {
        var spec = POLICY.stored(policy("validations: [{expression: 'true'}]")).object("spec");

        assertThat(spec.string("failurePolicy")).isEqualTo("Fail");
        assertThat(spec.string("matchConstraints", "matchPolicy")).isEqualTo("Equivalent");
        assertThat(spec.objects("matchConstraints", "resourceRules").getFirst().string("scope"))
                .isEqualTo("*");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            validations: [{expression: "object.spec.replicas <= 5 && oldObject == null && request.operation == 'CREATE'"}]
            validations: [{expression: "namespaceObject.metadata.labels['a'] == 'b' && namespaceObject.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')"}]
            validations: [{expression: "request.namespace == 'x' && request.userInfo.groups.exists(g, g == 'y') && request.dryRun"}]
            validations: [{expression: "authorizer.requestResource.check('bypass').allowed()"}]
            {paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "params.data.x == 'y'", messageExpression: "'no ' + params.data.x"}]}
            {variables: [{name: a, expression: "1"}, {name: b, expression: "variables.a + 1"}], validations: [{expression: "variables.b == 2"}]}
            auditAnnotations: [{key: who, valueExpression: "request.userInfo.username"}, {key: not, valueExpression: "null"}]
            """)
    void acceptsWhatIsRight(String rest) {
        assertThat(POLICY.errors(policy(flow(rest)))).isEmpty();
    }

    private static String flow(String text) {
        if (!text.startsWith("{")) {
            return text;
        }
        // Top-level entries of a flow mapping, one to a line.
        var lines = new StringBuilder();
        int depth = 0;
        for (char c : text.substring(1, text.length() - 1).toCharArray()) {
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            lines.append(c == ',' && depth == 0 ? '\n' : c);
        }
        return lines.toString().replace("\n ", "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            validations: [{expression: ""}] | spec.validations[0].expression: Required value: expression is not specified
            validations: [{expression: "1 + 1"}] | spec.validations[0].expression: Invalid value: "1 + 1": must evaluate to bool but got int
            validations: [{expression: "object.x"}] | spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn
            validations: [{expression: "true", messageExpression: "1"}] | spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int
            validations: [{expression: "true", messageExpression: " "}] | spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified
            validations: [{expression: "true", message: "a\\nb"}] | spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks
            validations: [{expression: "true", reason: Tired}] | spec.validations[0].reason: Unsupported value: "Tired": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"
            auditAnnotations: [{key: a, valueExpression: "1"}] | spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int
            auditAnnotations: [{key: a, valueExpression: ""}] | spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified
            auditAnnotations: [{key: a, valueExpression: "'x'"}, {key: a, valueExpression: "'y'"}] | spec.auditAnnotations[1].key: Duplicate value: "a"
            {variables: [{name: "for", expression: "1"}], validations: [{expression: "true"}]} | spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier
            {variables: [{name: a, expression: " "}], validations: [{expression: "true"}]} | spec.variables[0].expression: Required value: expression is not specified
            {failurePolicy: Maybe, validations: [{expression: "true"}]} | spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"
            {paramKind: {apiVersion: a/b/c, kind: X}, validations: [{expression: "true"}]} | spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c
            {paramKind: {apiVersion: v1}, validations: [{expression: "true"}]} | spec.paramKind.kind: Required value
            """)
    void saysWhatIsWrong(String rest, String message) {
        assertThat(POLICY.errors(policy(flow(rest)))).containsExactly(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            params.x == 1         | undeclared reference to 'params'
            variables.x == 1      | undeclared reference to 'variables'
            request.nothing == 1  | undefined field 'nothing'
            request.name == 1     | found no matching overload for '_==_'
            object.a ==           | mismatched input
            """)
    void compilesExpressions(String expression, String message) {
        assertThat(POLICY.errors(policy("validations: [{expression: \"" + expression + "\"}]")))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.validations[0].expression: Invalid value: \"" + expression + "\": compilation failed:")
                .contains(message);
    }

    @Test
    void messagesCannotAskForRights() {
        assertThat(POLICY.errors(policy("validations: [{expression: 'true', messageExpression:"
                        + " \"authorizer.path('/').check('get').reason()\"}]")))
                .singleElement()
                .asString()
                .contains("undeclared reference to 'authorizer'");
    }

    @Test
    void needsSomethingToDoAndToMatch() {
        assertThat(POLICY.errors("{metadata: {name: a}, spec: {}}"))
                .containsExactly(
                        "spec.matchConstraints: Required value",
                        "spec.validations: Required value: validations or auditAnnotations must contain at least one"
                                + " item",
                        "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least"
                                + " one item");
        assertThat(POLICY.errors(
                        "{metadata: {name: a}, spec: {matchConstraints: {}, validations: [{expression: 'true'}]}}"))
                .containsExactly("spec.matchConstraints.resourceRules: Required value");
    }

    @Test
    void showsParameters() {
        assertThat(POLICY.headings()).containsExactly("Name", "Validations", "ParamKind", "Age");
        assertThat(POLICY.row(
                        policy("paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{}, {}]"),
                        "2026-01-01T00:00:00Z"))
                .startsWith("replicas", "2", "v1/ConfigMap");
        assertThat(BINDING.headings()).containsExactly("Name", "PolicyName", "ParamRef", "Age");
        assertThat(BINDING.row(
                        "{metadata: {name: b}, spec: {policyName: p, paramRef: {name: x}}}", "2026-01-01T00:00:00Z"))
                .startsWith("b", "p", "*/x");
        assertThat(BINDING.row("{metadata: {name: b}, spec: {policyName: p}}", "2026-01-01T00:00:00Z"))
                .startsWith("b", "p", "<unset>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {validationActions: [Deny]}                                   | spec.policyName: Required value
            {policyName: p}                                               | spec.validationActions: Required value: at least one validation action is required
            {policyName: p, validationActions: [Scold]}                   | spec.validationActions[0]: Unsupported value: "Scold": supported values: "Audit", "Deny", "Warn"
            {policyName: p, validationActions: [Deny, Deny]}              | spec.validationActions[1]: Duplicate value: "Deny"
            {policyName: p, validationActions: [Deny, Warn]}              | spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)
            {policyName: p, validationActions: [Deny], paramRef: {name: x}} | spec.paramRef.parameterNotFoundAction: Required value
            {policyName: p, validationActions: [Deny], paramRef: {name: x, parameterNotFoundAction: Fail}} | spec.paramRef.parameterNotFoundAction: Unsupported value: "Fail": supported values: "Deny", "Allow"
            {policyName: p, validationActions: [Deny], paramRef: {parameterNotFoundAction: Deny}} | spec.paramRef: Required value: one of name or selector must be specified
            {policyName: p, validationActions: [Deny], matchResources: {resourceRules: [{resourceNames: [a, a], operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]}} | spec.matchResources.resourceRules[0].resourceNames[1]: Duplicate value: "a"
            """)
    void bindingsSayWhatIsWrong(String spec, String message) {
        assertThat(BINDING.errors("{metadata: {name: b}, spec: " + spec + "}")).containsExactly(message);
    }
}
