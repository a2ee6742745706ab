package dev.towtank.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is no object (a git repository, a bucket, a database, an answer over HTTP), as something that facts are
/// gathered
/// from: asking never waits. A question that is asked for the first time is *pending*; when its answer is there, or
/// is
/// another than before, whoever asked is looked at again.
///
/// Questions are read side by side within bounds, again when their answer is no longer fresh and somebody still asks,
/// and
/// later each time while they fail. What nobody asks any more is forgotten.
///
/// @param <Q> a value with `equals`
/// @param <A> a value with `equals`
public final class Outside<Q, A> implements Waker, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Outside.class.getName());

    /// Finds the answer to a question; it may block.
    @FunctionalInterface
    public interface Reader<Q, A> {
        A read(Q question) throws IOException, InterruptedException;
    }

    /// What is known about a question. One that could not be answered anew still has the answer that it had.
    public sealed interface Answer<A> {

        record Pending<A>() implements Answer<A> {}

        /// @param read when that was
        record Known<A>(A value, Instant read) implements Answer<A> {}

        /// @param problem one line, for people
        /// @param since when it first failed in a row
        /// @param again when it is tried next
        /// @param last what was known before
        record Failed<A>(String problem, Instant since, Instant again, Optional<A> last) implements Answer<A> {}

        /// The newest answer there is.
        default Optional<A> newest() {
            return switch (this) {
                case Pending<A> _ -> Optional.empty();
                case Known<A>(var value, var _) -> Optional.of(value);
                case Failed<A>(var _, var _, var _, var last) -> last;
            };
        }
    }

    /// @param fresh after which an answer is asked for again; for an hour nothing changes unless somebody says so
    /// @param atOnce how many questions are read side by side
    /// @param questions how many are remembered; the one that was not asked for longest goes first
    public record Limits(Duration fresh, int atOnce, int questions, Backoff backoff) {
        public static final Limits USUAL = new Limits(Duration.ofHours(1), 8, 10_000, Backoff.OF_SERVERS);

        public Limits freshFor(Duration time) {
            return new Limits(time, atOnce, questions, backoff);
        }
    }

    private static final class Entry<A> {
        Answer<A> answer = new Answer.Pending<>();
        final Set<ObjectName> askers = new HashSet<>();
        int failures;
        boolean isReading;
        boolean isWantedAgain;
        Timers.@Nullable Timer timer;

        @Nullable
        Thread reader;
    }

    private final String name;
    private final Reader<Q, A> reader;
    private final Limits limits;
    private final Timers timers;
    private final Executor readers;
    private final Semaphore places;
    private final List<Consumer<ObjectName>> subscribers = new CopyOnWriteArrayList<>();

    // Guarded by this object's monitor; by the time of the last question.
    private final Map<Q, Entry<A>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    /// @param name for threads and logs
    public Outside(String name, Reader<Q, A> reader, Limits limits, Timers timers) {
        this(name, reader, limits, timers, task -> Thread.ofVirtual().name(name).start(task));
    }

    /// @param readers who reads; a test that must not wait lets whoever asks do it (`Runnable::run`)
    public Outside(String name, Reader<Q, A> reader, Limits limits, Timers timers, Executor readers) {
        this.name = name;
        this.reader = reader;
        this.limits = limits;
        this.timers = timers;
        this.readers = readers;
        this.places = new Semaphore(limits.atOnce);
    }

    @Override
    public void subscribe(Consumer<ObjectName> wake) {
        subscribers.add(wake);
    }

    /// What is known now.
    ///
    /// @param asker is looked at again when that changes
    public synchronized Answer<A> ask(ObjectName asker, Q question) {
        var entry = entries.get(question);
        if (entry == null) {
            entry = new Entry<>();
            entries.put(question, entry);
            forgetOldest();
            entry.askers.add(asker);
            begin(question, entry);
        } else {
            entry.askers.add(asker);
            if (isStale(entry)) {
                begin(question, entry);
            }
        }
        return entry.answer;
    }

    private boolean isStale(Entry<A> entry) {
        return !entry.isReading
                && entry.timer == null
                && entry.answer instanceof Answer.Known<A>(var _, var read)
                && !timers.instant().isBefore(read.plus(limits.fresh));
    }

    /// Asks again soon, because something says that the answer has changed.
    public synchronized void refresh(Q question) {
        var entry = entries.get(question);
        if (entry != null) {
            begin(question, entry);
        }
    }

    private void forgetOldest() {
        var oldest = entries.entrySet().iterator();
        while (entries.size() > limits.questions && oldest.hasNext()) {
            var entry = oldest.next().getValue();
            stop(entry);
            oldest.remove();
        }
    }

    private void begin(Q question, Entry<A> entry) {
        if (closed) {
            return;
        }
        if (entry.isReading) {
            entry.isWantedAgain = true;
            return;
        }
        if (entry.timer != null) {
            entry.timer.cancel();
            entry.timer = null;
        }
        entry.isReading = true;
        readers.execute(() -> read(question, entry));
    }

    private synchronized boolean isBegun(Entry<A> entry) {
        entry.reader = Thread.currentThread();
        return !closed;
    }

    private void read(Q question, Entry<A> entry) {
        if (!isBegun(entry)) {
            return;
        }
        try {
            places.acquire();
            try {
                answered(question, entry, reader.read(question));
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            // closed, or forgotten
        } catch (IOException | UncheckedIOException e) {
            failed(question, entry, text(e));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.log(System.Logger.Level.ERROR, name + " cannot read", e);
            failed(question, entry, e.toString());
        }
    }

    private static String text(Exception problem) {
        var cause =
                problem instanceof UncheckedIOException && problem.getCause() != null ? problem.getCause() : problem;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private void answered(Q question, Entry<A> entry, A value) {
        Set<ObjectName> woken;
        synchronized (this) {
            boolean isNews =
                    !(entry.answer instanceof Answer.Known<A>(var before, var _)) || !Objects.equals(before, value);
            entry.answer = new Answer.Known<>(value, timers.instant());
            entry.failures = 0;
            woken = settled(question, entry, isNews, timers.instant().plus(limits.fresh));
        }
        wake(woken);
    }

    private void failed(Q question, Entry<A> entry, String problem) {
        Set<ObjectName> woken;
        synchronized (this) {
            var now = timers.instant();
            var again = now.plus(limits.backoff.after(++entry.failures));
            var since = entry.answer instanceof Answer.Failed<A> before ? before.since() : now;
            boolean isNews = !(entry.answer instanceof Answer.Failed<A> before
                    && before.problem().equals(problem));
            entry.answer = new Answer.Failed<>(problem, since, again, entry.answer.newest());
            woken = settled(question, entry, isNews, again);
        }
        wake(woken);
    }

    /// Those who asked ask again when they are looked at; who does not has lost interest, and nothing is read for
    /// nobody.
    private Set<ObjectName> settled(Q question, Entry<A> entry, boolean isNews, Instant again) {
        entry.isReading = false;
        entry.reader = null;
        if (entry.isWantedAgain) {
            entry.isWantedAgain = false;
            begin(question, entry);
        } else if (!closed) {
            entry.timer = timers.at(again, () -> due(question, entry));
        }
        if (!isNews) {
            return Set.of();
        }
        var woken = Set.copyOf(entry.askers);
        entry.askers.clear();
        return woken;
    }

    private synchronized void due(Q question, Entry<A> entry) {
        entry.timer = null;
        if (closed || entries.get(question) != entry) {
            return;
        }
        if (entry.askers.isEmpty()) {
            entries.remove(question);
        } else {
            begin(question, entry);
        }
    }

    /// Without this, an answer that never changes would be read again for good for somebody who is no more.
    @Override
    public synchronized void forget(ObjectName gone) {
        entries.values().removeIf(entry -> {
            boolean isLast = entry.askers.remove(gone) && entry.askers.isEmpty();
            if (isLast) {
                stop(entry);
            }
            return isLast;
        });
    }

    private void wake(Set<ObjectName> askers) {
        for (var asker : askers) {
            subscribers.forEach(subscriber -> subscriber.accept(asker));
        }
    }

    /// How many questions are remembered.
    public synchronized int size() {
        return entries.size();
    }

    private static void stop(Entry<?> entry) {
        if (entry.timer != null) {
            entry.timer.cancel();
        }
        if (entry.reader != null) {
            entry.reader.interrupt();
        }
    }

    /// Whoever reads is interrupted; nobody is woken any more.
    @Override
    public void close() {
        List<Entry<A>> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(entries.values());
            subscribers.clear();
        }
        open.forEach(Outside::stop);
    }
}
