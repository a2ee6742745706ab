package dev.towtank.node.pods;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.PassingCluster;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Events;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;

/// A cluster that knows what is special about pods: they are bound, get tokens, and are deleted with grace.
final class PodApi extends PassingCluster {

    private final FakeCluster fake;
    private final InstantSource clock;

    PodApi(InstantSource clock) {
        this(new FakeCluster(clock), clock);
    }

    private PodApi(FakeCluster fake, InstantSource clock) {
        super(fake);
        this.fake = fake;
        this.clock = clock;
    }

    FakeCluster fake() {
        return fake;
    }

    boolean is(String name, Predicate<Resource> wanted) {
        return fake.list(Pods.KIND, Selection.EVERYWHERE).items().stream()
                .anyMatch(pod -> pod.name().equals(name) && wanted.test(pod));
    }

    /// Waits until the pod is as wanted.
    Resource await(String name, Predicate<Resource> wanted) throws InterruptedException {
        var listing = fake.list(Pods.KIND, Selection.EVERYWHERE);
        for (var pod : listing.items()) {
            if (pod.name().equals(name) && wanted.test(pod)) {
                return pod;
            }
        }
        try (var watch = fake.watch(Pods.KIND, Selection.EVERYWHERE, listing.resourceVersion())) {
            while (true) {
                for (var event : watch.next(Duration.ofSeconds(10))) {
                    if (event instanceof Watch.Modified(var pod) && pod.name().equals(name) && wanted.test(pod)) {
                        return pod;
                    }
                }
            }
        }
    }

    void awaitGone(String name) throws InterruptedException {
        var listing = fake.list(Pods.KIND, Selection.EVERYWHERE);
        if (listing.items().stream().noneMatch(pod -> pod.name().equals(name))) {
            return;
        }
        try (var watch = fake.watch(Pods.KIND, Selection.EVERYWHERE, listing.resourceVersion())) {
            while (true) {
                for (var event : watch.next(Duration.ofSeconds(10))) {
                    if (event instanceof Watch.Deleted(var pod) && pod.name().equals(name)) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        if (options.subresource().equals("token")) {
            var expires = clock.instant().plusSeconds(object.spec().integer("expirationSeconds"));
            var status = Json.Obj.of("token", Json.of("a-token"), "expirationTimestamp", Json.of(expires.toString()));
            return object.with(object.json().with("status", status));
        }
        return fake.create(kind, object, options);
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        var stored = fake.get(kind, ObjectName.of(object));
        if (kind.equals(Pods.KIND)
                && stored.filter(Resource::isDeleting).isPresent()
                && stored.get().resourceVersion().equals(object.resourceVersion())) {
            return fake.given(kind, stored.get().with(stored.get().json().with("status", object.status())));
        }
        return fake.update(kind, object, options);
    }

    /// What a user's deletion does first.
    void beginDeletion(String name, long seconds) {
        var pod = fake.list(Pods.KIND, Selection.EVERYWHERE).items().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        var metadata = pod.metadata()
                .with(
                        "deletionTimestamp",
                        Json.of(clock.instant().plusSeconds(seconds).toString()))
                .with("deletionGracePeriodSeconds", Json.of(seconds));
        fake.given(Pods.KIND, pod.with(pod.json().with("metadata", metadata)));
    }

    List<String> events() {
        return fake.list(Events.KIND, Selection.EVERYWHERE).items().stream()
                .map(event ->
                        event.json().string("reason") + ": " + event.json().string("message"))
                .toList();
    }
}
