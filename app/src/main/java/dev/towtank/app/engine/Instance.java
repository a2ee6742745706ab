package dev.towtank.app.engine;

import dev.towtank.apiserver.pki.PrivateFile;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// A server process, as it has written itself down in its data directory.
///
/// @param pid its process id, which the system may have given to another process since
/// @param processStart when that process began, which tells it from a later one of the same id
/// @param since when the server was started
/// @param address where it serves; empty while it starts
public record Instance(long pid, Instant processStart, Instant since, Optional<URI> address, String version) {

    /// Start times are counted from the machine's boot, which is known to the second only.
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    /// This very process.
    public static Instance current(InstantSource clock) {
        var process = ProcessHandle.current();
        return new Instance(process.pid(), startOf(process), clock.instant(), Optional.empty(), Version.TOWTANK);
    }

    public Instance at(URI where) {
        return new Instance(pid, processStart, since, Optional.of(where), version);
    }

    public void write(DataDirectory data) throws IOException {
        var json = Json.Obj.builder()
                .put("pid", pid)
                .put("processStart", processStart.toString())
                .put("since", since.toString())
                .put("version", version);
        address.ifPresent(where -> json.put("address", where.toString()));
        PrivateFile.write(data.instance(), JsonText.write(json.build()) + "\n");
    }

    public static void forget(DataDirectory data) throws IOException {
        Files.deleteIfExists(data.instance());
    }

    /// The server that runs on this directory, if one does. A file left behind by one that died counts for nothing.
    public static Optional<Instance> running(DataDirectory data) {
        return read(data).filter(found -> found.process().isPresent());
    }

    /// The process, as long as it lives and is the one that was written down.
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> !isZombie(process))
                .filter(process ->
                        Duration.between(startOf(process), processStart).abs().compareTo(START_TOLERANCE) <= 0);
    }

    /// For messages: which process, where, since when.
    String describe() {
        return "pid " + pid + address.map(where -> ", at " + where).orElse(", still starting") + ", since "
                + since.truncatedTo(ChronoUnit.SECONDS);
    }

    private static Optional<Instance> read(DataDirectory data) {
        try {
            var json = JsonText.parseObject(Files.readAllBytes(data.instance()));
            var address = json.string("address");
            return Optional.of(new Instance(
                    json.integer("pid"),
                    Instant.parse(json.string("processStart")),
                    Instant.parse(json.string("since")),
                    address.isEmpty() ? Optional.empty() : Optional.of(URI.create(address)),
                    json.string("version")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JsonText.Malformed | DateTimeParseException e) {
            throw new Failure(
                    "Cannot read " + data.instance() + ", which tells what server runs on this directory: " + e
                            + ". If none does, remove the file.",
                    e);
        }
    }

    private static Instant startOf(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH);
    }

    // Dead, but its parent has not asked yet; in a container without an init process nobody ever does.
    private static boolean isZombie(ProcessHandle process) {
        try {
            var stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false; // gone in the meantime, or a system without /proc
        }
    }
}
