package dev.towtank.app.applications.foresight;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The objects of a sync in their order, and what is there before them.
record Scene(List<Part> parts, World world) {

    /// @param step which of the steps of the sync brings it
    /// @param holdsUp whether what follows begins only when it is as it should be
    record Part(int step, Outline.Entry entry, boolean holdsUp) {
        ResourceKey key() {
            return entry.key();
        }

        Json.Obj object() {
            return entry.object().object();
        }

        Json.Obj spec() {
            return object().object("spec");
        }

        /// Whether it begins with this sync.
        boolean isNew() {
            return entry.verb() == Outline.Verb.CREATE || entry.verb() == Outline.Verb.RUN;
        }

        String title() {
            return key().kind() + " " + entry.shownName();
        }
    }

    Scene {
        parts = List.copyOf(parts);
    }

    /// @param gates whose health can be told
    static Scene of(Outline outline, Set<ResourceKey> gates, World world) {
        var parts = new ArrayList<Part>();
        var groups = outline.groups();
        for (int step = 0; step < groups.size(); step++) {
            boolean isLast = step == groups.size() - 1 || groups.get(step + 1).phase() == Phase.SYNC_FAIL;
            for (var entry : groups.get(step).entries()) {
                if (!entry.isPrune()) {
                    parts.add(new Part(step, entry, (entry.isHook() || !isLast) && gates.contains(entry.key())));
                }
            }
        }
        return new Scene(parts, world);
    }

    Stream<Part> all(String group, String kind) {
        return parts.stream()
                .filter(part ->
                        part.key().group().equals(group) && part.key().kind().equals(kind));
    }

    Stream<Part> all(Kind<?> kind) {
        return all(kind.group(), kind.kind());
    }

    /// What the sync brings, or what is there already.
    Optional<Json.Obj> find(Kind<?> kind, String namespace, String name) {
        return all(kind)
                .filter(part -> part.key().name().equals(name)
                        && (!kind.isNamespaced() || part.key().namespace().equals(namespace)))
                .map(Part::object)
                .findFirst()
                .or(() -> world.object(kind, namespace, name));
    }

    /// Whether a build of the same sync makes an image.
    boolean isBuilt(String image) {
        return all(BuildKinds.CONFIG).anyMatch(part -> {
            var to = part.spec().object("output", "to");
            var namespace = to.string("namespace").isEmpty() ? part.key().namespace() : to.string("namespace");
            var name = to.string("name");
            return BuildKinds.REGISTRIES.stream()
                    .map(registry -> registry + "/" + namespace + "/" + name)
                    .anyMatch(made -> image.equals(made) || (made + ":latest").equals(image));
        });
    }
}
