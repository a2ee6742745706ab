package dev.towtank.apiserver.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// The audit log in a directory. One thread writes; requests only hand over what happened.
///
/// When more happens than can be written, events are lost rather than requests held up, and the log says how many.
public final class AuditLog implements AuditSink, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
    private static final int CHUNK = 256 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// How much the log may hold.
    ///
    /// @param fileBytes the largest size of a file
    /// @param files how many there may be
    /// @param queued how many events may wait to be written
    /// @param queuedBytes how many bytes of bodies may wait; an event beyond comes without its bodies
    public record Limits(long fileBytes, int files, int queued, long queuedBytes) {
        /// 128 MiB on disk.
        public static final Limits DEFAULT = new Limits(16L << 20, 8, 16_384, 16L << 20);
    }

    private final Level level;
    private final InstantSource clock;
    private final EventQueue queue;
    private final Thread writer;
    // The writer's own.
    private final AuditFiles files;
    private final LineBuffer buffer = new LineBuffer();
    private final AuditLine line = new AuditLine(buffer);
    private boolean failing;

    private AuditLog(Level level, Limits limits, InstantSource clock, AuditFiles files) {
        this.level = level;
        this.clock = clock;
        this.files = files;
        this.queue = new EventQueue(limits.queued, limits.queuedBytes);
        this.writer = Thread.ofPlatform().name("audit").daemon().unstarted(this::run);
    }

    /// @param directory is made; only its owner can read what is in it
    /// @param level other than [AuditSink.Level#OFF]
    public static AuditLog open(Path directory, Level level, Limits limits, InstantSource clock) throws IOException {
        var log = new AuditLog(level, limits, clock, new AuditFiles(directory, limits.fileBytes, limits.files));
        log.writer.start();
        return log;
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public void record(AuditEvent event) {
        queue.add(event, level == Level.REQUEST ? event.exchange().size() : 0);
    }

    /// Returns when everything that was recorded before is in the file.
    public void flush() throws InterruptedException {
        queue.awaitFinished();
    }

    private void run() {
        try {
            boolean more = true;
            while (more) {
                var batch = queue.take();
                more = !batch.isEmpty() || !queue.isClosed();
                write(batch);
            }
            files.close();
        } catch (InterruptedException e) {
            LOG.log(System.Logger.Level.WARNING, "the audit log was interrupted and ends");
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the audit log did not reach the disk: " + e);
        }
    }

    private void write(List<AuditEvent> batch) {
        int pending = 0;
        for (var event : batch) {
            add(event);
            pending++;
            if (buffer.size() >= CHUNK) {
                append(pending, 0);
                pending = 0;
            }
        }
        long lost = queue.takeLost();
        if (lost > 0) {
            line.writeLost(lost, AuditedApi.id(), clock.instant());
        }
        append(pending, lost);
    }

    private void add(AuditEvent event) {
        int from = buffer.size();
        try {
            line.write(event);
        } catch (RuntimeException e) {
            buffer.cut(from);
            LOG.log(System.Logger.Level.ERROR, "an event of the audit log could not be written", e);
            queue.addLost(1);
        }
    }

    /// @param events how many are in the buffer
    /// @param told how many others the buffer tells to be lost
    private void append(int events, long told) {
        try {
            files.append(buffer.content());
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOG.log(System.Logger.Level.ERROR, "the audit log cannot be written, its events are lost: " + e);
            }
            failing = true;
            queue.addLost(events + told);
        } finally {
            buffer.clear();
            queue.finished(events);
        }
    }

    /// Writes what is left and ends.
    @Override
    public void close() {
        queue.close();
        try {
            if (!writer.join(PATIENCE)) {
                LOG.log(System.Logger.Level.WARNING, "the audit log could not be written to its end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
