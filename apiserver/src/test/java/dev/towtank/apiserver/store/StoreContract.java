package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.CONFIG_MAPS;
import static dev.towtank.apiserver.store.Samples.DEPLOYMENTS;
import static dev.towtank.apiserver.store.Samples.OTHER;
import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.deleting;
import static dev.towtank.apiserver.store.Samples.key;
import static dev.towtank.apiserver.store.Samples.object;
import static dev.towtank.apiserver.store.Samples.texts;
import static dev.towtank.apiserver.store.Samples.updating;
import static dev.towtank.apiserver.store.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every store does: keys, revisions, lists, history. Feeds are in [FeedContract].
abstract class StoreContract {

    final Samples.Clock clock = new Samples.Clock();
    Store store;

    abstract Store open(InstantSource clock, StoreLimits limits);

    @BeforeEach
    void openStore() {
        store = open(clock, StoreLimits.DEFAULT);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    Stored put(String name, String value) {
        return store.commit(creating(key(name), value));
    }

    @Test
    void givesBackWhatWasCreatedWithItsRevisionInside() {
        var created = put("a", "1");

        var found = store.get(key("a"));

        assertThat(found).isSameAs(created);
        assertThat(found.revision()).isEqualTo(store.revision()).isPositive();
        assertThat(found.tree().string("metadata", "resourceVersion")).isEqualTo(Long.toString(found.revision()));
        assertThat(JsonText.parse(found.bytes())).isEqualTo(found.tree());
        assertThat(new String(found.bytes(), StandardCharsets.UTF_8)).doesNotContain("client");
    }

    @Test
    void anUnknownKeyHasNothing() {
        assertThat(store.get(key("a"))).isNull();
        assertThat(store.list(Range.EVERYTHING, 0, null, 0).items()).isEmpty();
        assertThat(store.count(Range.EVERYTHING)).isZero();
    }

    @Test
    void creatingTwiceIsAConflictThatShowsWhatIsThere() {
        var first = put("a", "1");

        var conflict = catchThrowableOfType(Store.Conflict.class, () -> put("a", "2"));

        assertThat(conflict.key()).isEqualTo(key("a"));
        assertThat(conflict.found()).isSameAs(first);
        assertThat(store.revision()).isEqualTo(first.revision());
    }

    /// Whoever is refused looks at what is there, and tries again: before it can be seen that would be in vain.
    @Test
    void whatAConflictIsAboutCanBeRead() throws InterruptedException {
        var unseen = new AtomicInteger();
        for (int round = 0; round < 50; round++) {
            var key = key("contested-" + round);
            var threads = IntStream.range(0, 8)
                    .mapToObj(i -> Thread.ofPlatform().start(() -> {
                        try {
                            store.commit(creating(key, "mine"));
                        } catch (Store.Conflict e) {
                            if (store.get(key) == null) {
                                unseen.incrementAndGet();
                            }
                        }
                    }))
                    .toList();
            for (var thread : threads) {
                thread.join();
            }
        }
        assertThat(unseen).hasValue(0);
    }

    @Test
    void updatesOnlyTheRevisionThatIsExpected() {
        var first = put("a", "1");
        var second = store.commit(updating(first, "2"));

        assertThatThrownBy(() -> store.commit(updating(first, "3"))).isInstanceOf(Store.Conflict.class);

        assertThat(second.revision()).isGreaterThan(first.revision());
        assertThat(value(store.get(key("a")))).isEqualTo("2");
    }

    @Test
    void neitherUpdatesNorDeletesWhatIsNotThere() {
        var conflict = catchThrowableOfType(
                Store.Conflict.class, () -> store.commit(new Write.Update(key("a"), 0, object(key("a"), "1"))));
        assertThat(conflict.found()).isNull();
        assertThatThrownBy(() -> store.commit(new Write.Delete(key("a"), 0, object(key("a"), "1"))))
                .isInstanceOf(Store.Conflict.class);
        assertThat(store.get(key("a"))).isNull();
    }

    @Test
    void aDeletionCarriesItsOwnRevision() {
        var first = put("a", "1");

        var deleted = store.commit(deleting(first));

        assertThat(deleted.revision()).isEqualTo(store.revision()).isGreaterThan(first.revision());
        assertThat(deleted.tree().string("metadata", "resourceVersion")).isEqualTo("" + deleted.revision());
        assertThat(store.get(key("a"))).isNull();
        assertThat(store.count(Range.EVERYTHING)).isZero();
    }

    @Test
    void aDeletedKeyCanBeCreatedAgain() {
        store.commit(deleting(put("a", "1")));

        var again = put("a", "2");

        assertThat(store.get(key("a"))).isSameAs(again);
    }

    @Test
    void aCommitWritesAllOfItsKeysWithGrowingRevisions() {
        var old = put("old", "1");
        var gone = put("gone", "1");

        var changes = store.commit(List.of(
                creating(key("new"), "1"),
                new Write.Check(key("old"), old.revision()),
                updating(old, "2"),
                new Write.Check(key("absent"), 0),
                deleting(gone)));

        assertThat(changes)
                .extracting(Change::type)
                .containsExactly(Change.Type.CREATED, Change.Type.UPDATED, Change.Type.DELETED);
        assertThat(changes).extracting(Change::revision).isSorted().doesNotHaveDuplicates();
        assertThat(changes.get(1).before()).isSameAs(old);
        assertThat(changes.getFirst().before()).isNull();
        assertThat(store.revision()).isEqualTo(changes.getLast().revision());
        assertThat(texts(store.list(Range.EVERYTHING, 0, null, 0).items())).containsExactly("new=1", "old=2");
    }

    @Test
    void aCommitWithOneWrongExpectationWritesNothing() {
        var old = put("old", "1");
        long before = store.revision();

        for (var wrong : List.of(
                creating(key("old"), "x"),
                new Write.Check(key("old"), old.revision() + 1),
                new Write.Check(key("old"), 0),
                new Write.Check(key("absent"), 7))) {
            assertThatThrownBy(() -> store.commit(List.of(creating(key("new"), "1"), wrong)))
                    .isInstanceOf(Store.Conflict.class);
        }

        assertThat(store.get(key("new"))).isNull();
        assertThat(store.revision()).isEqualTo(before);
    }

    @Test
    void refusesToWriteAKeyTwiceInOneCommit() {
        assertThatThrownBy(() -> store.commit(List.of(creating(key("a"), "1"), creating(key("a"), "2"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configmaps/default/default/a");
    }

    @Test
    void refusesKeysThatCannotBeStored() {
        var long513 = "a".repeat(513);
        for (var bad : List.of(
                key("a/b"),
                key("a\0"),
                key(long513),
                key(""),
                key("a/b", "c"),
                new Key(CONFIG_MAPS, LogicalCluster.ALL, "", "a"),
                new Key(new GroupResource("", ""), OTHER, "", "a"),
                new Key(new GroupResource("", "a.b"), OTHER, "", "a"))) {
            assertThatThrownBy(() -> store.commit(creating(bad, "1"))).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> store.commit(new Write.Create(key("a"), Json.Obj.EMPTY)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void listsInKeyOrderWithinARange() {
        var names = List.of("b", "a", "c");
        for (var name : names) {
            store.commit(creating(key("two", name), "2"));
            store.commit(creating(key("one", name), "1"));
            store.commit(creating(new Key(CONFIG_MAPS, OTHER, "one", name), "o"));
            store.commit(creating(new Key(DEPLOYMENTS, LogicalCluster.DEFAULT, "one", name), "d"));
        }

        assertThat(list(Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT, "one"))).containsExactly("a=1", "b=1", "c=1");
        assertThat(list(Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT)))
                .containsExactly("a=1", "b=1", "c=1", "a=2", "b=2", "c=2");
        assertThat(list(Range.of(CONFIG_MAPS)))
                .containsExactly("a=1", "b=1", "c=1", "a=2", "b=2", "c=2", "a=o", "b=o", "c=o");
        assertThat(list(Range.of(OTHER))).containsExactly("a=o", "b=o", "c=o");
        assertThat(list(Range.EVERYTHING)).hasSize(12).endsWith("a=d", "b=d", "c=d");
        assertThat(store.list(Range.EVERYTHING, 0, null, 0).items())
                .extracting(Stored::key)
                .isSorted();
        var anyCluster = new Range(Optional.of(CONFIG_MAPS), Optional.empty(), Optional.of("one"));
        assertThat(list(anyCluster)).containsExactly("a=1", "b=1", "c=1", "a=o", "b=o", "c=o");
        assertThat(store.count(anyCluster)).isEqualTo(6);
        assertThat(store.count(Range.of(CONFIG_MAPS))).isEqualTo(9);
    }

    private List<String> list(Range range) {
        return texts(store.list(range, 0, null, 0).items());
    }

    @Test
    void aNamespaceIsNotMistakenForOneThatBeginsLikeIt() {
        store.commit(creating(key("team", "a"), "1"));
        store.commit(creating(key("team-a", "a"), "2"));

        assertThat(list(Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT, "team"))).containsExactly("a=1");
    }

    @Test
    void listsAsItWasAtAnOlderRevision() {
        var a = put("a", "1");
        var b = put("b", "1");
        long then = store.revision();
        store.commit(updating(a, "2"));
        store.commit(deleting(b));
        put("c", "1");

        var page = store.list(Range.EVERYTHING, then, null, 0);

        assertThat(page.revision()).isEqualTo(then);
        assertThat(texts(page.items())).containsExactly("a=1", "b=1");
        assertThat(list(Range.EVERYTHING)).containsExactly("a=2", "c=1");
    }

    @Test
    void pagesOfOneRevisionFitTogetherWhateverIsWrittenBetween() {
        var all = IntStream.range(0, 25)
                .mapToObj(i -> put(String.format("n%02d", i), "1"))
                .toList();
        var seen = new ArrayList<Stored>();
        long at = 0;
        Key after = null;
        boolean more = true;
        var remaining = new ArrayList<Long>();

        while (more) {
            var page = store.list(Range.of(CONFIG_MAPS), at, after, 10);
            seen.addAll(page.items());
            remaining.add(page.remaining().orElseThrow());
            more = page.more();
            at = page.revision();
            after = page.items().getLast().key();
            var next = all.get(seen.size() % 25);
            store.commit(deleting(next));
            put("a-new-" + seen.size(), "1");
        }

        assertThat(seen).containsExactlyElementsOf(all);
        assertThat(remaining).containsExactly(15L, 5L, 0L);
    }

    @Test
    void pagesGoAcrossResources() {
        store.commit(creating(new Key(DEPLOYMENTS, OTHER, "n", "d1"), "1"));
        store.commit(creating(new Key(DEPLOYMENTS, OTHER, "n", "d2"), "1"));
        put("c1", "1");

        var first = store.list(Range.EVERYTHING, 0, null, 2);
        var second = store.list(Range.EVERYTHING, 0, first.items().getLast().key(), 2);

        assertThat(texts(first.items())).containsExactly("c1=1", "d1=1");
        assertThat(first.more()).isTrue();
        assertThat(texts(second.items())).containsExactly("d2=1");
        assertThat(second.more()).isFalse();
    }

    @Test
    void theRevisionOfAListIsThatOfTheStore() {
        put("a", "1");
        assertThat(store.list(Range.of(DEPLOYMENTS), 0, null, 0).revision()).isEqualTo(store.revision());
    }

    @Test
    void refusesToListTheFuture() {
        put("a", "1");
        var future = catchThrowableOfType(
                Store.Future.class, () -> store.list(Range.EVERYTHING, store.revision() + 1, null, 0));
        assertThat(future.current()).isEqualTo(store.revision());
    }

    @Test
    void compactionForgetsHistoryButNotTheNewestState() {
        var a = put("a", "1");
        var b = put("b", "1");
        store.commit(deleting(b));
        long kept = store.commit(updating(a, "2")).revision();
        put("c", "1");

        store.compact(kept);

        assertThat(store.oldest()).isEqualTo(kept);
        assertThat(texts(store.list(Range.EVERYTHING, kept, null, 0).items())).containsExactly("a=2");
        assertThat(list(Range.EVERYTHING)).containsExactly("a=2", "c=1");
        var expired = catchThrowableOfType(Feed.Expired.class, () -> store.list(Range.EVERYTHING, kept - 1, null, 0));
        assertThat(expired.asked()).isEqualTo(kept - 1);
        assertThat(expired.oldest()).isEqualTo(kept);
        assertThatThrownBy(() -> store.feed(Range.EVERYTHING, kept - 1)).isInstanceOf(Feed.Expired.class);
    }

    @Test
    void compactingBackwardsOrBeyondTheEndDoesNoHarm() {
        put("a", "1");
        store.compact(store.revision() + 100);
        assertThat(store.oldest()).isEqualTo(store.revision());
        store.compact(0);
        assertThat(store.oldest()).isEqualTo(store.revision());
        assertThat(list(Range.EVERYTHING)).containsExactly("a=1");
        put("b", "1");
        assertThat(store.oldest()).isLessThan(store.revision());
    }

    @Test
    void keepsNoMoreChangesThanTheLimit() {
        try (var small = open(clock, new StoreLimits(Duration.ofHours(1), 10, 1 << 20))) {
            var last = small.commit(creating(key("a"), "0"));
            for (int i = 1; i < 100; i++) {
                last = small.commit(updating(last, "" + i));
            }
            small.commit(creating(key("b"), "1"));

            // The last commit was answered before it could be counted.
            assertThat(small.revision() - small.oldest()).isBetween(10L, 11L);
            assertThat(texts(small.list(Range.EVERYTHING, 0, null, 0).items())).containsExactly("a=99", "b=1");
        }
    }

    @Test
    void keepsNoMoreBytesThanTheLimit() {
        try (var small = open(clock, new StoreLimits(Duration.ofHours(1), 1000, 10_000))) {
            var last = small.commit(creating(key("a"), "0"));
            for (int i = 1; i < 50; i++) {
                last = small.commit(updating(last, "x".repeat(1000)));
            }
            assertThat(small.revision() - small.oldest()).isBetween(7L, 10L);
        }
    }

    @Test
    void keepsNothingLongerThanTheLimit() {
        var limits = new StoreLimits(Duration.ofMinutes(5), 1000, 1 << 20);
        try (var small = open(clock, limits)) {
            long first = small.commit(creating(key("a"), "1")).revision();
            clock.pass(Duration.ofMinutes(4));
            long second = small.commit(creating(key("b"), "1")).revision();
            assertThat(small.oldest()).isLessThan(first);

            clock.pass(Duration.ofMinutes(2));
            small.commit(creating(key("c"), "1"));
            small.commit(creating(key("d"), "1"));

            assertThat(small.oldest()).isGreaterThanOrEqualTo(first).isLessThan(second);
        }
    }

    @Test
    void dropsALogicalClusterAndNothingElse() {
        put("a", "1");
        for (int i = 0; i < 20; i++) {
            store.commit(creating(new Key(CONFIG_MAPS, OTHER, "n", "o" + i), "1"));
            store.commit(creating(new Key(DEPLOYMENTS, OTHER, "n", "o" + i), "1"));
        }
        long before = store.revision();

        assertThat(store.drop(OTHER)).isEqualTo(40);

        assertThat(store.revision()).isEqualTo(before + 40);
        assertThat(list(Range.EVERYTHING)).containsExactly("a=1");
        assertThat(store.list(Range.of(OTHER), before, null, 0).items()).hasSize(40);
        assertThat(store.drop(OTHER)).isZero();
        assertThat(store.revision()).isEqualTo(before + 40);
        assertThat(store.commit(creating(new Key(CONFIG_MAPS, OTHER, "n", "o1"), "2"))
                        .revision())
                .isEqualTo(before + 41);
    }

    @Test
    void refusesWritesOnceClosed() {
        put("a", "1");
        store.close();
        assertThatThrownBy(() -> put("b", "1"))
                .isInstanceOf(Store.Unavailable.class)
                .hasMessage("the store is closed");
        store.close();
    }
}
