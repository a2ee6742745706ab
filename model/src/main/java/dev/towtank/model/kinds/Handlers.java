package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/// What the kubelet does to a container to probe it or to accompany its start and stop.
final class Handlers {

    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

    // The second argument is the spec of the pod.
    private static final Map<String, BiConsumer<Field, Field>> KINDS = kinds();

    private Handlers() {}

    static void validateProbes(Field container, Field spec) {
        validateProbe(container.at("livenessProbe"), spec, true);
        var readiness = container.at("readinessProbe");
        validateProbe(readiness, spec, false);
        if (readiness.has("terminationGracePeriodSeconds")) {
            readiness.at("terminationGracePeriodSeconds").invalid("must not be set for readinessProbes");
        }
        validateProbe(container.at("startupProbe"), spec, true);
    }

    static void validateLifecycle(Field lifecycle, Field spec) {
        for (var hook : List.of("postStart", "preStop")) {
            if (lifecycle.has(hook)) {
                validateHandler(lifecycle.at(hook), spec);
            }
        }
        if (lifecycle.has("stopSignal") && !spec.has("os")) {
            lifecycle.at("stopSignal").forbidden("may not be set for containers with empty `spec.os.name`");
        }
    }

    private static void validateProbe(Field probe, Field spec, boolean succeedsOnce) {
        if (!probe.isPresent()) {
            return;
        }
        validateHandler(probe, spec);
        for (var number : List.of(
                "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")) {
            probe.at(number).nonNegative();
        }
        var grace = probe.at("terminationGracePeriodSeconds");
        if (grace.isPresent() && grace.number() <= 0) {
            grace.invalid("must be greater than 0");
        }
        var successes = probe.at("successThreshold");
        if (succeedsOnce && successes.number() != 1) {
            probe.errors().invalid(successes.path(), Json.of(successes.number()), "must be 1");
        }
    }

    private static void validateHandler(Field handler, Field spec) {
        var found = false;
        for (var kind : KINDS.entrySet()) {
            var action = handler.at(kind.getKey());
            if (!action.isPresent()) {
                continue;
            }
            if (found) {
                action.forbidden("may not specify more than 1 handler type");
            } else {
                kind.getValue().accept(action, spec);
            }
            found = true;
        }
        if (!found) {
            handler.errors().required(handler.path(), "must specify a handler type");
        }
    }

    private static Map<String, BiConsumer<Field, Field>> kinds() {
        var kinds = new LinkedHashMap<String, BiConsumer<Field, Field>>();
        kinds.put("exec", (exec, _) -> exec.at("command").required(""));
        kinds.put("httpGet", (http, _) -> validateHttp(http));
        kinds.put("tcpSocket", (tcp, _) -> IntOrStrings.validatePort(tcp.at("port")));
        kinds.put("grpc", (grpc, _) -> grpc.at("port").port());
        kinds.put("sleep", Handlers::validateSleep);
        return kinds;
    }

    private static void validateHttp(Field http) {
        http.at("path").required("");
        IntOrStrings.validatePort(http.at("port"));
        http.at("scheme").oneOf("HTTP", "HTTPS");
        http.at("httpHeaders").each(header -> {
            var name = header.at("name").text();
            if (!HEADER.matcher(name).matches()) {
                http.errors()
                        .invalid(
                                http.path().child("httpHeaders"),
                                name,
                                "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
                                        + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
            }
        });
    }

    private static void validateSleep(Field sleep, Field spec) {
        var grace = spec.at("terminationGracePeriodSeconds");
        var seconds = sleep.at("seconds").number();
        if (grace.isPresent() && (seconds < 0 || seconds > grace.number())) {
            sleep.errors()
                    .invalid(
                            sleep.path(),
                            Json.of(seconds),
                            "must be non-negative and less than terminationGracePeriodSeconds (" + grace.number()
                                    + ")");
        }
    }
}
