package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Predicate;

/// Waits for something about an object, by watching it.
final class KubectlWait {

    /// Nothing is seen of an object that is there.
    static final Predicate<Json.Obj> GONE = _ -> false;

    private final ApiClient client;

    KubectlWait(ApiClient client) {
        this.client = client;
    }

    /// What `--for` means.
    static Predicate<Json.Obj> condition(String text) {
        if (text.equals("delete")) {
            return GONE;
        }
        if (text.startsWith("condition=")) {
            var parts = text.substring("condition=".length()).split("=", 2);
            var status = parts.length > 1 ? parts[1] : "True";
            return object -> object.objects("status", "conditions").stream()
                    .anyMatch(each -> each.string("type").equalsIgnoreCase(parts[0])
                            && each.string("status").equalsIgnoreCase(status));
        }
        if (text.startsWith("jsonpath=")) {
            var expression = text.substring("jsonpath=".length());
            int close = expression.indexOf('}');
            var value = close < 0 ? "" : expression.substring(close + 1);
            if (close >= 0 && (value.isEmpty() || value.startsWith("="))) {
                var path = JsonPathTemplate.parse(expression.substring(0, close + 1));
                return object -> value.isEmpty()
                        ? !path.of(object).isEmpty()
                        : path.of(object).equals(value.substring(1));
            }
        }
        throw new ClientProblem("unrecognized condition: \"" + text
                + "\"; use --for=delete, --for=condition=NAME[=STATUS] or --for=jsonpath={...}[=VALUE]");
    }

    /// @return whether it came true in time
    boolean until(ResourceType type, String namespace, String name, Predicate<Json.Obj> condition, Duration timeout) {
        var path = type.path(namespace, name);
        Json.Obj object;
        try {
            object = client.get(path);
        } catch (StatusError e) {
            if (condition.equals(GONE) && e.is(StatusError.Reason.NOT_FOUND)) {
                return true;
            }
            throw e;
        }
        if (condition.test(object)) {
            return true;
        }
        if (timeout.isZero()) {
            return false;
        }
        var seconds = timeout.isNegative() ? Duration.ofDays(7).toSeconds() : Math.max(1, timeout.toSeconds());
        return watched(
                type.path(namespace) + "?watch=true&fieldSelector=" + ResourceType.segment("metadata.name=" + name)
                        + "&resourceVersion=" + object.string("metadata", "resourceVersion")
                        + "&timeoutSeconds=" + seconds,
                condition);
    }

    /// The server ends the watch when the time is over.
    private boolean watched(String path, Predicate<Json.Obj> condition) {
        try (var lines = client.lines(path, ApiClient.JSON)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var event = JsonText.parseObject(line);
                switch (event.string("type")) {
                    case "DELETED" -> {
                        return condition.equals(GONE);
                    }
                    case "ADDED", "MODIFIED" -> {
                        if (condition.test(event.object("object"))) {
                            return true;
                        }
                    }
                    default -> throw new ClientProblem(event.object("object").string("message"));
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
