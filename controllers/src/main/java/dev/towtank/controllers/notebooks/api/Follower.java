package dev.towtank.controllers.notebooks.api;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// An object that is to be started again, synced or refreshed when a notebook has succeeded.
///
/// @param namespace empty for that of the job
public record Follower(String kind, String namespace, String name, String action) {

    /// On a job: a YAML list.
    public static final String ANNOTATION = "mlops.dev/on-success-trigger";

    private static final int MOST = 20;
    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "name", "namespace", "action");
    private static final Set<String> ACTIONS = Set.of("restart", "sync", "refresh");

    /// @throws JsonText.Malformed where the annotation is not a list of such objects
    public static List<Follower> all(Resource job) {
        var text = job.annotations().getOrDefault(ANNOTATION, "");
        if (text.isBlank()) {
            return List.of();
        }
        if (!(YamlText.parse(text) instanceof Json.Arr list) || list.size() > MOST) {
            throw new JsonText.Malformed("it is no list of at most " + MOST + " objects");
        }
        var found = new ArrayList<Follower>();
        for (var item : list) {
            if (!(item instanceof Json.Obj object)
                    || !FIELDS.containsAll(object.keys())
                    || object.string("kind").isEmpty()
                    || object.string("name").isEmpty()
                    || !ACTIONS.contains(object.string("action"))) {
                throw new JsonText.Malformed(
                        "each of the list has kind, name, and an action of restart, sync and refresh");
            }
            found.add(new Follower(
                    object.string("kind"), object.string("namespace"), object.string("name"), object.string("action")));
        }
        return found;
    }
}
