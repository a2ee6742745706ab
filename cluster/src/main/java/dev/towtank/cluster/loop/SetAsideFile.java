package dev.towtank.cluster.loop;

import dev.towtank.cluster.loop.InHandJournal.Work;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// What is worked on only now and then, a line each: whose work, on which object, in which state, after how many
/// deaths.
final class SetAsideFile {

    private static final System.Logger LOG = System.getLogger(SetAsideFile.class.getName());
    /// The state of an object that nobody has looked at since: the one in which it was fatal.
    private static final String UNSEEN = "-";

    /// @param deaths how many servers in a row ended while they worked on it
    private record Case(String state, int deaths) {}

    private final Path path;
    private final Map<Work, Case> cases = new ConcurrentHashMap<>();

    private SetAsideFile(Path path) {
        this.path = path;
    }

    static SetAsideFile read(Path path) throws IOException {
        var file = new SetAsideFile(path);
        try {
            for (var line : Files.readAllLines(path)) {
                var parts = line.split(" ", -1);
                if (parts.length == 4 && parts[3].matches("[0-9]{1,9}")) {
                    file.cases.put(new Work(parts[0], parts[1]), new Case(parts[2], Integer.parseInt(parts[3])));
                }
            }
        } catch (NoSuchFileException e) {
            // nothing was ever set aside
        }
        return file;
    }

    void add(Collection<Work> convicted) throws IOException {
        if (!convicted.isEmpty()) {
            for (var work : convicted) {
                cases.merge(work, new Case(UNSEEN, 2), (known, _) -> new Case(known.state, known.deaths + 1));
            }
            write();
        }
    }

    /// How many, while the object is still as it was; once it is not, it is free again.
    Optional<Integer> deaths(Work work, Resource object) {
        var known = cases.get(work);
        if (known == null) {
            return Optional.empty();
        }
        var state = state(object);
        if (known.state.equals(UNSEEN)) {
            cases.put(work, new Case(state, known.deaths));
            tryWrite();
        } else if (!known.state.equals(state)) {
            clear(work);
            return Optional.empty();
        }
        return Optional.of(known.deaths);
    }

    void clear(Work work) {
        if (cases.remove(work) != null) {
            tryWrite();
        }
    }

    private void tryWrite() {
        try {
            write();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot note in " + path + " what is set aside: " + e);
        }
    }

    private static String state(Resource object) {
        var beyond = object.json().without("metadata").without("status");
        return HexFormat.of().formatHex(Sha256.of(beyond.toString()));
    }

    private synchronized void write() throws IOException {
        var lines = cases.entrySet().stream()
                .map(entry -> line(entry.getKey(), entry.getValue()))
                .sorted()
                .collect(Collectors.joining());
        var next = path.resolveSibling(path.getFileName() + ".new");
        Files.writeString(next, lines);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String line(Work work, Case known) {
        return work.worker() + " " + work.uid() + " " + known.state + " " + known.deaths + "\n";
    }
}
