package dev.towtank.cluster.loop;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.InHand;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// What is in hand, in a file that is mapped into memory: it outlives the process, whatever ends it, and costs two
/// writes to memory for each piece of work.
///
/// What was in hand when a process died is under suspicion in the next, which handles suspects one at a time. One that
/// comes through is cleared; one with which the process dies again is set aside by the third, for a while that grows
/// with every further death.
public final class InHandJournal implements InHand, AutoCloseable {

    private static final int SLOTS = 1024;
    private static final int SLOT_BYTES = 256;
    private static final int HEADER_BYTES = 2;
    private static final byte FREE = 0;
    private static final byte TAKEN = 1;
    private static final byte TRIED = 2;

    /// From the second death on. The first is short: whoever is killed from outside, twice at a bad moment, goes on
    /// soon.
    private static final Backoff WAIT = new Backoff(Duration.ofSeconds(10), Duration.ofDays(1));

    /// What somebody does with an object.
    record Work(String worker, String uid) {}

    private final MappedByteBuffer slots;
    private final SetAsideFile setAside;
    private final InstantSource clock;
    private final Instant opened;
    private final Queue<Integer> free = new ConcurrentLinkedQueue<>();
    private final Set<Work> suspects = ConcurrentHashMap.newKeySet();
    private final Semaphore trial = new Semaphore(1);

    private InHandJournal(MappedByteBuffer slots, SetAsideFile setAside, InstantSource clock) {
        this.slots = slots;
        this.setAside = setAside;
        this.clock = clock;
        this.opened = clock.instant();
    }

    /// @param directory where the file is, or will be
    public static InHandJournal open(Path directory, InstantSource clock) throws IOException {
        try (var file = FileChannel.open(
                directory.resolve("in-hand"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            // With all its blocks: to write where the disk has no room for a page would end the process.
            for (long size = file.size(); size < SLOTS * SLOT_BYTES; size = file.size()) {
                file.write(ByteBuffer.allocate((int) (SLOTS * SLOT_BYTES - size)), size);
            }
            var slots = file.map(FileChannel.MapMode.READ_WRITE, 0, SLOTS * SLOT_BYTES);
            var journal = new InHandJournal(slots, SetAsideFile.read(directory.resolve("set-aside")), clock);
            journal.judge();
            return journal;
        }
    }

    private void judge() throws IOException {
        var convicted = new ArrayList<Work>();
        for (int slot = 0; slot < SLOTS; slot++) {
            byte state = slots.get(slot * SLOT_BYTES);
            if (state != FREE) {
                read(slot).ifPresent(state == TRIED ? convicted::add : suspects::add);
            }
        }
        // Before the slots are free: who is stopped in between finds the same again.
        setAside.add(convicted);
        suspects.removeAll(convicted);
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.put(slot * SLOT_BYTES, FREE);
            free.add(slot);
        }
    }

    private Optional<Work> read(int slot) {
        int length = slots.get(slot * SLOT_BYTES + 1) & 0xff;
        var bytes = new byte[Math.min(length, SLOT_BYTES - HEADER_BYTES)];
        slots.get(slot * SLOT_BYTES + HEADER_BYTES, bytes);
        var parts = new String(bytes, StandardCharsets.UTF_8).split(" ", -1);
        return parts.length == 2 ? Optional.of(new Work(parts[0], parts[1])) : Optional.empty();
    }

    List<Work> suspects() {
        return List.copyOf(suspects);
    }

    @Override
    public Beginning begin(String worker, Resource object) {
        var work = new Work(worker, object.uid());
        var aside =
                setAside.deaths(work, object).map(deaths -> new SetAside(deaths, opened.plus(WAIT.after(deaths - 1))));
        if (aside.isPresent() && clock.instant().isBefore(aside.get().until())) {
            return aside.get();
        }
        return aside.isPresent() || suspects.contains(work) ? trial(work) : turn(work, TAKEN);
    }

    private Turn trial(Work work) {
        trial.acquireUninterruptibly();
        var turn = turn(work, TRIED);
        return () -> {
            turn.close();
            suspects.remove(work);
            setAside.clear(work);
            trial.release();
        };
    }

    private Turn turn(Work work, byte state) {
        var slot = free.poll();
        if (slot == null) {
            return () -> {};
        }
        write(slot, work, state);
        return () -> {
            slots.put(slot * SLOT_BYTES, FREE);
            free.add(slot);
        };
    }

    // The state comes last: what is only half there was not yet in hand.
    private void write(int slot, Work work, byte state) {
        var bytes = (work.worker + " " + work.uid).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, SLOT_BYTES - HEADER_BYTES);
        int start = slot * SLOT_BYTES;
        slots.put(start + 1, (byte) length);
        slots.put(start + HEADER_BYTES, bytes, 0, length);
        slots.put(start, state);
    }

    /// A clean stop leaves no suspects, whatever is still being worked on.
    @Override
    public void close() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.put(slot * SLOT_BYTES, FREE);
        }
    }
}
