package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.events;
import static dev.towtank.apiserver.registry.TestApi.names;
import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadingTest {

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    private long config(String namespace, String name, String labels) {
        var created = api.create(
                "configmaps/" + namespace,
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", labels: {" + labels + "}}}");
        return Long.parseLong(created.string("metadata", "resourceVersion"));
    }

    @Test
    void listsAreSortedAndLimitedToTheirNamespace() {
        config("one", "b", "");
        config("two", "a", "");
        config("one", "a", "");
        assertThat(names(api.list("configmaps/one", ""))).containsExactly("a", "b");
        assertThat(names(api.list("configmaps", ""))).containsExactly("a", "b", "a");
    }

    @Test
    void pagesShowOneRevisionAcrossWrites() {
        for (var name : List.of("a", "b", "c", "d", "e")) {
            config("one", name, "");
        }
        var first = api.list("configmaps/one", "limit=2");
        assertThat(first.remaining()).contains(3L);
        api.delete("configmaps/one/d", "");
        config("one", "bb", "");
        var all = new ArrayList<>(names(first));
        var page = first;
        while (!page.continueToken().isEmpty()) {
            page = api.list("configmaps/one", "limit=2&continue=" + page.continueToken());
            assertThat(page.revision()).isEqualTo(first.revision());
            all.addAll(names(page));
        }
        assertThat(all).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void pagesOfASelectionAreFilled() {
        for (int i = 0; i < 20; i++) {
            config("one", "c" + (char) ('a' + i), i % 4 == 0 ? "pick: 'yes'" : "");
        }
        var first = api.list("configmaps/one", "limit=3&labelSelector=pick");
        assertThat(names(first)).containsExactly("ca", "ce", "ci");
        assertThat(first.remaining()).isEmpty();
        var second = api.list("configmaps/one", "limit=3&labelSelector=pick&continue=" + first.continueToken());
        assertThat(names(second)).containsExactly("cm", "cq");
    }

    @Test
    void aTokenOlderThanTheHistoryOffersToGoOn() {
        config("one", "a", "");
        config("one", "b", "");
        var first = api.list("configmaps/one", "limit=1");
        config("one", "c", "");
        api.store.compact(api.store.revision());
        var error = refused(() -> api.list("configmaps/one", "limit=1&continue=" + first.continueToken()));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.EXPIRED);
        assertThat(error.text()).startsWith("The provided continue parameter is too old");
        var token = error.toJson().string("metadata", "continue");
        assertThat(names(api.list("configmaps/one", "continue=" + token))).containsExactly("b", "c");
    }

    @Test
    void brokenTokensAreRefused() {
        for (var token : new String[] {"%%%", "e30", "bm90anNvbg"}) {
            assertThat(refused(() -> api.list("configmaps/one", "continue=" + token))
                            .text())
                    .startsWith("invalid continue token: continue key is not valid");
        }
    }

    @Test
    void resourceVersionsFollowTheRules() {
        long first = config("one", "a", "");
        config("one", "b", "");
        assertThat(names(api.list("configmaps/one", "resourceVersion=" + first + "&resourceVersionMatch=Exact")))
                .containsExactly("a");
        assertThat(names(api.list("configmaps/one", "resourceVersion=" + first + "&resourceVersionMatch=NotOlderThan")))
                .containsExactly("a", "b");
        assertThat(names(api.list("configmaps/one", "resourceVersion=0"))).containsExactly("a", "b");
        var future = refused(() -> api.list("configmaps/one", "resourceVersion=999999"));
        assertThat(future.text()).startsWith("Timeout: Too large resource version: 999999, current: ");
        assertThat(future.code()).isEqualTo(504);
        assertThat(refused(() -> api.list("configmaps/one", "resourceVersionMatch=Exact"))
                        .text())
                .contains("resourceVersionMatch is forbidden unless resourceVersion is provided");
        assertThat(refused(() -> api.list("configmaps/one", "resourceVersion=abc"))
                        .text())
                .contains("resourceVersion: Invalid value: \"abc\"");
        api.store.compact(api.store.revision());
        assertThat(refused(() -> api.list("configmaps/one", "resourceVersion=" + first + "&resourceVersionMatch=Exact"))
                        .text())
                .isEqualTo("The resourceVersion for the provided list is too old.");
    }

    @Test
    void selectorsSelect() {
        config("one", "a", "app: web, tier: front");
        config("one", "b", "app: web");
        config("one", "c", "app: db");
        assertThat(names(api.list("configmaps/one", "labelSelector=app in (web),!tier")))
                .containsExactly("b");
        assertThat(names(api.list("configmaps/one", "fieldSelector=metadata.name=c")))
                .containsExactly("c");
        assertThat(names(api.list("configmaps/one", "fieldSelector=metadata.name!=c")))
                .containsExactly("a", "b");
        assertThat(refused(() -> api.list("configmaps/one", "fieldSelector=spec.color=red"))
                        .text())
                .isEqualTo("\"spec.color\" is not a known field selector: only \"metadata.name\","
                        + " \"metadata.namespace\"");
    }

    @Test
    void aWatchTellsWhatHappensAfterItsRevision() {
        long first = config("one", "a", "");
        config("one", "b", "");
        config("two", "x", "");
        try (var watch = api.watch("configmaps/one", "resourceVersion=" + first)) {
            api.patch("configmaps/one/a", "merge", "{\"data\":{\"k\":\"v\"}}");
            api.delete("configmaps/one/b", "");
            assertThat(events(watch)).containsExactly("ADDED b", "MODIFIED a", "DELETED b");
        }
    }

    @Test
    void aWatchWithoutRevisionBeginsWithTheState() {
        config("one", "a", "");
        try (var watch = api.watch("configmaps/one", "")) {
            config("one", "b", "");
            assertThat(events(watch)).containsExactly("ADDED a", "ADDED b");
        }
    }

    @Test
    void initialEventsEndWithABookmark() {
        config("one", "a", "");
        try (var watch = api.watch(
                "configmaps/one",
                "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            var events = watch.poll(10);
            assertThat(events)
                    .extracting(WatchStream.Event::type)
                    .containsExactly(WatchStream.Type.ADDED, WatchStream.Type.BOOKMARK);
            var bookmark = events.getLast().object().tree();
            assertThat(bookmark.string("metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
            assertThat(bookmark.string("metadata", "resourceVersion")).isEqualTo(Long.toString(api.store.revision()));
        }
        assertThat(refused(() -> api.watch("configmaps/one", "sendInitialEvents=true"))
                        .text())
                .contains("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }

    @Test
    void anObjectEntersAndLeavesASelection() {
        config("one", "a", "");
        long now = api.store.revision();
        try (var watch = api.watch("configmaps/one", "labelSelector=on&resourceVersion=" + now)) {
            api.patch("configmaps/one/a", "merge", "{\"metadata\":{\"labels\":{\"on\":\"1\"}}}");
            api.patch("configmaps/one/a", "merge", "{\"data\":{\"k\":\"v\"}}");
            api.patch("configmaps/one/a", "merge", "{\"metadata\":{\"labels\":{\"on\":null}}}");
            api.delete("configmaps/one/a", "");
            assertThat(events(watch)).containsExactly("ADDED a", "MODIFIED a", "DELETED a");
        }
    }

    @Test
    void aWatchFromForgottenHistoryIsRefused() {
        long first = config("one", "a", "");
        config("one", "b", "");
        config("one", "c", "");
        api.store.compact(api.store.revision());
        var error = refused(() -> api.watch("configmaps/one", "resourceVersion=" + first));
        assertThat(error.code()).isEqualTo(410);
        assertThat(error.text()).startsWith("too old resource version: " + first + " (");
    }

    @Test
    void logicalClustersDoNotSeeEachOther() {
        config("one", "a", "");
        api.cluster = new LogicalCluster("other");
        assertThat(refused(() -> api.list("configmaps", "")).text())
                .isEqualTo("logicalclusters.towtank.dev \"other\" not found");
        api.cluster = LogicalCluster.DEFAULT;
        api.create(
                "logicalclusters.towtank.dev",
                "{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: other}}");
        api.cluster = new LogicalCluster("other");
        config("one", "b", "");
        assertThat(names(api.list("configmaps", ""))).containsExactly("b");
        assertThat(api.exists("configmaps/one/a")).isFalse();
        api.cluster = LogicalCluster.ALL;
        assertThat(names(api.list("configmaps", ""))).containsExactlyInAnyOrder("a", "b");
    }

    /// It may be deleted while a request for it is on its way.
    @Test
    void aWatchOfALogicalClusterThatIsGoneIsOver() {
        var clusters = new Clusters(api.store);

        assertThat(clusters.over(new LogicalCluster("gone")).getAsBoolean()).isTrue();
        assertThat(clusters.over(LogicalCluster.DEFAULT).getAsBoolean()).isFalse();
    }

    @Test
    void aWatchIsOverWithItsLogicalCluster() {
        var other = "{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: other}}";
        api.create("logicalclusters.towtank.dev", other);
        api.cluster = new LogicalCluster("other");
        try (var fromState = api.watch("configmaps", "");
                var fromNow = api.watch("configmaps", "resourceVersion=" + api.store.revision())) {
            api.cluster = LogicalCluster.DEFAULT;
            try (var own = api.watch("configmaps", "")) {
                assertThat(List.of(fromState.isOver(), fromNow.isOver())).containsOnly(false);

                api.delete("logicalclusters.towtank.dev//other", "");
                assertThat(List.of(fromState.isOver(), fromNow.isOver())).containsOnly(true);
                assertThat(own.isOver()).isFalse();

                api.create("logicalclusters.towtank.dev", other);
                assertThat(List.of(fromState.isOver(), fromNow.isOver())).containsOnly(true);
            }
        }
    }

    @Test
    void whatIsNotServedIsNotFound() {
        assertThat(refused(() -> api.get("gadgets.example.com/one/a")).text()).isEqualTo("404 page not found");
        config("one", "a", "");
        assertThat(refused(() -> api.get("configmaps/one/a/scale")).reason()).isEqualTo(StatusError.Reason.NOT_FOUND);
        assertThat(refused(() -> api.call(Verb.LIST, "subjectaccessreviews.authorization.k8s.io", "", Body.None.NONE))
                        .reason())
                .isEqualTo(StatusError.Reason.METHOD_NOT_ALLOWED);
    }
}
