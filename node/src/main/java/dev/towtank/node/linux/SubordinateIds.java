package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Users and groups of this machine that the server may give to its containers: its own one, and a range that nobody
/// else has.
public record SubordinateIds(Range users, Range groups) {

    private static final Path USERS = Path.of("/etc/subuid");
    private static final Path GROUPS = Path.of("/etc/subgid");

    /// As many as files of images have owners; the highest one is nobody's.
    private static final long MOST = 65_535;

    /// Fewer would leave out `nobody`.
    private static final long FEWEST = 65_534;

    /// Root needs nobody's leave. These are given to nobody, by the list that systemd keeps of all ranges.
    private static final Range UNUSED = new Range(0x7000_0000L, MOST);

    private static final Pattern LINE = Pattern.compile("([^:]+):([0-9]{1,10}):([0-9]{1,10})");

    /// @param first of all that follow each other
    public record Range(long first, long count) {}

    /// @throws IOException there are none; the message says why, and what to do
    static SubordinateIds find() throws IOException {
        var name = System.getProperty("user.name", "");
        if (Processes.user() == 0) {
            return new SubordinateIds(
                    find(USERS, name, 0).orElse(UNUSED), find(GROUPS, name, 0).orElse(UNUSED));
        }
        programs();
        return new SubordinateIds(demand(USERS, name), demand(GROUPS, name));
    }

    private static Range demand(Path file, String name) throws IOException {
        return find(file, name, Processes.user())
                .orElseThrow(() -> new IOException("%s gives %s no range of %d ids (see 'man usermod', --add-%ss)"
                        .formatted(file, name, FEWEST, file.getFileName())));
    }

    /// The first range that is large enough.
    static Optional<Range> find(Path file, String name, int id) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.map(LINE::matcher)
                    .filter(line -> line.matches()
                            && (line.group(1).equals(name) || line.group(1).equals(Integer.toString(id))))
                    .map(line -> new Range(Long.parseLong(line.group(2)), Long.parseLong(line.group(3))))
                    .filter(range -> range.count >= FEWEST && range.first > 0)
                    .map(range -> new Range(range.first, Math.min(MOST, range.count)))
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Who runs with rights of root to write down whose ids a namespace has.
    private static List<Path> programs() throws IOException {
        var programs = List.of(Path.of("/usr/bin/newuidmap"), Path.of("/usr/bin/newgidmap"));
        for (var program : programs) {
            if (!Files.isExecutable(program)) {
                throw new IOException(program + " is missing: install it with 'sudo apt-get install uidmap'");
            }
        }
        return programs;
    }

    /// Lets a new user namespace have all of these, each under its own number.
    ///
    /// @param process in there
    public void give(int process) throws IOException {
        var programs = programs();
        give(programs.getFirst(), process, Processes.user(), users);
        give(programs.getLast(), process, Processes.group(), groups);
    }

    private static void give(Path program, int process, int own, Range range) throws IOException {
        var first = Long.toString(range.first);
        var self = Integer.toString(own);
        var line = List.of(
                program.toString(),
                Integer.toString(process),
                self,
                self,
                "1",
                first,
                first,
                Long.toString(range.count));
        ShortProgram.run(line, "", Spawn::start);
    }

    /// Who a user of a container is on the machine.
    public long user(int id) {
        return of(Processes.user(), users, id);
    }

    /// @see #user
    public long group(int id) {
        return of(Processes.group(), groups, id);
    }

    private static long of(int own, Range range, int id) {
        return id == 0 ? own : range.first + id - 1;
    }

    /// Whether a container can have a file of theirs.
    public boolean have(int user, int group) {
        return user >= 0 && user <= users.count && group >= 0 && group <= groups.count;
    }
}
