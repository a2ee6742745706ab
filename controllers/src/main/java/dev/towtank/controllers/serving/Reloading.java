package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// Where an InferenceService asks for it, another file under the same path is a new revision: the template of its pods
/// has a
/// mark of the file, which nothing else depends on.
final class Reloading {

    static final String ANNOTATION = "towtank.dev/reload-model";

    private static final List<String> MARK = List.of("metadata", "annotations", "towtank.dev/model-file");

    private Reloading() {}

    static boolean isWanted(Resource service) {
        return service.annotations().getOrDefault(ANNOTATION, "").equalsIgnoreCase("true");
    }

    /// @param newest the track's newest revision, whose mark stays where nothing else has changed
    static Json.Obj marked(Resource service, Json.Obj template, Optional<Revision> newest, Optional<String> file) {
        if (!isWanted(service)) {
            return template;
        }
        var known = newest.map(Revision::template)
                .filter(before -> before.without(MARK).equals(template));
        var mark = file.or(() -> known.map(before -> before.string(MARK.toArray(String[]::new))))
                .filter(text -> !text.isEmpty());
        return mark.isEmpty() || known.isEmpty() ? template : template.with(MARK, Json.of(mark.get()));
    }
}
