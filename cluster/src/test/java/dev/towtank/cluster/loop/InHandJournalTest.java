package dev.towtank.cluster.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.InHand;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private static Resource object(String name, String rest) {
        return Resource.of((Json.Obj) YamlText.parse(
                "{apiVersion: v1, kind: Thing, metadata: {name: %s, uid: uid-%s}, %s}".formatted(name, name, rest)));
    }

    private InHandJournal open() throws IOException {
        return InHandJournal.open(directory, () -> now);
    }

    private static void clear(InHand.Beginning beginning) {
        turn(beginning).close();
    }

    private static InHand.Turn turn(InHand.Beginning beginning) {
        return (InHand.Turn) beginning;
    }

    private InHand.SetAside aside(int deaths, Duration wait) {
        return new InHand.SetAside(deaths, now.plus(wait));
    }

    @Test
    void setsAsideWhatTwoServersDiedWith() throws Exception {
        open().begin("maker", BOMB);
        open().begin("maker", BOMB);

        assertThat(open().begin("maker", BOMB)).isEqualTo(aside(2, Duration.ofSeconds(10)));
        assertThat(open().begin("maker", BOMB)).as("by every later server").isInstanceOf(InHand.SetAside.class);
        assertThat(open().begin("maker", OTHER)).isInstanceOf(InHand.Turn.class);
        assertThat(open().begin("another", BOMB))
                .as("what one cannot bear, another may")
                .isInstanceOf(InHand.Turn.class);
    }

    /// Nobody can tell who is killed from outside from who dies of an object: the innocent must not wait for ever, nor
    /// the guilty end every server.
    @Test
    void givesAnotherTurnLaterEachTime() throws Exception {
        open().begin("maker", BOMB);
        open().begin("maker", BOMB);
        for (int deaths = 2; deaths < 30; deaths++) {
            var journal = open();
            var wait = Duration.ofSeconds(
                    Math.min(10L << (deaths - 2), Duration.ofDays(1).toSeconds()));
            assertThat(journal.begin("maker", BOMB)).isEqualTo(aside(deaths, wait));
            now = now.plus(wait);
            turn(journal.begin("maker", BOMB));
        }

        now = now.plus(Duration.ofDays(1));
        var last = open();
        now = now.plus(Duration.ofDays(1));
        clear(last.begin("maker", BOMB));
        assertThat(last.begin("maker", BOMB)).as("came through").isInstanceOf(InHand.Turn.class);
        last.close();
        assertThat(open().begin("maker", BOMB)).isInstanceOf(InHand.Turn.class);
    }

    @Test
    void clearsWhatComesThroughItsTrial() throws Exception {
        var first = open();
        first.begin("maker", BOMB);
        first.begin("maker", OTHER);
        var second = open();
        assertThat(second.suspects()).hasSize(2);
        clear(second.begin("maker", OTHER));
        second.begin("maker", BOMB);

        var third = open();

        assertThat(third.begin("maker", OTHER)).isInstanceOf(InHand.Turn.class);
        assertThat(third.begin("maker", BOMB)).isInstanceOf(InHand.SetAside.class);
    }

    @Test
    void handlesSuspectsOneAtATime() throws Exception {
        var first = open();
        first.begin("maker", BOMB);
        first.begin("maker", OTHER);
        var second = open();
        var turn = turn(second.begin("maker", BOMB));
        var waiting = Thread.ofVirtual().start(() -> clear(second.begin("maker", OTHER)));
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(second.begin("maker", object("third", "spec: {}")))
                .as("nobody else waits")
                .isInstanceOf(InHand.Turn.class);

        turn.close();
        waiting.join();

        assertThat(second.suspects()).isEmpty();
    }

    @Test
    void looksAgainOnceTheSpecHasChanged() throws Exception {
        open().begin("maker", BOMB);
        open().begin("maker", BOMB);
        assertThat(open().begin("maker", BOMB)).isInstanceOf(InHand.SetAside.class);

        var later = open();
        assertThat(later.begin("maker", object("bomb", "spec: {size: 1}, status: {seen: true}")))
                .isInstanceOf(InHand.SetAside.class);
        assertThat(later.begin("maker", object("bomb", "spec: {size: 2}"))).isInstanceOf(InHand.Turn.class);
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
            assertThat(journal.begin("maker", object("o" + i, "spec: {}"))).isInstanceOf(InHand.Turn.class);
        }
    }

    /// A server whose handling of one object ends it, as the kernel would: without a word.
    static final class Doomed {
        private Doomed() {}

        public static void main(String[] arguments) throws Exception {
            var journal = InHandJournal.open(Path.of(arguments[0]), InstantSource.system());
            clear(journal.begin("maker", OTHER));
            if (journal.begin("maker", BOMB) instanceof InHand.Turn) {
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
        assertThat(open().begin("maker", BOMB)).isInstanceOf(InHand.SetAside.class);
        assertThat(open().begin("maker", OTHER)).isInstanceOf(InHand.Turn.class);
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
