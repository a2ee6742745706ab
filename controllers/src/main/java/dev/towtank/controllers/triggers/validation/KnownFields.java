package dev.towtank.controllers.triggers.validation;

import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The fields that the specs of our kinds have. One that nobody knows is a typing error that would be ignored.
final class KnownFields {

    /// What may be below a field.
    private record Shape(Map<String, Shape> fields, boolean isFree) {
        static final Shape FREE = new Shape(Map.of(), true);

        /// Fields without anything to check below them, in one text.
        static Shape of(String free) {
            var fields = new HashMap<String, Shape>();
            for (var field : free.split(" ", -1)) {
                fields.put(field, FREE);
            }
            return new Shape(Map.copyOf(fields), false);
        }

        Shape with(String field, Shape shape) {
            var more = new HashMap<>(fields);
            more.put(field, shape);
            return new Shape(Map.copyOf(more), false);
        }
    }

    private static final Shape PARAM = Shape.of("name value");
    private static final Shape TEMPLATE =
            Shape.of("resourcetemplates").with("params", Shape.of("name description default"));
    private static final Shape INTERCEPTOR = Shape.of("name")
            .with("ref", Shape.of("name kind apiVersion"))
            .with("params", PARAM)
            .with("webhook", Shape.of("objectRef url header"));
    private static final Shape TRIGGER = Shape.of("name serviceAccountName")
            .with("bindings", Shape.of("name value ref kind apiversion"))
            .with("template", Shape.of("ref apiversion").with("spec", TEMPLATE))
            .with("interceptors", INTERCEPTOR);
    private static final Shape NAMESPACES = Shape.of("matchNames");
    private static final Shape SELECTOR = Shape.of("labelSelector").with("namespaceSelector", NAMESPACES);
    private static final Shape KUBERNETES = Shape.of("replicas serviceType servicePort serviceLoadBalancerClass spec");
    private static final Shape LISTENER = Shape.of("serviceAccountName labelSelector cloudEventURI")
            .with("triggers", TRIGGER.with("triggerRef", Shape.FREE))
            .with(
                    "triggerGroups",
                    Shape.of("name").with("interceptors", INTERCEPTOR).with("triggerSelector", SELECTOR))
            .with("namespaceSelector", NAMESPACES)
            .with("resources", Shape.of("customResource").with("kubernetesResource", KUBERNETES));
    private static final Shape BINDING = new Shape(Map.of("params", PARAM), false);
    private static final Shape CLIENT = new Shape(
            Map.of("clientConfig", Shape.of("url caBundle").with("service", Shape.of("name namespace path port"))),
            false);

    private static final Map<String, Shape> SPECS = Map.of(
            "EventListener", LISTENER,
            "Trigger", TRIGGER,
            "TriggerBinding", BINDING,
            "ClusterTriggerBinding", BINDING,
            "TriggerTemplate", TEMPLATE,
            "Interceptor", CLIENT,
            "ClusterInterceptor", CLIENT);

    private KnownFields() {}

    /// The first field that is none of ours.
    static Optional<String> unknown(String kind, Json.Obj spec) {
        return unknown(SPECS.getOrDefault(kind, Shape.FREE), spec);
    }

    private static Optional<String> unknown(Shape shape, Json value) {
        if (shape.isFree) {
            return Optional.empty();
        }
        if (value instanceof Json.Arr array) {
            return array.items().stream()
                    .flatMap(item -> unknown(shape, item).stream())
                    .findFirst();
        }
        if (value instanceof Json.Obj object) {
            for (var field : object) {
                var below = shape.fields.get(field.getKey());
                var found = below == null ? Optional.of(field.getKey()) : unknown(below, field.getValue());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }
}
