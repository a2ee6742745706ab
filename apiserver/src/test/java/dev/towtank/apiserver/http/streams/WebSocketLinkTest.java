package dev.towtank.apiserver.http.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.junit.jupiter.api.Test;

class WebSocketLinkTest {

    private static final long STARTED = Long.MAX_VALUE - 1000; // it may overflow

    private long now = STARTED;
    private final List<Long> parked = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    private long sinceStart() {
        return Duration.ofNanos(now - STARTED).toMillis();
    }

    /// Wakes up early, as parked threads may.
    private void park(long nanos) {
        parked.add(nanos);
        now += Math.min(nanos, Duration.ofMillis(12).toNanos());
    }

    private void open(Consumer<WebSocketLink> handler) {
        var session = new CoreSession.Empty() {
            @Override
            public void sendFrame(Frame frame, Callback callback, boolean batch) {
                if (frame.getOpCode() == OpCode.BINARY) {
                    sent.add(StandardCharsets.UTF_8.decode(frame.getPayload()) + " after " + sinceStart());
                }
                callback.succeeded();
            }
        };
        new WebSocketLink(Runnable::run, handler, () -> now, this::park).onOpen(session, Callback.NOOP);
    }

    private static void send(WebSocketLink link, String word) {
        try {
            link.send(ByteBuffer.wrap(word.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aClientHasAMomentToListenBeforeItsFirstMessage() {
        open(link -> {
            send(link, "exit code");
            send(link, "more");
        });

        assertThat(sent).containsExactly("exit code after 20", "more after 20");
        assertThat(parked).hasSize(2);
    }

    @Test
    void whatComesLaterDoesNotWait() {
        open(link -> {
            now += Duration.ofSeconds(1).toNanos();
            send(link, "late");
        });

        assertThat(sent).containsExactly("late after 1000");
        assertThat(parked).isEmpty();
    }
}
