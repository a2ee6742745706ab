package dev.towtank.controllers.spray.source;

import dev.towtank.controllers.spray.SprayedEvent;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Events that a backend has not got yet, in the order in which they came: a file each, so many and no more. They
/// outlive the process.
public final class SprayQueue {

    private static final String ENDING = ".event";

    private final Path directory;
    private final int most;
    private final long mostBytes;
    /// By name, which begins with the time.
    private final TreeMap<String, Waiting> waiting = new TreeMap<>();
    private long bytes;
    private long count;

    /// @param since when it was put here
    record Waiting(String name, String backend, Instant since, long size) {}

    /// @param most so many events
    /// @param mostBytes of all of them
    public SprayQueue(Path directory, int most, long mostBytes) throws IOException {
        this.directory = directory;
        this.most = most;
        this.mostBytes = mostBytes;
        Files.createDirectories(directory);
        try (var files = Files.list(directory)) {
            for (var file : files.sorted().toList()) {
                remember(file);
            }
        }
    }

    private void remember(Path file) throws IOException {
        var parts = file.getFileName().toString().split("-", -1);
        boolean isOurs = parts.length == 3 && parts[2].endsWith(ENDING) && parts[0].matches("[0-9]{13}");
        if (!isOurs) {
            // Half written when a process ended.
            Files.deleteIfExists(file);
            return;
        }
        var backend = new String(
                HexFormat.of().parseHex(parts[2].substring(0, parts[2].length() - ENDING.length())),
                StandardCharsets.UTF_8);
        var size = Files.size(file);
        var name = file.getFileName().toString();
        waiting.put(name, new Waiting(name, backend, Instant.ofEpochMilli(Long.parseLong(parts[0])), size));
        bytes += size;
    }

    /// @return whether there was room; then it is on the disk
    synchronized boolean add(String backend, SprayedEvent event, Instant now) throws IOException {
        var content = event.bytes();
        var name = "%013d-%06d-%s%s"
                .formatted(
                        now.toEpochMilli(),
                        count++ % 1_000_000,
                        HexFormat.of().formatHex(backend.getBytes(StandardCharsets.UTF_8)),
                        ENDING);
        if (waiting.size() >= most || bytes + content.length > mostBytes || name.length() > 255) {
            return false;
        }
        var half = directory.resolve(name + ".half");
        try (var channel = FileChannel.open(
                half, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(half, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        waiting.put(name, new Waiting(name, backend, now, content.length));
        bytes += content.length;
        return true;
    }

    /// The oldest of each backend.
    synchronized Map<String, Waiting> next() {
        var next = new LinkedHashMap<String, Waiting>();
        waiting.values().forEach(each -> next.putIfAbsent(each.backend(), each));
        return next;
    }

    /// Whether something waits for a backend: what comes later must not overtake it.
    synchronized boolean isWaitedFor(String backend) {
        return waiting.values().stream().anyMatch(each -> each.backend().equals(backend));
    }

    Optional<SprayedEvent> read(Waiting event) {
        try {
            return Optional.of(SprayedEvent.parse(Files.readAllBytes(directory.resolve(event.name()))));
        } catch (IOException | JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    synchronized void remove(Waiting event) throws IOException {
        if (waiting.remove(event.name()) != null) {
            bytes -= event.size();
        }
        Files.deleteIfExists(directory.resolve(event.name()));
    }

    synchronized Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        waiting.values().forEach(each -> counts.merge(each.backend(), 1, Integer::sum));
        return counts;
    }

    public synchronized int size() {
        return waiting.size();
    }

    synchronized void removeAll(String backend) throws IOException {
        for (var each : List.copyOf(waiting.values())) {
            if (each.backend().equals(backend)) {
                remove(each);
            }
        }
    }
}
