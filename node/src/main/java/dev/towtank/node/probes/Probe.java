package dev.towtank.node.probes;

import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A probe of a container, as its spec says.
public record Probe(
        Purpose purpose,
        Check check,
        Duration initialDelay,
        Duration period,
        Duration timeout,
        int successThreshold,
        int failureThreshold) {

    public enum Purpose {
        STARTUP("startupProbe", "Startup"),
        READINESS("readinessProbe", "Readiness"),
        LIVENESS("livenessProbe", "Liveness");

        private final String field;
        private final String title;

        Purpose(String field, String title) {
            this.field = field;
            this.title = title;
        }

        /// As events begin with it.
        public String title() {
            return title;
        }
    }

    public static Optional<Probe> of(Json.Obj container, Purpose purpose) {
        return container.get(purpose.field) instanceof Json.Obj spec
                ? Optional.of(new Probe(
                        purpose,
                        Check.of(container, spec),
                        Duration.ofSeconds(spec.integer("initialDelaySeconds")),
                        Duration.ofSeconds(Math.max(1, spec.integerOr(10, "periodSeconds"))),
                        Duration.ofSeconds(Math.max(1, spec.integerOr(1, "timeoutSeconds"))),
                        (int) Math.max(1, spec.integerOr(1, "successThreshold")),
                        (int) Math.max(1, spec.integerOr(3, "failureThreshold"))))
                : Optional.empty();
    }

    public static boolean has(Json.Obj container, Purpose purpose) {
        return container.get(purpose.field) instanceof Json.Obj;
    }

    public static List<Probe> allOf(Json.Obj container) {
        return List.of(Purpose.values()).stream()
                .flatMap(purpose -> of(container, purpose).stream())
                .toList();
    }
}
