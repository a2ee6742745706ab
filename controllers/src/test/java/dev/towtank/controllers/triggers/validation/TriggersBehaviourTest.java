package dev.towtank.controllers.triggers.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is refused when it is written, and in which words.
class TriggersBehaviourTest {

    private static final String VALIDATION =
            "admission webhook \"validation.webhook.triggers.tekton.dev\" denied the request: validation failed: ";

    private static String refusal(String kind, String spec) {
        var object = Json.Obj.of("kind", Json.of(kind), "spec", YamlText.parse(spec));
        var behaviour = new TriggersBehaviour(kind);
        return behaviour
                .refusal(behaviour.defaults(object), null)
                .map(StatusError::text)
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            EventListener | {} | expected exactly one, got neither: spec.labelSelector, spec.namespaceSelector, spec.triggerGroups, spec.triggers
            EventListener | triggers: [{name: a}] | expected exactly one, got neither: spec.triggers[0].template, spec.triggers[0].triggerRef
            EventListener | triggers: [{triggerRef: a, template: {ref: b}}] | expected exactly one, got both: spec.triggers[0].template or bindings or interceptors, spec.triggers[0].triggerRef
            EventListener | triggers: [{name: "a b", triggerRef: a}] | invalid value: trigger name 'a b' must be a valid label value: spec.triggers[0].name
            EventListener | triggers: [{template: {ref: b}, interceptors: [{ref: {}}]}] | missing field(s): spec.triggers[0].interceptors[0].interceptor
            EventListener | triggerGroups: [{name: g}] | expected exactly one, got neither: spec.triggerGroups[0].triggerSelector.labelSelector, spec.triggerGroups[0].triggerSelector.namespaceSelector\\nmissing field(s): spec.triggerGroups[0].interceptors
            EventListener | {triggers: [{triggerRef: a}], resources: {kubernetesResource: {spec: {template: {spec: {nodeName: node-1, containers: [{image: i}]}}}}}} | must not set the field(s): spec.resources.kubernetesResource.spec.template.spec.containers[0].image, spec.resources.kubernetesResource.spec.template.spec.nodeName
            Trigger | {template: {ref: a}, bindings: [{ref: b, name: c}]} | expected exactly one, got both: spec.bindings[0].name, spec.bindings[0].ref
            Trigger | {template: {ref: a}, bindings: [{ref: b, kind: Other}]} | invalid value: invalid kind: spec.bindings[0].kind
            Trigger | {template: {ref: a}, bindings: [{name: c}]} | missing field(s): spec.bindings[0].value
            Trigger | {bindings: []} | expected exactly one, got neither: spec.template.ref, spec.template.spec
            TriggerBinding | {} | missing field(s): spec
            TriggerBinding | params: [{name: a, value: b}, {name: a, value: c}] | expected exactly one, got both: spec.params[1].name
            TriggerBinding | params: [{name: a, value: "$(body.x"}] | invalid value: $(body.x: spec.params[0].value
            TriggerTemplate | {params: [{name: a}]} | missing field(s): spec.resourcetemplates
            TriggerTemplate | resourcetemplates: [{metadata: {name: a}}] | missing field(s): spec.resourcetemplates[0].apiVersion, spec.resourcetemplates[0].kind
            ClusterInterceptor | clientConfig: {service: {name: a}} | missing field(s): spec.clientConfig.service.namespace
            """)
    void refusesAsUpstreamDoes(String kind, String spec, String problem) {
        assertThat(refusal(kind, spec)).isEqualTo(VALIDATION + problem.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            EventListener | labelSelector: {matchLabels: {a: b}}
            EventListener | triggers: [{triggerRef: a}]
            Trigger | {template: {ref: a}, bindings: [{ref: b}, {name: c, value: d}], interceptors: [{ref: {name: cel}}]}
            TriggerBinding | params: [{name: a, value: "$(body.x[?(@.y=='z')].w)"}]
            TriggerTemplate | {params: [{name: a}], resourcetemplates: [{apiVersion: v1, kind: ConfigMap, data: {a: $(tt.params.a)}}]}
            Interceptor | clientConfig: {service: {name: a}}
            """)
    void takesWhatIsFine(String kind, String spec) {
        assertThat(refusal(kind, spec)).isEmpty();
    }

    @Test
    void refusesFieldsThatItDoesNotKnow() {
        assertThat(refusal("EventListener", "triggers: [{triggerRef: a, interceptor: []}]"))
                .isEqualTo("admission webhook \"webhook.triggers.tekton.dev\" denied the request: mutation failed:"
                        + " cannot decode incoming new object: json: unknown field \"interceptor\"");
    }

    @Test
    void fillsInTheKindsOfReferences() {
        var object = (Json.Obj) YamlText.parse("""
                kind: Trigger
                spec: {bindings: [{ref: a}], interceptors: [{ref: {name: cel}}]}
                """);

        assertThat(new TriggersBehaviour("Trigger").defaults(object).object("spec"))
                .isEqualTo(YamlText.parse("""
                        bindings: [{ref: a, kind: TriggerBinding}]
                        interceptors: [{ref: {name: cel, kind: ClusterInterceptor}}]
                        """));
    }
}
