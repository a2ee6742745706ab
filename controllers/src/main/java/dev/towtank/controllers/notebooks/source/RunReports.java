package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Outside;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// What is kept of runs: a directory for each, by the uid of its pod. Of very many runs the oldest go.
public final class RunReports implements Outside.Reader<RunReports.Question, Json.Obj> {

    /// What a run has told. When its pod is over that is asked anew: what was read before may be older than its end.
    public record Question(String uid, boolean isOver) {}

    public static final String RESULTS = "results.json";
    public static final String NOTEBOOK = "output.ipynb";

    /// A file with the name of the commit.
    public static final String COMMIT = "commit";

    /// All that there may be, in the order in which they are told.
    public static final List<String> FILES = List.of(NOTEBOOK, RESULTS);

    private static final Pattern UID = Pattern.compile("[0-9a-f-]{1,64}");
    private static final int MOST = 1_000;

    private final Supplier<Path> directory;

    /// @param directory of this feature alone
    public RunReports(Supplier<Path> directory) {
        this.directory = directory;
    }

    private Path runs() {
        return directory.get().resolve("runs");
    }

    private Path place(String uid) throws IOException {
        if (!UID.matcher(uid).matches()) {
            throw new IOException("no uid: " + uid);
        }
        return runs().resolve(uid);
    }

    /// Replaces the file at once.
    void keep(String uid, String file, byte[] content) throws IOException {
        var place = place(uid);
        if (!Files.isDirectory(place)) {
            Files.createDirectories(place);
            forgetOldest(runs());
        }
        var unfinished = place.resolve(file + ".new");
        Files.write(unfinished, content);
        Files.move(unfinished, place.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    /// What was found out so far, with the commit; nothing where nothing is.
    @Override
    public Json.Obj read(Question question) throws IOException {
        var uid = question.uid();
        try {
            var results = file(uid, RESULTS).map(JsonText::parseObject).orElse(Json.Obj.EMPTY);
            return file(uid, COMMIT)
                    .map(bytes -> results.with("commit", Json.of(new String(bytes, StandardCharsets.UTF_8))))
                    .orElse(results);
        } catch (JsonText.Malformed e) {
            throw new IOException("the results cannot be read: " + e.getMessage(), e);
        }
    }

    public Optional<byte[]> file(String uid, String file) throws IOException {
        try {
            return Optional.of(Files.readAllBytes(place(uid).resolve(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static synchronized void forgetOldest(Path runs) throws IOException {
        var all = new ArrayList<Path>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(runs)) {
            found.forEach(all::add);
        }
        if (all.size() <= MOST) {
            return;
        }
        all.sort(Comparator.comparingLong(place -> place.toFile().lastModified()));
        for (var run : all.subList(0, all.size() - MOST)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(run)) {
                for (var file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(run);
        }
    }
}
