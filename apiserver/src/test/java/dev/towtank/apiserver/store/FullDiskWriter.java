package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.key;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.InstantSource;

/// A process whose files may not grow beyond a limit, as on a full disk, until it lifts the limit.
final class FullDiskWriter {

    private static final int FILE_SIZE = 1;
    private static final long UNLIMITED = -1;

    private FullDiskWriter() {}

    public static void main(String[] arguments) throws Throwable {
        try (var store =
                JournaledStore.open(Path.of(arguments[0]), InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            int written = 0;
            limitFiles(200_000);
            int refused = 0;
            while (refused < 20) {
                if (writes(store, written)) {
                    written++;
                } else {
                    refused++;
                }
            }
            System.out.println("refused " + refused + " times");
            limitFiles(UNLIMITED);
            for (int i = 0; i < 300; i++) {
                if (!writes(store, written++)) {
                    throw new IllegalStateException("still refused");
                }
            }
            System.out.println("went on");
            System.out.println(written);
        }
    }

    private static boolean writes(Store store, int number) {
        try {
            store.commit(creating(key("n" + number), "x".repeat(1000)));
            return true;
        } catch (Store.Unavailable e) {
            return false;
        }
    }

    // Only the soft limit, which may be raised again.
    @SuppressWarnings("restricted")
    private static void limitFiles(long bytes) throws Throwable {
        var linker = Linker.nativeLinker();
        var setrlimit = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setrlimit"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try (var arena = Arena.ofConfined()) {
            var limits = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes, UNLIMITED);
            int result = (int) setrlimit.invokeExact(FILE_SIZE, limits);
            if (result != 0) {
                throw new IllegalStateException("setrlimit failed");
            }
        }
    }
}
