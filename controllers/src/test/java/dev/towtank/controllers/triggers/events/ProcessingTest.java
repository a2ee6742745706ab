package dev.towtank.controllers.triggers.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which triggers of a listener an event reaches, in which order, and what comes of each.
class ProcessingTest {

    private static final String OBJECTS = """
            - kind: Trigger
              metadata: {name: near, namespace: team, labels: {who: ours}}
              spec: {bindings: [{name: text, value: near}], template: {ref: note}}
            - kind: Trigger
              metadata: {name: far, namespace: other, labels: {who: ours}}
              spec:
                serviceAccountName: robot
                bindings: [{name: text, value: $(extensions.seen)}]
                template: {ref: note}
            - kind: Trigger
              metadata: {name: foreign, namespace: other}
              spec: {bindings: [{name: text, value: foreign}], template: {ref: note}}
            - kind: TriggerTemplate
              metadata: {name: note, namespace: team}
              spec: &note
                params: [{name: text}, {name: more, default: nothing}]
                resourcetemplates:
                - {apiVersion: v1, kind: ConfigMap, metadata: {generateName: note-}, data: {text: $(tt.params.text)}}
                - {apiVersion: v1, kind: Secret, metadata: {name: $(uid), namespace: own}, data: {more: $(tt.params.more)}}
            - kind: TriggerTemplate
              metadata: {name: note, namespace: other}
              spec: *note
            - kind: TriggerBinding
              metadata: {name: text, namespace: team}
              spec: {params: [{name: text, value: $(body.text)}]}
            - kind: ClusterTriggerBinding
              metadata: {name: text}
              spec: {params: [{name: text, value: $(header.X-Text)}]}
            - kind: Interceptor
              metadata: {name: looks, namespace: team}
              spec: {clientConfig: {service: {name: looks, path: seen}}}
            - kind: ClusterInterceptor
              metadata: {name: stops}
              spec: {clientConfig: {service: {name: stops, namespace: all, port: 9443}, caBundle: PEM}}
            """;

    /// Remembers whom it asked.
    private static final class Here implements World {
        private final List<Resource> objects = ((Json.Arr) YamlText.parse(OBJECTS))
                .objects().stream().map(Resource::of).toList();
        private final List<String> asked = new ArrayList<>();

        @Override
        public Optional<Resource> find(Kind<?> kind, String namespace, String name) {
            return objects.stream()
                    .filter(each -> each.kind().equals(kind.kind())
                            && each.namespace().equals(namespace)
                            && each.name().equals(name))
                    .findFirst();
        }

        @Override
        public List<Resource> triggers(String namespace) {
            return objects.stream()
                    .filter(each -> each.kind().equals("Trigger")
                            && (namespace.equals("*") || each.namespace().equals(namespace)))
                    .toList();
        }

        @Override
        public Json.Obj ask(Destination interceptor, Json.Obj request) {
            asked.add(interceptor + " " + request.string("context", "trigger_id") + " " + request.string("body") + " "
                    + request.object("extensions"));
            var answer = interceptor.toString().contains("looks")
                    ? "{continue: true, extensions: {seen: indeed}}"
                    : "{continue: false, status: {code: 9, message: not today}}";
            return (Json.Obj) YamlText.parse(answer);
        }

        @Override
        public Event pass(Destination webhook, Event event, Json.Arr headers) {
            asked.add(webhook + " " + event.body() + " " + headers);
            return event.with("{\"text\": \"passed\"}", new Headers(Map.of()));
        }

        @Override
        public Secrets secrets(String namespace) {
            return (_, _, _) -> Optional.empty();
        }

        @Override
        public GitHub gitHub() {
            return GitHub.NONE;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public CompiledExpressions expressions() {
            return new CompiledExpressions();
        }

        @Override
        public String newUid() {
            return "u1";
        }
    }

    private final Here world = new Here();

    private List<TriggerOutcome> outcomes(String spec) {
        var listener = Resource.of((Json.Obj) YamlText.parse(
                "{kind: EventListener, metadata: {name: el, namespace: team}, spec: {%s}}".formatted(spec)));
        var headers = new Headers(Map.of("X-Text", List.of("from a header")));
        return new Processing(listener, world)
                .of(new Event("e1", "/", "{\"text\": \"hello\"}", headers, Json.Obj.EMPTY));
    }

    /// The text of each first object, or why there is none.
    private static List<String> told(List<TriggerOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> switch (outcome) {
                    case TriggerOutcome.Make make ->
                        make.trigger() + ": " + make.objects().getFirst().string("data", "text");
                    case TriggerOutcome.Refused refused ->
                        refused.trigger() + ": " + refused.code() + " " + refused.message();
                })
                .toList();
    }

    @Test
    void triggersAreWrittenNamedAndSelected() {
        assertThat(told(outcomes("""
                labelSelector: {matchLabels: {who: ours}},
                namespaceSelector: {matchNames: ['*']},
                triggers: [
                  {name: here, bindings: [{ref: text}], template: {ref: note}},
                  {name: everywhere, bindings: [{ref: text, kind: ClusterTriggerBinding}], template: {ref: note}},
                  {triggerRef: near}, {triggerRef: gone}]
                """)))
                .containsExactly(
                        "near: near",
                        "far: INVALID_ARGUMENT failed to replace JSONPath value for param text: $(extensions.seen):"
                                + " seen is not found",
                        "here: hello",
                        "everywhere: from a header",
                        "near: near",
                        "gone: NOT_FOUND Error getting Trigger gone in Namespace team: it does not exist");
        assertThat(told(outcomes("namespaceSelector: {matchNames: [other]}")))
                .hasSize(2)
                .contains("foreign: foreign");
    }

    @Test
    void whatIsMadeIsOfItsTriggersNamespaceAndLabelled() {
        var made = (TriggerOutcome.Make) outcomes(
                        "triggers: [{name: here, serviceAccountName: robot, bindings: [{ref: text}], template: {ref: note}}]")
                .getFirst();

        assertThat(made.account()).isEqualTo("robot");
        assertThat(made.objects())
                .extracting(each -> each.string("metadata", "namespace"))
                .containsExactly("team", "own");
        assertThat(made.objects().getLast().string("metadata", "name")).isEqualTo("u1");
        assertThat(made.objects().getLast().string("data", "more")).isEqualTo("nothing");
        assertThat(made.objects())
                .allMatch(each -> each.object("metadata", "labels")
                        .toString()
                        .equals(
                                "{\"triggers.tekton.dev/eventlistener\":\"el\",\"triggers.tekton.dev/triggers-eventid\":\"e1\","
                                        + "\"triggers.tekton.dev/trigger\":\"here\"}"));
    }

    @Test
    void aGroupAsksItsInterceptorsOnceAndHandsOnWhatTheyAdd() {
        var outcomes = outcomes("""
                triggerGroups: [{
                  name: all,
                  interceptors: [{ref: {name: looks, kind: NamespacedInterceptor}, params: [{name: a, value: {b: 1}}]}],
                  triggerSelector: {namespaceSelector: {matchNames: [other]}, labelSelector: {matchLabels: {who: ours}}}}]
                """);

        assertThat(told(outcomes)).containsExactly("far: indeed");
        assertThat(((TriggerOutcome.Make) outcomes.getFirst()).account()).isEqualTo("robot");
        assertThat(world.asked)
                .containsExactly("Service[namespace=team, name=looks, port=80, path=seen, authority=]"
                        + " namespaces/team/triggerGroups/all {\"text\": \"hello\"} {}");
    }

    /// One trigger that is stopped stops no other.
    @Test
    void interceptorsOfOthersStopAndChangeAnEvent() {
        assertThat(told(outcomes("""
                triggers: [
                  {name: stopped, interceptors: [{ref: {name: stops}}], bindings: [{ref: text}], template: {ref: note}},
                  {name: changed,
                   interceptors: [
                     {ref: {name: looks, kind: NamespacedInterceptor}},
                     {webhook: {objectRef: {kind: Service, apiVersion: v1, name: old}, header: [{name: A, value: b}]}}],
                   bindings: [{ref: text}], template: {ref: note}},
                  {name: unknown, interceptors: [{ref: {name: nobody}}], bindings: [{ref: text}], template: {ref: note}}]
                """)))
                .containsExactly(
                        "stopped: FAILED_PRECONDITION not today",
                        "changed: passed",
                        "unknown: NOT_FOUND url resolution failed for interceptor nobody with:"
                                + " clusterinterceptor.triggers.tekton.dev \"nobody\" not found");
        assertThat(world.asked)
                .contains(
                        "Service[namespace=all, name=stops, port=9443, path=, authority=PEM]"
                                + " namespaces/team/triggers/stopped {\"text\": \"hello\"} {}",
                        "Service[namespace=team, name=old, port=80, path=, authority=]"
                                + " {\"text\":\"hello\",\"extensions\":{\"seen\":\"indeed\"}} [{\"name\":\"A\",\"value\":\"b\"}]");
    }

    @Test
    void whatATriggerLacksIsTold() {
        assertThat(told(outcomes("""
                triggers: [
                  {name: twice, bindings: [{ref: text}, {name: text, value: x}], template: {ref: note}},
                  {name: without, bindings: [{ref: nobody}], template: {ref: note}},
                  {name: empty, bindings: [{ref: text}], template: {ref: nothing}}]
                """)))
                .containsExactly(
                        "twice: INVALID_ARGUMENT failed to resolve bindings: duplicate param name: text",
                        "without: NOT_FOUND failed to resolve bindings: error getting TriggerBinding nobody: it does not exist",
                        "empty: NOT_FOUND error getting TriggerTemplate nothing: triggertemplate.triggers.tekton.dev"
                                + " \"nothing\" not found");
    }
}
