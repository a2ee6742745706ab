package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The interceptors that everybody has.
public final class CoreInterceptors {

    private static final Map<String, Set<String>> PARAMS = Map.of(
            "cel", Set.of("filter", "overlays"),
            "github", Set.of("secretRef", "eventTypes", "addChangedFiles", "githubOwners"),
            "gitlab", Set.of("secretRef", "eventTypes"),
            "bitbucket", Set.of("secretRef", "eventTypes"),
            "slack", Set.of("requestedFields", "secretRef"));
    private static final Set<String> LISTS = Set.of("overlays", "eventTypes", "requestedFields");

    /// What may be in params that are objects, or lists of them.
    private static final Map<String, Set<String>> INNER = Map.of(
            "secretRef", Set.of("secretName", "secretKey"),
            "personalAccessToken", Set.of("secretName", "secretKey"),
            "addChangedFiles", Set.of("enabled", "personalAccessToken"),
            "githubOwners", Set.of("enabled", "personalAccessToken", "checkType"),
            "overlays", Set.of("key", "expression"));

    /// Upstream reads them in upper and lower case.
    private static final Map<String, String> SPELLINGS = Stream.concat(
                    PARAMS.values().stream(), INNER.values().stream())
            .flatMap(Set::stream)
            .distinct()
            .collect(Collectors.toUnmodifiableMap(name -> name.toLowerCase(Locale.ROOT), name -> name));

    private CoreInterceptors() {}

    /// The extensions that the interceptor adds.
    ///
    /// @throws Refusal where it lets the event not through
    public static Json.Obj process(String name, Event event, Json.Obj written, Means means) throws EventRefusal {
        var params = (Json.Obj) spelled(written);
        requireParams(name, params, means.deviations());
        var secrets = means.secrets();
        return switch (name) {
            case "cel" -> CelInterceptor.process(event, params, means);
            case "github" -> Signatures.github(event, params, means);
            case "gitlab" -> Signatures.gitlab(event, params, secrets);
            case "bitbucket" -> Signatures.bitbucket(event, params, secrets);
            case "slack" -> Slack.process(event, params, means);
            default -> throw new EventRefusal(Code.INVALID_ARGUMENT, "path did not match any interceptors");
        };
    }

    public static boolean has(String name) {
        return PARAMS.containsKey(name);
    }

    // A filter with a typing error in its name, or of a wrong type, would let everything through.
    private static void requireParams(String name, Json.Obj params, Deviations deviations) throws EventRefusal {
        var known = PARAMS.getOrDefault(name, Set.of());
        for (var param : params) {
            var key = param.getKey();
            var value = param.getValue();
            if (!known.contains(key)) {
                if (!deviations.has(Deviations.PARAMS)) {
                    continue;
                }
                throw invalid("the interceptor " + name + " has no param \"" + key + "\"");
            }
            boolean fits = LISTS.contains(key)
                    ? value instanceof Json.Arr
                    : key.equals("filter") ? value instanceof Json.Str : value instanceof Json.Obj;
            if (!fits) {
                throw invalid("the param \"" + key + "\" has a value of a wrong type");
            }
            requireInner(key, value, deviations);
        }
    }

    private static void requireInner(String name, Json value, Deviations deviations) throws EventRefusal {
        var known = INNER.get(name);
        if (known == null || !deviations.has(Deviations.PARAMS)) {
            return;
        }
        var objects = value instanceof Json.Arr array ? array.objects() : List.of((Json.Obj) value);
        for (var object : objects) {
            for (var field : object) {
                if (!known.contains(field.getKey())) {
                    throw invalid("the param \"" + name + "\" has no field \"" + field.getKey() + "\"");
                }
                if (field.getValue() instanceof Json.Obj inner) {
                    requireInner(field.getKey(), inner, deviations);
                }
            }
        }
    }

    private static Json spelled(Json value) {
        return switch (value) {
            case Json.Obj object -> {
                var changed = Json.Obj.builder();
                object.forEach((key, inner) ->
                        changed.put(SPELLINGS.getOrDefault(key.toLowerCase(Locale.ROOT), key), spelled(inner)));
                yield changed.build();
            }
            case Json.Arr array -> array.map(CoreInterceptors::spelled);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }

    private static EventRefusal invalid(String why) {
        return new EventRefusal(Code.INVALID_ARGUMENT, "failed to parse interceptor params: " + why);
    }
}
