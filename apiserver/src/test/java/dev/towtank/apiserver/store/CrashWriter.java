package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.CONFIG_MAPS;
import static dev.towtank.apiserver.store.Samples.DEPLOYMENTS;
import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.deleting;
import static dev.towtank.apiserver.store.Samples.updating;
import static dev.towtank.apiserver.store.Samples.value;

import dev.towtank.model.LogicalCluster;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// The process that [StoreCrashTest] kills: writes from many threads and says so once each commit is durable.
///
/// Each writer counts up. A commit sets its counter, creates the item of that number, takes an old item away and
/// leaves something in its logical cluster, all at once; every now and then the logical cluster is dropped.
final class CrashWriter {

    static final int WRITERS = 12;
    static final int KEPT = 5;
    static final int DROP_EVERY = 20;

    private CrashWriter() {}

    public static void main(String[] arguments) {
        var place = Path.of(arguments[0]);
        try (var store = JournaledStore.open(place, InstantSource.system(), StoreLimits.DEFAULT, "a test");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            say("start " + store.revision());
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                threads.execute(() -> write(store, writer));
            }
        }
    }

    @SuppressWarnings("InfiniteLoop")
    private static void write(Store store, int writer) {
        while (true) {
            var counter = store.get(counter(writer));
            int number = counter == null ? 1 : Integer.parseInt(value(counter)) + 1;
            if ((number - 1) % DROP_EVERY == 0 && store.count(Range.of(scratch(writer))) > 0) {
                store.drop(scratch(writer));
                say("drop " + writer + " " + (number - 1) + " " + store.revision());
            }
            var padding = "x".repeat(number % 7 * 300);
            var writes = new ArrayList<Write>();
            writes.add(creating(item(writer, number), padding));
            writes.add(counter == null ? creating(counter(writer), "" + number) : updating(counter, "" + number));
            writes.add(creating(new Key(DEPLOYMENTS, scratch(writer), "n", "s" + number), "" + number));
            var old = store.get(item(writer, number - KEPT));
            if (old != null) {
                writes.add(deleting(old));
            }
            var changes = store.commit(writes);
            say("commit " + writer + " " + number + " " + changes.getLast().revision());
        }
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    static Key counter(int writer) {
        return new Key(CONFIG_MAPS, LogicalCluster.DEFAULT, "counters", "w" + writer);
    }

    static Range items(int writer) {
        return Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT, "items-" + writer);
    }

    private static Key item(int writer, int number) {
        return new Key(CONFIG_MAPS, LogicalCluster.DEFAULT, "items-" + writer, "i" + number);
    }

    static List<Key> itemsAfter(int writer, int last) {
        return IntStream.rangeClosed(Math.max(1, last - KEPT + 1), last)
                .mapToObj(number -> item(writer, number))
                .toList();
    }

    static LogicalCluster scratch(int writer) {
        return new LogicalCluster("scratch-" + writer);
    }
}
