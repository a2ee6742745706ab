package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that dies is a journal that is not closed.
class InHandJournalTest {

    private static final Resource BOMB = object("bomb", "spec: {size: 1}");
    private static final Resource OTHER = object("other", "spec: {size: 1}");

    @TempDir
    private Path directory;

    private static Resource object(String name, String rest) {
        return Resource.of((Json.Obj) YamlText.parse(
                "{apiVersion: v1, kind: Thing, metadata: {name: %s, uid: uid-%s}, %s}".formatted(name, name, rest)));
    }

    private InHandJournal open() throws IOException {
        return InHandJournal.open(directory);
    }

    @Test
    void setsAsideWhatTwoServersDiedWith() throws Exception {
        open().begin("maker", BOMB);
        open().begin("maker", BOMB);

        assertThat(open().begin("maker", BOMB)).isEmpty();
        assertThat(open().begin("maker", BOMB)).as("by every later server").isEmpty();
        assertThat(open().begin("maker", OTHER)).isPresent();
        assertThat(open().begin("another", BOMB))
                .as("what one cannot bear, another may")
                .isPresent();
    }

    @Test
    void clearsWhatComesThroughItsTrial() throws Exception {
        var first = open();
        first.begin("maker", BOMB);
        first.begin("maker", OTHER);
        var second = open();
        assertThat(second.suspects()).hasSize(2);
        second.begin("maker", OTHER).orElseThrow().close();
        second.begin("maker", BOMB);

        var third = open();

        assertThat(third.begin("maker", OTHER)).isPresent();
        assertThat(third.begin("maker", BOMB)).isEmpty();
    }

    @Test
    void handlesSuspectsOneAtATime() throws Exception {
        var first = open();
        first.begin("maker", BOMB);
        first.begin("maker", OTHER);
        var second = open();
        var turn = second.begin("maker", BOMB).orElseThrow();
        var waiting = Thread.ofVirtual()
                .start(() -> second.begin("maker", OTHER).orElseThrow().close());
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(second.begin("maker", object("third", "spec: {}")))
                .as("nobody else waits")
                .isPresent();

        turn.close();
        waiting.join();

        assertThat(second.suspects()).isEmpty();
    }

    @Test
    void looksAgainOnceTheSpecHasChanged() throws Exception {
        open().begin("maker", BOMB);
        open().begin("maker", BOMB);
        assertThat(open().begin("maker", BOMB)).isEmpty();

        var later = open();
        assertThat(later.begin("maker", object("bomb", "spec: {size: 1}, status: {seen: true}")))
                .isEmpty();
        assertThat(later.begin("maker", object("bomb", "spec: {size: 2}"))).isPresent();
    }

    @Test
    void suspectsNobodyAfterACleanStop() throws Exception {
        try (var journal = open()) {
            journal.begin("maker", BOMB);
        }
        assertThat(open().suspects()).isEmpty();
    }

    @Test
    void goesOnWhereMoreIsInHandThanItCanNote() throws Exception {
        var journal = open();
        for (int i = 0; i < 2000; i++) {
            assertThat(journal.begin("maker", object("o" + i, "spec: {}"))).isPresent();
        }
    }

    /// A server whose handling of one object ends it, as the kernel would: without a word.
    static final class Doomed {
        private Doomed() {}

        public static void main(String[] arguments) throws Exception {
            var journal = InHandJournal.open(Path.of(arguments[0]));
            journal.begin("maker", OTHER).orElseThrow().close();
            if (journal.begin("maker", BOMB).isPresent()) {
                new ProcessBuilder(
                                "kill",
                                "-KILL",
                                Long.toString(ProcessHandle.current().pid()))
                        .start();
                new CountDownLatch(1).await();
            }
        }
    }

    @Test
    void survivesTheProcessThatIsKilled() throws Exception {
        int killed = 128 + 9;

        assertThat(List.of(live(), live(), live(), live())).containsExactly(killed, killed, 0, 0);
        assertThat(open().begin("maker", BOMB)).isEmpty();
        assertThat(open().begin("maker", OTHER)).isPresent();
    }

    private int live() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Doomed.class.getName(),
                        directory.toString())
                .inheritIO()
                .start()
                .waitFor();
    }
}
