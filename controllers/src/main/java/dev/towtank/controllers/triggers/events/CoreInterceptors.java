package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.Refusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.Map;
import java.util.Set;

/// The interceptors that everybody has.
public final class CoreInterceptors {

    private static final Map<String, Set<String>> PARAMS = Map.of(
            "cel", Set.of("filter", "overlays"),
            "github", Set.of("secretRef", "eventTypes", "addChangedFiles", "githubOwners"),
            "gitlab", Set.of("secretRef", "eventTypes"),
            "bitbucket", Set.of("secretRef", "eventTypes"),
            "slack", Set.of("requestedFields"));
    private static final Set<String> LISTS = Set.of("overlays", "eventTypes", "requestedFields");

    private CoreInterceptors() {}

    /// The extensions that the interceptor adds.
    ///
    /// @throws Refusal where it lets the event not through
    public static Json.Obj process(String name, Event event, Json.Obj params, Secrets secrets) throws Refusal {
        requireParams(name, params);
        return switch (name) {
            case "cel" -> CelInterceptor.process(event, params, secrets);
            case "github" -> Signatures.github(event, params, secrets);
            case "gitlab" -> Signatures.gitlab(event, params, secrets);
            case "bitbucket" -> Signatures.bitbucket(event, params, secrets);
            case "slack" -> slack(event, params);
            default -> throw new Refusal(Code.INVALID_ARGUMENT, "path did not match any interceptors");
        };
    }

    public static boolean has(String name) {
        return PARAMS.containsKey(name);
    }

    // A filter with a typing error in its name, or of a wrong type, would let everything through.
    private static void requireParams(String name, Json.Obj params) throws Refusal {
        var known = PARAMS.getOrDefault(name, Set.of());
        for (var param : params) {
            var key = param.getKey();
            var value = param.getValue();
            if (!known.contains(key)) {
                throw invalid("the interceptor " + name + " has no param \"" + key + "\"");
            }
            boolean fits = LISTS.contains(key)
                    ? value instanceof Json.Arr
                    : key.equals("filter") ? value instanceof Json.Str : value instanceof Json.Obj;
            if (!fits) {
                throw invalid("the param \"" + key + "\" has a value of a wrong type");
            }
        }
    }

    private static Refusal invalid(String why) {
        return new Refusal(Code.INVALID_ARGUMENT, "failed to parse interceptor params: " + why);
    }

    private static Json.Obj slack(Event event, Json.Obj params) throws Refusal {
        var isForm = event.headers().first("Content-Type").equals("application/x-www-form-urlencoded");
        if (!isForm || event.headers().first("X-Slack-Signature").isEmpty()) {
            throw new Refusal(
                    Code.INVALID_ARGUMENT,
                    "missing header in payload: ContentType application/x-www-form-urlencoded"
                            + (isForm ? ", and X-Slack-Signature" : ""));
        }
        if (!params.has("requestedFields")) {
            throw new Refusal(Code.NOT_FOUND, "missing requested field definition");
        }
        Json.Obj payload;
        try {
            payload = JsonText.parseObject(event.body());
        } catch (JsonText.Malformed e) {
            throw new Refusal(Code.INVALID_ARGUMENT, "failed to unmarshl slack payload: " + e.getMessage());
        }
        var found = Json.Obj.EMPTY;
        for (var field : params.array("requestedFields").strings()) {
            var value = payload.get(field);
            if (value == null) {
                throw new Refusal(Code.NOT_FOUND, "requested field does not exists in payload: \"" + field + "\"");
            }
            found = found.with(field, value);
        }
        return found;
    }
}
