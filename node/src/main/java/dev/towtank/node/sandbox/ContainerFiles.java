package dev.towtank.node.sandbox;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// The directory of one run of a container, by which another server finds it again.
record ContainerFiles(Path directory) {

    private static final Pattern CHILD = Pattern.compile("\"child-pid\": ?([0-9]+)");
    private static final Pattern CODE = Pattern.compile("\"exit-code\": ?([0-9]+)");

    Path stdout() {
        return directory.resolve("stdout");
    }

    Path stderr() {
        return directory.resolve("stderr");
    }

    Path stdin() {
        return directory.resolve("stdin");
    }

    /// What the monitor tells of its container.
    Path status() {
        return directory.resolve("status");
    }

    private Path started() {
        return directory.resolve("started");
    }

    private Path ended() {
        return directory.resolve("ended");
    }

    /// @param monitor the process that we started
    /// @param ticks when it started, for the kernel
    /// @param terminal under which number the first process holds our side of its terminal, or -1
    /// @param group its cgroup
    /// @param streamsApart stdout and stderr are pipes of their own
    record Started(
            int monitor,
            long ticks,
            String boot,
            Instant at,
            boolean init,
            boolean streamsApart,
            Jail.User user,
            Optional<Path> stdoutCopy,
            Optional<Path> stderrCopy,
            int terminal,
            String group) {}

    void write(Started started) throws IOException {
        var json = Json.Obj.builder()
                .put("monitor", started.monitor)
                .put("ticks", started.ticks)
                .put("boot", started.boot)
                .put("at", started.at.toString())
                .put("init", started.init)
                .put("streamsApart", started.streamsApart)
                .put("uid", started.user.uid())
                .put("gid", started.user.gid())
                .put(
                        "groups",
                        new Json.Arr(started.user.groups().stream()
                                .map(id -> (Json) new Json.Int(id))
                                .toList()))
                .put("stdoutCopy", started.stdoutCopy.map(Path::toString).orElse(""))
                .put("stderrCopy", started.stderrCopy.map(Path::toString).orElse(""))
                .put("terminal", started.terminal)
                .put("group", started.group)
                .build();
        Files.writeString(started(), JsonText.write(json) + "\n");
    }

    /// Empty when nothing was ever released here.
    Optional<Started> readStarted() throws IOException {
        var text = read(started());
        if (!text.endsWith("\n")) {
            return Optional.empty(); // its writer died, and then the monitor was not released
        }
        var json = JsonText.parseObject(text);
        return Optional.of(new Started(
                (int) json.integer("monitor"),
                json.integer("ticks"),
                json.string("boot"),
                Instant.parse(json.string("at")),
                json.flag("init"),
                json.flag("streamsApart"),
                user(json),
                path(json.string("stdoutCopy")),
                path(json.string("stderrCopy")),
                (int) json.integer("terminal"),
                json.string("group")));
    }

    private static Jail.User user(Json.Obj json) {
        var groups =
                json.array("groups").integers().stream().map(Long::intValue).toList();
        return new Jail.User((int) json.integer("uid"), (int) json.integer("gid"), groups);
    }

    private static Optional<Path> path(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    static OptionalInt child(String status) {
        return number(CHILD, status);
    }

    static OptionalInt code(String status) {
        return number(CODE, status);
    }

    static boolean outOfMemory(String status) {
        return status.contains("\"out-of-memory\": true");
    }

    private static OptionalInt number(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /// Whether there was a process that could have become the command: the monitor tells of it before anything else. A
    /// server that died before it released the monitor has left none.
    ///
    /// @param exit how it ended
    boolean hasBegun(Exit exit) throws IOException {
        return exit instanceof Exit.Ended || child(readStatus()).isPresent();
    }

    String readStatus() throws IOException {
        return read(status());
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    void write(Exit exit) throws IOException {
        var json = Json.Obj.builder().put("at", exit.at().toString());
        switch (exit) {
            case Exit.Ended(var code, var signal, var outOfMemory, var _) ->
                json.put("kind", "ended")
                        .put("code", code)
                        .put("signal", signal.orElse(0))
                        .put("outOfMemory", outOfMemory);
            case Exit.NotStarted(var reason, var code, var problem, var _) ->
                json.put("kind", "notStarted")
                        .put("reason", reason)
                        .put("code", code)
                        .put("problem", problem);
            case Exit.Lost(var reason, var _) -> json.put("kind", "lost").put("reason", reason);
        }
        Files.writeString(ended(), JsonText.write(json.build()));
    }

    Optional<Exit> readExit() throws IOException {
        var text = read(ended());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Json.Obj json;
        try {
            json = JsonText.parseObject(text);
        } catch (JsonText.Malformed e) {
            return Optional.empty(); // its writer died, and the end is found again
        }
        var at = Instant.parse(json.string("at"));
        int code = (int) json.integer("code");
        return Optional.of(
                switch (json.string("kind")) {
                    case "ended" -> ended(code, json.flag("outOfMemory"), at);
                    case "notStarted" -> new Exit.NotStarted(json.string("reason"), code, json.string("problem"), at);
                    default -> new Exit.Lost(json.string("reason"), at);
                });
    }

    static Exit.Ended ended(int code, boolean outOfMemory, Instant at) {
        var signal = code > 128 && code <= 128 + 64 ? OptionalInt.of(code - 128) : OptionalInt.empty();
        return new Exit.Ended(code, signal, outOfMemory, at);
    }
}
