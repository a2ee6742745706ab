package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which images builds of the same application make. Whoever uses one waits for it: without it, it could only fail.
final class BuiltImages {

    // A reference to an image is short, and so is what it could be in.
    private static final int DEEPEST = 50;

    private final Map<String, Task> builds = new HashMap<>();

    BuiltImages(List<Task> tasks) {
        for (var task : tasks) {
            if (task.key().group().equals(BuildKinds.BUILD_GROUP)
                    && task.key().kind().equals(BuildKinds.CONFIG.kind())) {
                task.object().target().ifPresent(target -> add(task, target.object("spec", "output", "to")));
            }
        }
    }

    private void add(Task task, Json.Obj to) {
        if (!to.string("kind").equals("ImageStreamTag")) {
            return;
        }
        var own = to.string("namespace");
        var namespace = own.isEmpty() ? task.key().namespace() : own;
        var name = to.string("name");
        for (var registry : BuildKinds.REGISTRIES) {
            var reference = registry + "/" + namespace + "/" + name;
            builds.put(name.contains(":") ? reference : reference + ":latest", task);
            if (name.endsWith(":latest")) {
                builds.put(reference.substring(0, reference.length() - ":latest".length()), task);
            }
        }
    }

    /// A task whose image is not there.
    ///
    /// @param failure why it never will be; empty while it may come
    record Lack(Task build, String image, Optional<String> failure) {}

    Optional<Lack> of(Task task) {
        if (builds.isEmpty() || task.isPrune() || builds.containsValue(task)) {
            return Optional.empty();
        }
        return image(task.object().object(), 0).flatMap(image -> lack(task, image));
    }

    private Optional<String> image(Json value, int depth) {
        if (depth > DEEPEST) {
            return Optional.empty();
        }
        return switch (value) {
            case Json.Str(var text) -> builds.containsKey(text) ? Optional.of(text) : Optional.empty();
            case Json.Obj object ->
                object.keys().stream()
                        .flatMap(key ->
                                Optional.ofNullable(object.get(key)).flatMap(each -> image(each, depth + 1)).stream())
                        .findFirst();
            case Json.Arr list -> {
                for (var each : list) {
                    var found = image(each, depth + 1);
                    if (found.isPresent()) {
                        yield found;
                    }
                }
                yield Optional.empty();
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> Optional.empty();
        };
    }

    /// A build that comes later in the order of the sync cannot be waited for.
    private Optional<Lack> lack(Task task, String image) {
        var build = Optional.ofNullable(builds.get(image)).orElseThrow();
        boolean isLater = build.phase().compareTo(task.phase()) > 0
                || (build.phase() == task.phase() && build.wave() > task.wave());
        if (isLater) {
            return Optional.empty();
        }
        var live = build.object().live();
        if (live.isEmpty()) {
            return build.isPending() ? Optional.of(new Lack(build, image, Optional.empty())) : Optional.empty();
        }
        var latest = live.get().objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals(BuildKinds.LATEST))
                .findFirst();
        var state = latest.map(it -> it.string("status")).orElse(isOurs(live.get()) ? "Unknown" : "True");
        return switch (state) {
            case "True" -> Optional.empty();
            case "False" -> Optional.of(new Lack(build, image, latest.map(it -> it.string("message"))));
            default -> Optional.of(new Lack(build, image, Optional.empty()));
        };
    }

    /// Others than our own controller do not tell of builds.
    private static boolean isOurs(Json.Obj config) {
        return config.integer("status", "lastVersion") == 0;
    }
}
