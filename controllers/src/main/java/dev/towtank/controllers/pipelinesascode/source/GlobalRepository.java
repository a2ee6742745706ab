package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// A Repository of the platform, which says what the others leave out.
final class GlobalRepository {

    /// On references to Secrets that come from it. No Repository can say this itself: its schema has no such field.
    static final String NAMESPACE = "namespace";

    private GlobalRepository() {}

    static Resource fill(Resource repository, Resource global) {
        if (repository.namespace().equals(global.namespace())
                && repository.name().equals(global.name())) {
            return repository;
        }
        var spec = repository.spec();
        var more = global.spec();
        for (var field : List.of("settings", "git_provider")) {
            var own = spec.object(field);
            var all = own.toBuilder();
            more.object(field).forEach((key, value) -> {
                if (!own.has(key)) {
                    all.put(key, referring(value, global));
                }
            });
            var merged = all.build();
            spec = merged.size() == 0 ? spec : spec.with(field, merged);
        }
        if (!spec.has("concurrency_limit") && more.has("concurrency_limit")) {
            spec = spec.with("concurrency_limit", Json.of(more.integer("concurrency_limit")));
        }
        for (var field : List.of("params", "incoming")) {
            if (!spec.has(field) && more.has(field)) {
                var all = new ArrayList<Json>();
                more.objects(field).forEach(each -> all.add(referring(each, global)));
                spec = spec.with(field, new Json.Arr(all));
            }
        }
        return repository.with(repository.json().with("spec", spec));
    }

    private static Json referring(Json value, Resource global) {
        if (!(value instanceof Json.Obj object)) {
            return value;
        }
        var marked = object;
        for (var field : List.of("secret", "secret_ref")) {
            if (object.has(field)) {
                marked = marked.with(field, object.object(field).with(NAMESPACE, Json.of(global.namespace())));
            }
        }
        boolean isReference = object.has("name") && !object.has("value") && !object.has("secret_ref");
        return isReference ? marked.with(NAMESPACE, Json.of(global.namespace())) : marked;
    }
}
