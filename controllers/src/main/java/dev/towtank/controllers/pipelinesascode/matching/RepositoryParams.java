package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// What the placeholders of a template stand for: what is known of the event, params of the Repository whose filters
/// match, and what a comment or a call of `incoming` gives for either.
public final class RepositoryParams {

    private RepositoryParams() {}

    /// @param declared the params of the Repository
    /// @param secrets by a reference, what it holds
    /// @throws IllegalArgumentException a filter cannot be evaluated
    public static Map<String, String> of(
            GitEvent event,
            String namespace,
            List<Json.Obj> declared,
            Function<Json.Obj, Optional<String>> secrets,
            Supplier<ChangedFiles> files) {
        var standard = Placeholders.standard(event, namespace);
        event.values().forEach((name, value) -> standard.computeIfPresent(name, (_, _) -> value));
        var values = new LinkedHashMap<String, String>();
        var filtered = new HashSet<String>();
        var expressions = new EventExpressions(event, files, standard);
        for (var param : declared) {
            var name = param.string("name");
            var filter = param.string("filter");
            if (!filter.isEmpty() && (filtered.contains(name) || !matches(name, filter, expressions))) {
                continue;
            }
            if (!filter.isEmpty()) {
                filtered.add(name);
            }
            if (!param.string("value").isEmpty()) {
                values.put(name, param.string("value"));
            } else if (event.values().containsKey(name)) {
                values.put(name, "");
            } else if (param.has("secret_ref")) {
                secrets.apply(param.object("secret_ref")).ifPresent(value -> values.put(name, value));
            }
        }
        standard.forEach(values::putIfAbsent);
        // Nothing but what is known already: a comment makes no new names.
        event.values()
                .forEach((name, value) ->
                        values.computeIfPresent(name, (_, before) -> value.isEmpty() ? before : value));
        if (event.type().equals(GitEvent.INCOMING)) {
            event.body().object("params").forEach((name, value) -> {
                if (value instanceof Json.Str(var text)) {
                    values.put(name, text);
                }
            });
        }
        return values;
    }

    private static boolean matches(String name, String filter, EventExpressions expressions) {
        try {
            return expressions.value(filter).equals(Json.Bool.TRUE);
        } catch (EventExpressions.Failed e) {
            throw new IllegalArgumentException("there is an error on the cel filter: " + name + ": " + e.text());
        }
    }
}
