package dev.towtank.cluster;

import dev.towtank.cluster.InHandJournal.Work;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// What must not be worked on as it is, a line each: whose work, on which object, in which state.
final class SetAsideFile {

    private static final System.Logger LOG = System.getLogger(SetAsideFile.class.getName());
    /// The state of an object that nobody has looked at since: the one in which it was fatal.
    private static final String UNSEEN = "-";

    private final Path path;
    private final Map<Work, String> states = new ConcurrentHashMap<>();

    private SetAsideFile(Path path) {
        this.path = path;
    }

    static SetAsideFile read(Path path) throws IOException {
        var file = new SetAsideFile(path);
        try {
            for (var line : Files.readAllLines(path)) {
                var parts = line.split(" ", -1);
                if (parts.length == 3) {
                    file.states.put(new Work(parts[0], parts[1]), parts[2]);
                }
            }
        } catch (NoSuchFileException e) {
            // nothing was ever set aside
        }
        return file;
    }

    void add(Collection<Work> convicted) throws IOException {
        if (!convicted.isEmpty()) {
            convicted.forEach(work -> states.put(work, UNSEEN));
            write();
        }
    }

    /// Whether the object is still as it was; once it is not, it is free again.
    boolean holds(Work work, Resource object) {
        var known = states.get(work);
        if (known == null) {
            return false;
        }
        var state = state(object);
        if (known.equals(state)) {
            return true;
        }
        if (known.equals(UNSEEN)) {
            states.put(work, state);
        } else {
            states.remove(work);
        }
        try {
            write();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot note in " + path + " what is set aside: " + e);
        }
        return known.equals(UNSEEN);
    }

    private static String state(Resource object) {
        var beyond = object.json().without("metadata").without("status");
        return HexFormat.of().formatHex(Sha256.of(beyond.toString()));
    }

    private synchronized void write() throws IOException {
        var lines = states.entrySet().stream()
                .map(entry -> entry.getKey().worker() + " " + entry.getKey().uid() + " " + entry.getValue() + "\n")
                .sorted()
                .collect(Collectors.joining());
        var next = path.resolveSibling(path.getFileName() + ".new");
        Files.writeString(next, lines);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
