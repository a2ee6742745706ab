package dev.towtank.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {

    @TempDir
    Path directory;

    /// Run in a process of its own: holds the lock until it is killed.
    static final class Holder {
        public static void main(String[] arguments) throws Exception {
            try (var lock = DirectoryLock.acquire(Path.of(arguments[0]), "the first server")) {
                System.out.println("locked " + lock.hashCode());
                System.out.println(System.in.read());
            }
        }
    }

    @Test
    void anotherProcessIsToldWhoHasIt() throws Exception {
        var holder = ChildJvm.start(Holder.class, directory.toString());
        try (var output = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).startsWith("locked");

            assertThatThrownBy(() -> JournaledStore.open(
                            directory, InstantSource.system(), StoreLimits.DEFAULT, "the second server"))
                    .isInstanceOf(DirectoryLock.Taken.class)
                    .hasMessageContaining("process " + holder.pid() + " (the first server)")
                    .hasMessageContaining(directory.toRealPath().toString());
        } finally {
            holder.destroyForcibly().waitFor();
        }

        // Killed, not closed: the lock is free all the same.
        DirectoryLock.acquire(directory, "the next server").close();
    }

    @Test
    void theSameProcessCannotHaveItTwice() throws Exception {
        try (var first = DirectoryLock.acquire(directory, "one")) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> DirectoryLock.acquire(directory.resolve("."), "two"))
                    .isInstanceOf(DirectoryLock.Taken.class)
                    .hasMessageContaining("this process");
        }
        var second = DirectoryLock.acquire(directory, "three");
        second.close();
        second.close();
        DirectoryLock.acquire(directory, "four").close();
    }
}
