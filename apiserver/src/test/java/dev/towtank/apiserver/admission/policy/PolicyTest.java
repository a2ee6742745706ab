package dev.towtank.apiserver.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.kinds.admissionregistration.AdmissionScopes;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Policy policy(String spec) {
        return Policy.read(yaml("{metadata: {name: p}, spec: " + spec + "}"));
    }

    private static Policy.Result evaluate(String spec) {
        var values = new HashMap<String, Json>();
        values.put(AdmissionScopes.OBJECT, yaml("{metadata: {name: web}, spec: {replicas: 3}}"));
        values.put(AdmissionScopes.OLD_OBJECT, Json.Null.NULL);
        values.put(AdmissionScopes.REQUEST, yaml("{operation: CREATE, namespace: shop, userInfo: {username: jane}}"));
        values.put(AdmissionScopes.PARAMS, yaml("{data: {most: '2'}}"));
        values.put(AdmissionScopes.NAMESPACE, yaml("{metadata: {labels: {env: prod}}}"));
        return policy(spec).evaluate(new Activation(values));
    }

    private static List<String> messages(String spec) {
        return evaluate(spec).failures().stream().map(Policy.Failure::message).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            object.spec.replicas < 5
            oldObject == null
            request.operation == 'CREATE' && request.namespace == 'shop' && request.userInfo.username == 'jane'
            namespaceObject.metadata.labels['env'] == 'prod'
            !has(object.spec.paused)
            """)
    void admitsWhatHolds(String expression) {
        assertThat(messages("{validations: [{expression: \"" + expression + "\"}]}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            expression: "object.spec.replicas < 2"                                   | failed expression: object.spec.replicas < 2
            {expression: "false", message: " too many "}                             | too many
            {expression: "false", message: m, messageExpression: "'at most ' + string(1)"} | at most 1
            {expression: "false", message: m, messageExpression: "''"}               | m
            {expression: "false", message: m, messageExpression: "'a\\\\nb'"} | m
            {expression: "false", message: m, messageExpression: "object.none"}      | compilation error: must evaluate to string but got dyn
            {expression: "false", message: m, messageExpression: "string(object.none)"} | m
            {expression: "object.spec.none == 1"}                                    | expression 'object.spec.none == 1' resulted in error: no such key: none
            """)
    void saysWhatDoesNotHold(String validation, String message) {
        var text = validation.startsWith("{") ? validation : "{" + validation + "}";

        assertThat(messages("{validations: [" + text + "]}")).containsExactly(message);
    }

    @Test
    void anErrorCountsAsItsFailurePolicySays() {
        assertThat(messages("{failurePolicy: Ignore, validations: [{expression: 'object.none == 1'}]}"))
                .isEmpty();
        assertThat(messages("{failurePolicy: Ignore, validations: [{expression: 'object.none == 1'}, {expression:"
                        + " 'false'}]}"))
                .containsExactly("failed expression: false");
    }

    @Test
    void keepsTheReasonAndThePlaceOfAFailure() {
        assertThat(evaluate("{validations: [{expression: 'true'}, {expression: 'false', reason: Forbidden}]}")
                        .failures())
                .containsExactly(new Policy.Failure("failed expression: false", "Forbidden", 1));
    }

    @Test
    void usesVariablesAndParameters() {
        assertThat(messages("{paramKind: {apiVersion: v1, kind: ConfigMap}, variables: [{name: most, expression:"
                        + " 'int(params.data.most)'}], validations: [{expression: 'object.spec.replicas <="
                        + " variables.most', messageExpression: \"'at most ' + string(variables.most)\"}]}"))
                .containsExactly("at most 2");
    }

    @Test
    void conditionsComeFirst() {
        var failing = "validations: [{expression: 'false'}]";

        assertThat(messages("{matchConditions: [{name: a, expression: 'false'}], " + failing + "}"))
                .isEmpty();
        assertThat(messages("{matchConditions: [{name: a, expression: 'true'}], " + failing + "}"))
                .hasSize(1);
        assertThat(messages("{matchConditions: [{name: a, expression: 'object.no == 1'}], " + failing + "}"))
                .containsExactly("expression 'object.no == 1' resulted in error: no such key: no");
        assertThat(messages(
                        "{matchConditions: [{name: a, expression: 'object.no == 1'}, {name: b, expression: 'false'}],"
                                + failing + "}"))
                .isEmpty();
        assertThat(messages("{failurePolicy: Ignore, matchConditions: [{name: a, expression: 'object.no == 1'}], "
                        + failing + "}"))
                .isEmpty();
    }

    @Test
    void notesWhatItIsAskedTo() {
        var result = evaluate("{auditAnnotations: [{key: a, valueExpression: \"'x ' + object.metadata.name\"}, {key: b,"
                + " valueExpression: 'null'}, {key: c, valueExpression: \"' '\"}, {key: d, valueExpression:"
                + " 'string(object.none)'}]}");

        assertThat(result.notes()).containsExactly(new Policy.Note("a", "x web"));
        assertThat(result.broken())
                .containsExactly("expression 'string(object.none)' resulted in error: no such key: none");
    }

    @Test
    void stopsWhenItTakesTooLong() {
        var ten = "[1,2,3,4,5,6,7,8,9,10]";
        var slow = "%s.all(a, %s.all(b, %s.all(c, %s.all(d, %s.all(e, a + b + c + d + e > 0)))))".replace("%s", ten);
        var one = "{expression: '" + slow + "'}";

        assertThat(messages("{validations: [" + one + "]}"))
                .containsExactly(
                        "expression '" + slow + "' resulted in error: operation cancelled: actual cost limit exceeded");
        var condition = "{name: a, expression: '" + slow + "'}";
        assertThat(messages("{matchConditions: [" + (condition + ",").repeat(2) + condition
                        + "], validations: [{expression: 'true'}]}"))
                .containsExactly("validation failed due to running out of cost budget, no further validation rules will"
                        + " be run");
    }
}
