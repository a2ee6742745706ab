package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.WatchStream.Event;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.view.Frames;
import dev.towtank.apiserver.view.Rendering;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/// One open watch. Events are taken from the stream only when the previous ones have been written, so a slow client
/// costs one batch of memory: it falls behind in the history that all watches share, and is cut off in the end.
final class WatchReply extends IteratingCallback implements Deadlines.Item {

    private static final System.Logger LOG = System.getLogger(WatchReply.class.getName());
    private static final int BATCH = 100;
    /// How much is written at once, unless a single event is larger.
    private static final int WRITE_BYTES = 64 * 1024;

    /// What all watches of a server share.
    record Shared(
            Frames frames,
            Pump pump,
            Deadlines deadlines,
            ServerMetrics metrics,
            InstantSource clock,
            Duration bookmarkEvery,
            Duration slowReader) {}

    private final Shared shared;
    private final Reply reply;
    private final Callback end;
    private final Answer.Watching watching;
    private final Rendering rendering;
    private final boolean bookmarks;
    private final Instant deadline;
    private final Deque<Event> pending = new ArrayDeque<>();
    private boolean headersSent;
    private boolean firstEvent = true;
    private boolean lastWritten;
    private Instant nextBookmark;
    private volatile boolean bookmarkDue;
    private volatile boolean ending;
    private long writes;
    /// The number of the write that is under way, or 0.
    private volatile long writing;
    private long seenWriting;
    private Instant seenSince = Instant.MAX;

    WatchReply(
            Shared shared,
            Reply reply,
            Answer.Watching watching,
            Rendering rendering,
            boolean bookmarks,
            Instant deadline) {
        this.shared = shared;
        this.reply = reply;
        this.end = reply.end();
        this.watching = watching;
        this.rendering = rendering;
        this.bookmarks = bookmarks;
        this.deadline = deadline;
        this.nextBookmark = shared.deadlines.now().plus(shared.bookmarkEvery);
    }

    void start() {
        reply.allowSilence();
        reply.request().addFailureListener(this::abort);
        Disconnection.notice(reply, () -> cut("the client of a watch is gone"));
        shared.deadlines.add(this);
        iterate();
    }

    /// Lets the watch end properly: what is pending is sent, then the response ends.
    void stop() {
        ending = true;
        shared.pump.wake(this);
    }

    @Override
    public void look(Instant now) {
        if (isStuck(now)) {
            cut("the client of a watch did not read for " + shared.slowReader.toSeconds() + " seconds");
        } else if (!now.isBefore(deadline) || watching.stream().isOver()) {
            stop();
        } else if (bookmarks && !now.isBefore(nextBookmark)) {
            nextBookmark = now.plus(shared.bookmarkEvery);
            bookmarkDue = true;
            shared.pump.wake(this);
        }
    }

    /// Counts from when a write was first seen here, so a jump of the clock does not cut everybody off.
    private boolean isStuck(Instant now) {
        long current = writing;
        if (current != seenWriting) {
            seenWriting = current;
            seenSince = now;
        }
        return current > 0 && now.isAfter(seenSince.plus(shared.slowReader));
    }

    private void cut(String why) {
        var failure = new IOException(why);
        abort(failure);
        end.failed(failure);
    }

    @Override
    protected Action process() {
        writing = 0;
        if (lastWritten) {
            return Action.SUCCEEDED;
        }
        if (!headersSent) {
            headersSent = true;
            return write(ByteBuffer.allocate(0));
        }
        var frames = next();
        if (frames.isEmpty() && !lastWritten) {
            watching.stream().whenReady(() -> shared.pump.wake(this));
            return Action.IDLE;
        }
        return write(joined(frames));
    }

    private Action write(ByteBuffer bytes) {
        writes++;
        writing = writes;
        reply.response().write(lastWritten, bytes, this);
        return Action.SCHEDULED;
    }

    /// What is to be sent now. Decides whether it is the last.
    private List<byte[]> next() {
        List<byte[]> frames = new ArrayList<>();
        // Looked at first: whatever happens afterwards is not part of this watch.
        boolean lastTime = ending;
        try {
            if (pending.isEmpty()) {
                pending.addAll(watching.stream().poll(BATCH));
                count(pending.size());
            }
            takePending(frames);
            // A bookmark promises that everything before it has been sent.
            if (bookmarks && pending.isEmpty() && (bookmarkDue || (lastTime && frames.isEmpty()))) {
                bookmarkDue = false;
                frames.add(frame(watching.stream().bookmark()));
                lastWritten = lastTime;
            }
            lastWritten |= lastTime && frames.isEmpty();
        } catch (StatusError e) {
            frames.add(Frames.error(e));
            lastWritten = true;
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a watch of " + watching.kind() + " failed", e);
            frames.add(Frames.error(StatusError.internal("this watch made the server fail; its log says where")));
            lastWritten = true;
        }
        return frames;
    }

    private void takePending(List<byte[]> frames) {
        int size = 0;
        while (!pending.isEmpty() && size < WRITE_BYTES) {
            var frame = frame(pending.removeFirst());
            frames.add(frame);
            size += frame.length;
        }
    }

    private byte[] frame(Event event) {
        var frame = shared.frames.of(rendering, shared.clock, watching.kind(), event, firstEvent);
        firstEvent = false;
        return frame;
    }

    private void count(int events) {
        if (events > 0) {
            var kind = watching.kind();
            shared.metrics.watchEvents(kind.group(), kind.version(), kind.plural(), events);
        }
    }

    private static ByteBuffer joined(List<byte[]> frames) {
        if (frames.size() == 1) {
            return ByteBuffer.wrap(frames.getFirst());
        }
        var all = ByteBuffer.allocate(
                frames.stream().mapToInt(frame -> frame.length).sum());
        frames.forEach(all::put);
        return all.flip();
    }

    @Override
    protected void onCompleteSuccess() {
        release();
        end.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        release();
        end.failed(cause);
    }

    private void release() {
        shared.deadlines.remove(this);
        watching.stream().close();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
