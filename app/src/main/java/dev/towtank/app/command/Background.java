package dev.towtank.app.command;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.shell.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Starts this program a second time, detached from the terminal, and waits until it is ready.
///
/// The child says that it is ready by the lines it prints; what it has to say otherwise goes into the log file.
final class Background {
    /// Hours of history may have to be read before a server is ready; a hanging one must still be noticed.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long MAX_LOG_SIZE = 10_000_000;
    private static final int SHOWN_LOG_SIZE = 4000;
    private static final long LEAST_FREE = 16 * 1024 * 1024;

    private final Surroundings surroundings;
    private final DataDirectory data;

    Background(Surroundings surroundings, DataDirectory data) {
        this.surroundings = surroundings;
        this.data = data;
    }

    /// @return what the child announced
    List<String> start(List<String> arguments) throws InterruptedException {
        try {
            long logged = makeRoomInLog();
            var child = launch(arguments);
            var announced = new ArrayList<String>();
            var reading = Thread.startVirtualThread(() -> readAnnouncement(child, announced));
            if (!reading.join(PATIENCE)) {
                child.destroyForcibly();
                throw new Failure("The server was not ready after " + PATIENCE.toSeconds()
                        + " seconds and was stopped. " + "Its log is " + data.log() + ".");
            }
            if (announced.stream().noneMatch(UpCommand::isLastAnnounced)) {
                child.waitFor();
                throw new Failure(whatWentWrong(logged, child.exitValue()));
            }
            return announced;
        } catch (IOException e) {
            throw new Failure("Cannot start a server in the background: " + e, e);
        }
    }

    private Process launch(List<String> arguments) throws IOException {
        var command = new ArrayList<>(surroundings.launcher());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(data.log().toFile()));
        // The launcher gives such a process a session of its own, so that it outlives the terminal.
        builder.environment().put("TOWTANK_BACKGROUND", "1");
        var child = builder.start();
        child.getOutputStream().close();
        return child;
    }

    private static void readAnnouncement(Process child, List<String> announced) {
        var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                announced.add(line);
                if (UpCommand.isLastAnnounced(line)) {
                    return;
                }
            }
        } catch (IOException e) {
            // That the last line is missing says the same: it is gone.
        }
    }

    /// @return how long the log is
    private long makeRoomInLog() throws IOException {
        var log = data.log();
        if (Files.notExists(log)) {
            return 0;
        }
        if (Files.size(log) > MAX_LOG_SIZE) {
            Files.move(log, Path.of(log + ".1"), StandardCopyOption.REPLACE_EXISTING);
            return 0;
        }
        return Files.size(log);
    }

    private String whatWentWrong(long loggedBefore, int code) throws IOException {
        try (var log = new RandomAccessFile(data.log().toFile(), "r")) {
            long from = Math.max(loggedBefore, log.length() - SHOWN_LOG_SIZE);
            log.seek(from);
            var bytes = new byte[(int) (log.length() - from)];
            log.readFully(bytes);
            var said = new String(bytes, StandardCharsets.UTF_8).strip();
            var store = Files.getFileStore(data.log().toAbsolutePath());
            return explanation(said, data.log(), store.getUsableSpace(), code);
        }
    }

    /// @param free how many bytes the disk has room for: on a full one the log is silent about it, too
    static String explanation(String said, Path log, long free, int code) {
        if (said.startsWith("towtank: ")) {
            return said.substring("towtank: ".length());
        }
        var ended = "The server ended before it was ready, with exit code " + code + ". ";
        var room = free < LEAST_FREE
                ? "The disk of " + log.getParent() + " is full (" + free
                        + " bytes are free): free some space, or choose a directory on another disk with --data. "
                : "";
        return said.isEmpty()
                ? ended + room + "Its log " + log + " says nothing about it."
                : ended + room + "Its log is " + log + " and says:\n" + said;
    }
}
