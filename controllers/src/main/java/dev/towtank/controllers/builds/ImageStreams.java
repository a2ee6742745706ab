package dev.towtank.controllers.builds;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is in ImageStreams.
final class ImageStreams {

    private static final int MOST_ITEMS = 20;

    private ImageStreams() {}

    /// A tag of a stream, by its name: `stream:tag`.
    record TagName(String namespace, String stream, String tag) {

        static TagName of(Json.Obj reference, String namespace) {
            var name = reference.string("name");
            var own = reference.string("namespace");
            int colon = name.lastIndexOf(':');
            return new TagName(
                    own.isEmpty() ? namespace : own,
                    colon < 0 ? name : name.substring(0, colon),
                    colon < 0 ? "latest" : name.substring(colon + 1));
        }

        @Override
        public String toString() {
            return stream + ":" + tag;
        }
    }

    /// What a tag has had, the newest first.
    static List<Json.Obj> items(Resource stream, String tag) {
        return stream.status().objects("tags").stream()
                .filter(each -> each.string("tag").equals(tag))
                .flatMap(each -> each.objects("items").stream())
                .toList();
    }

    static Optional<Json.Obj> newest(Resource stream, String tag) {
        return items(stream, tag).stream().findFirst();
    }

    /// @param image its digest
    static Json.Obj item(String reference, String image, Instant now) {
        return Json.Obj.builder()
                .put("created", Timestamps.seconds(now))
                .put("dockerImageReference", reference)
                .put("image", image)
                .build();
    }

    /// The status with an image on top of a tag; the same where it is there already.
    static Json.Obj pushed(Resource stream, Json.Obj status, String tag, Json.Obj item) {
        var before = status.objects("tags").stream()
                .filter(each -> each.string("tag").equals(tag))
                .findFirst();
        var items = new ArrayList<Json>();
        before.ifPresent(each -> items.addAll(each.objects("items")));
        boolean isThere = !items.isEmpty()
                && items.getFirst() instanceof Json.Obj first
                && first.string("image").equals(item.string("image"))
                && first.string("dockerImageReference").equals(item.string("dockerImageReference"));
        if (isThere) {
            return status;
        }
        items.addFirst(item.with("generation", Json.of(Math.max(1, stream.generation()))));
        var entry = Json.Obj.of(
                "tag", Json.of(tag), "items", new Json.Arr(items.subList(0, Math.min(items.size(), MOST_ITEMS))));
        var all = new ArrayList<Json>();
        boolean isReplaced = false;
        for (var each : status.objects("tags")) {
            boolean isSame = each.string("tag").equals(tag);
            all.add(isSame ? entry : each);
            isReplaced |= isSame;
        }
        if (!isReplaced) {
            all.add(entry);
        }
        return named(stream, status).with("tags", new Json.Arr(all));
    }

    /// Every stream has its place in the registry.
    static Json.Obj named(Resource stream, Json.Obj status) {
        return status.with(
                "dockerImageRepository", Json.of(BuildKinds.reference(stream.namespace(), stream.name(), "")));
    }
}
