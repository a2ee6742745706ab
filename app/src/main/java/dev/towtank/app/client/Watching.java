package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/// Follows what happens to objects.
final class Watching {

    /// @param type `ADDED`, `MODIFIED` or `DELETED`
    record Event(String type, Json.Obj object) {
        boolean deleted() {
            return type.equals("DELETED");
        }
    }

    private final ApiClient client;

    Watching(ApiClient client) {
        this.client = client;
    }

    /// Hands over every change after a revision until the reader has had enough.
    ///
    /// @param path with a query, if only of `?`
    /// @throws StatusError Expired when the server does not know that revision any more: list again
    void follow(String path, String accept, String revision, Predicate<Event> goOn) {
        var from = revision;
        while (true) {
            var query = path + "&watch=true&allowWatchBookmarks=true&resourceVersion=" + from;
            try (var lines = client.lines(query, accept)) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    var event = JsonText.parseObject(line);
                    var object = event.object("object");
                    if (event.string("type").equals("ERROR")) {
                        throw StatusError.relayed(
                                (int) object.integerOr(500, "code"),
                                object.string("reason"),
                                object.string("message"),
                                object.object("details"));
                    }
                    var seen = revision(object);
                    from = seen.isEmpty() ? from : seen;
                    if (!event.string("type").equals("BOOKMARK")
                            && !goOn.test(new Event(event.string("type"), object))) {
                        return;
                    }
                }
            } catch (IOException e) {
                throw new ClientProblem("The server went away: " + e.getMessage(), e);
            }
        }
    }

    private static String revision(Json.Obj object) {
        var own = object.string("metadata", "resourceVersion");
        return own.isEmpty() && !object.objects("rows").isEmpty()
                ? object.objects("rows").getLast().string("object", "metadata", "resourceVersion")
                : own;
    }

    /// Waits until an object is as it should be.
    ///
    /// @return nothing when it is not there, or no longer
    Optional<Json.Obj> await(ResourceType type, String namespace, String name, Predicate<Json.Obj> enough) {
        return until(type, namespace, name, now -> now.isEmpty() || enough.test(now.get()));
    }

    /// Waits until an object is there and as it should be, however often it comes and goes.
    Json.Obj awaitThere(ResourceType type, String namespace, String name, Predicate<Json.Obj> enough) {
        return until(type, namespace, name, now -> now.filter(enough).isPresent())
                .orElseThrow();
    }

    /// @param enough is asked about the object, or about nothing where it is not there
    private Optional<Json.Obj> until(
            ResourceType type, String namespace, String name, Predicate<Optional<Json.Obj>> enough) {
        var path = type.path(namespace) + "?fieldSelector=metadata.name%3D" + ResourceType.segment(name);
        while (true) {
            var list = client.get(path);
            var now = new AtomicReference<>(list.objects("items").stream().findFirst());
            if (enough.test(now.get())) {
                return now.get();
            }
            try {
                follow(path, ApiClient.JSON, list.string("metadata", "resourceVersion"), event -> {
                    now.set(event.deleted() ? Optional.empty() : Optional.of(event.object()));
                    return !enough.test(now.get());
                });
                return now.get();
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.EXPIRED)) {
                    throw e;
                }
            }
        }
    }
}
