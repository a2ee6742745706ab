package dev.towtank.controllers.gitops.diff;

import dev.towtank.controllers.gitops.api.ProjectGlobs;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.model.Json;
import dev.towtank.model.jq.JqError;
import dev.towtank.model.jq.JqExpression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// What counts as a difference between two states of an object.
///
/// @param ignored rules as `spec.ignoreDifferences` has them
public record Differences(List<Json.Obj> ignored) {

    // A fraction of a second, as is the limit of Argo CD.
    private static final long STEPS = 1_000_000;
    private static final List<String> OF_THE_SERVER =
            List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    public Differences {
        ignored = List.copyOf(ignored);
    }

    public Differences and(List<Json.Obj> more) {
        var all = new ArrayList<>(ignored);
        all.addAll(more);
        return new Differences(all);
    }

    /// @param predicted what lives when the target is applied
    public boolean areNone(Json.Obj live, Json.Obj predicted) {
        return essence(live, live).equals(essence(predicted, live));
    }

    /// What of an object is compared.
    public Json essence(Json.Obj object, Json.Obj live) {
        var metadata = object.object("metadata");
        for (var field : OF_THE_SERVER) {
            metadata = metadata.without(field);
        }
        metadata = metadata.without(List.of("annotations", LAST_APPLIED));
        if (Tracking.isCopied(live)) {
            metadata = withoutMarks(metadata);
        }
        Json bare = object.with("metadata", metadata).without("status");
        var key = ResourceKey.of(object);
        for (var rule : ignored) {
            if (matches(rule, key)) {
                bare = without(bare, rule, live);
            }
        }
        return bare;
    }

    /// Whoever fills an object out of another one copied the marks of that one over ours, and will again.
    private static Json.Obj withoutMarks(Json.Obj metadata) {
        var left = metadata;
        for (var name : metadata.object("annotations").keys()) {
            if (name.startsWith("argocd.argoproj.io/")) {
                left = left.without(List.of("annotations", name));
            }
        }
        return left;
    }

    private static Json without(Json tree, Json.Obj rule, Json.Obj live) {
        var left = tree;
        for (var pointer : rule.array("jsonPointers").strings()) {
            left = JsonPaths.without(left, JsonPaths.ofPointer(pointer));
        }
        for (var path : rule.array("jqPathExpressions").strings()) {
            left = deleted(left, path);
        }
        return ManagedFields.without(
                left, live, rule.array("managedFieldsManagers").strings());
    }

    private static boolean matches(Json.Obj rule, ResourceKey key) {
        return ProjectGlobs.matches(rule.string("group"), key.group())
                && ProjectGlobs.matches(rule.string("kind"), key.kind())
                && (rule.string("name").isEmpty() || rule.string("name").equals(key.name()))
                && (rule.string("namespace").isEmpty()
                        || rule.string("namespace").equals(key.namespace()));
    }

    private static Json deleted(Json json, String path) {
        try {
            var found = JqExpression.compile("del(" + path + ")").evaluate(json, STEPS);
            return found.size() == 1 ? found.getFirst() : json;
        } catch (JqError e) {
            return json; // the Application's conditions tell of it
        }
    }

    /// The target with the live values of what is ignored, so that a sync leaves them alone.
    public Json.Obj respected(Json.Obj target, Json.Obj live) {
        Json result = target;
        var key = ResourceKey.of(target);
        for (var rule : ignored) {
            if (!matches(rule, key)) {
                continue;
            }
            for (var path : paths(rule, target, live)) {
                var value = path.isEmpty() || path.getFirst().equals("status") ? null : JsonPaths.at(live, path);
                result = value == null ? JsonPaths.without(result, path) : JsonPaths.with(result, path, value);
            }
            // What belongs to somebody else stays theirs when it is not applied.
            result = ManagedFields.without(
                    result, live, rule.array("managedFieldsManagers").strings());
        }
        return result instanceof Json.Obj object ? object : target;
    }

    private static Iterable<List<String>> paths(Json.Obj rule, Json.Obj target, Json.Obj live) {
        var paths = new LinkedHashSet<List<String>>();
        rule.array("jsonPointers").strings().forEach(pointer -> paths.add(JsonPaths.ofPointer(pointer)));
        for (var expression : rule.array("jqPathExpressions").strings()) {
            paths.addAll(paths(expression, live));
            paths.addAll(paths(expression, target));
        }
        return paths;
    }

    private static List<List<String>> paths(String expression, Json tree) {
        try {
            return JqExpression.compile("path(" + expression + ")").evaluate(tree, STEPS).stream()
                    .filter(Json.Arr.class::isInstance)
                    .map(found -> ((Json.Arr) found)
                            .items().stream().map(Json::display).toList())
                    .toList();
        } catch (JqError e) {
            return List.of(); // the Application's conditions tell of it
        }
    }

    /// What cannot be read in the rules; for people.
    public List<String> problems() {
        var problems = new ArrayList<String>();
        for (var rule : ignored) {
            for (var path : rule.array("jqPathExpressions").strings()) {
                try {
                    JqExpression.compile("del(" + path + ")");
                } catch (JqError e) {
                    problems.add("spec.ignoreDifferences: " + path + " cannot be read: " + e.getMessage());
                }
            }
        }
        return problems;
    }

    /// Rules without any effect on these objects, which nobody writes on purpose; for people.
    ///
    /// @param objects all that live of what is compared
    public List<String> idle(List<Json.Obj> objects) {
        var idle = new ArrayList<String>();
        for (var rule : ignored) {
            var name = "spec.ignoreDifferences of " + rule.string("group") + "/" + rule.string("kind");
            var meant = objects.stream()
                    .filter(object -> matches(rule, ResourceKey.of(object)))
                    .toList();
            if (meant.isEmpty()) {
                idle.add(name + " matches none of the application's objects");
                continue;
            }
            for (var pointer : rule.array("jsonPointers").strings()) {
                if (meant.stream().allMatch(it -> JsonPaths.at(it, JsonPaths.ofPointer(pointer)) == null)) {
                    idle.add(name + ": there is nothing at " + pointer);
                }
            }
            for (var path : rule.array("jqPathExpressions").strings()) {
                problem(path, meant).ifPresent(why -> idle.add(name + ": " + path + " " + why));
            }
        }
        return idle;
    }

    private static Optional<String> problem(String path, List<Json.Obj> objects) {
        if (path.strip().equals(".status") || path.strip().startsWith(".status.")) {
            return Optional.of("has no effect: the status is never compared");
        }
        for (var object : objects) {
            try {
                var found = JqExpression.compile("del(" + path + ")").evaluate(object, STEPS);
                if (found.size() == 1 && !found.getFirst().equals(object)) {
                    return Optional.empty();
                }
            } catch (JqError e) {
                return Optional.of("is ignored: " + e.getMessage());
            }
        }
        return Optional.of("deletes nothing");
    }
}
