package dev.towtank.controllers.builds;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.builds.ImageStreams.TagName;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Gives a stream the tags that its spec names, and each of its tags an ImageStreamTag.
final class StreamReconciler implements Reconciler<Json.Obj, StreamReconciler.StreamFacts> {

    /// @param others streams that tags of this one follow, by `namespace/name`
    /// @param tags its ImageStreamTags
    record StreamFacts(Map<String, Resource> others, List<Resource> tags) {
        StreamFacts {
            others = Map.copyOf(others);
            tags = List.copyOf(tags);
        }
    }

    /// Other names for images.
    ///
    /// @param names what each stands for, by what pods call it
    record Aliases(Map<String, String> names) implements Deed {
        Aliases {
            names = Map.copyOf(names);
        }

        @Override
        public Json.Obj json() {
            return Json.Obj.of("aliases", Json.Obj.ofStrings(new TreeMap<>(names)));
        }
    }

    private record Told(Resource stream, Json.Obj status) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return Plan.none().setStatus(BuildKinds.STREAM, stream, status);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, StreamFacts facts, Instant now) {
        var stream = observed.object();
        if (stream.isDeleting()) {
            return Plan.none();
        }
        var status = ImageStreams.named(stream, stream.status());
        var aliases = new TreeMap<String, String>();
        for (var tag : stream.spec().objects("tags")) {
            var item = followed(stream, tag, facts, now);
            if (item.isPresent()) {
                var next = ImageStreams.pushed(stream, status, tag.string("name"), item.get());
                if (!next.equals(status)) {
                    var name = BuildKinds.reference(stream.namespace(), stream.name(), ":" + tag.string("name"));
                    aliases.put(name, item.get().string("dockerImageReference"));
                }
                status = next;
            }
        }
        if (!aliases.isEmpty()) {
            // Pods may use it as soon as it is told.
            return Plan.of(new Change.Act(new Aliases(aliases), new Told(stream, status)));
        }
        return Plan.none().setStatus(BuildKinds.STREAM, stream, status).then(tags(stream, facts));
    }

    /// What a tag of the spec stands for now.
    private static Optional<Json.Obj> followed(Resource stream, Json.Obj tag, StreamFacts facts, Instant now) {
        var from = tag.object("from");
        return switch (from.string("kind")) {
            case "DockerImage" -> {
                var name = from.string("name");
                yield Optional.of(ImageStreams.item(name, digest(name), now));
            }
            case "ImageStreamTag" -> {
                var source = TagName.of(from, stream.namespace());
                var other = source.namespace().equals(stream.namespace())
                                && source.stream().equals(stream.name())
                        ? Optional.of(stream)
                        : Optional.ofNullable(facts.others().get(source.namespace() + "/" + source.stream()));
                yield other.flatMap(it -> ImageStreams.newest(it, source.tag()))
                        .map(item -> ImageStreams.item(item.string("dockerImageReference"), item.string("image"), now));
            }
            default -> Optional.empty();
        };
    }

    /// Nobody is asked for the digest of an image that is not built here: it is one of its name.
    private static String digest(String name) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    private static Plan tags(Resource stream, StreamFacts facts) {
        var plan = Plan.none();
        var wanted = new TreeMap<String, Json.Obj>();
        for (var tag : stream.status().objects("tags")) {
            ImageStreams.newest(stream, tag.string("tag"))
                    .ifPresent(item -> wanted.put(stream.name() + ":" + tag.string("tag"), item));
        }
        for (var each : wanted.entrySet()) {
            var known = facts.tags().stream()
                    .filter(tag -> tag.name().equals(each.getKey()))
                    .findFirst();
            var content = content(stream, each.getKey(), each.getValue());
            if (known.isEmpty()) {
                plan = plan.create(BuildKinds.TAG, content);
            } else if (!known.get().json().object("image").equals(content.json().object("image"))) {
                plan = plan.patch(
                        BuildKinds.TAG,
                        known.get(),
                        Json.Obj.of("image", content.json().object("image")));
            }
        }
        for (var tag : new ArrayList<>(facts.tags())) {
            if (!wanted.containsKey(tag.name())) {
                plan = plan.delete(BuildKinds.TAG, tag);
            }
        }
        return plan;
    }

    private static Resource content(Resource stream, String name, Json.Obj item) {
        return new Resource(
                stream.cluster(),
                Json.Obj.builder()
                        .put("apiVersion", BuildKinds.TAG.apiVersion())
                        .put("kind", BuildKinds.TAG.kind())
                        .put(
                                "metadata",
                                Json.Obj.builder()
                                        .put("name", name)
                                        .put("namespace", stream.namespace())
                                        .put(
                                                "ownerReferences",
                                                Json.Arr.of(stream.asOwner(true).json()))
                                        .build())
                        .put(
                                "image",
                                Json.Obj.of(
                                        "metadata",
                                        Json.Obj.of("name", Json.of(item.string("image"))),
                                        "dockerImageReference",
                                        Json.of(item.string("dockerImageReference"))))
                        .build());
    }
}
