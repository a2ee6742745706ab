package dev.towtank.app.run.input;

import dev.towtank.controllers.pipelines.conversion.Conversion;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Reads the files and directories that a run is made of.
public final class Sources {

    private static final int MOST_FILES = 1000;
    private static final long LARGEST_FILE = 8L << 20;
    private static final Set<String> CONVERTED = Set.of("Task", "Pipeline", "TaskRun", "PipelineRun");

    private Sources() {}

    /// All objects in order, Tekton's in the newest version.
    ///
    /// @throws BadInput with all that is wrong, not only the first
    public static List<Document> read(List<Path> paths) {
        var documents = new ArrayList<Document>();
        var problems = new ArrayList<String>();
        for (var path : paths) {
            try {
                read(path, documents, problems);
            } catch (BadInput e) {
                problems.addAll(e.problems());
            }
        }
        problems.addAll(duplicates(documents));
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
        return documents;
    }

    private static void read(Path path, List<Document> documents, List<String> problems) {
        if (!Files.isDirectory(path)) {
            var found = readFile(path);
            if (found.isEmpty()) {
                throw new BadInput(path + ": the file has no object in it");
            }
            documents.addAll(found);
            return;
        }
        int before = documents.size();
        for (var file : filesIn(path)) {
            try {
                documents.addAll(readFile(file));
            } catch (BadInput e) {
                problems.addAll(e.problems());
            }
        }
        if (documents.size() == before && problems.isEmpty()) {
            throw new BadInput(path + ": the directory has no .yaml, .yml or .json file with an object in it");
        }
    }

    private static List<Path> filesIn(Path directory) {
        var files = new ArrayList<Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.{yaml,yml,json}")) {
            for (var entry : entries) {
                if (Files.isRegularFile(entry)) {
                    files.add(entry);
                }
                if (files.size() > MOST_FILES) {
                    throw new BadInput(directory + ": the directory has more than " + MOST_FILES
                            + " YAML files: name those that belong to the run");
                }
            }
        } catch (IOException e) {
            throw new BadInput(directory + ": cannot be read: " + e.getMessage());
        }
        return files.stream().sorted().toList();
    }

    private static List<Document> readFile(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new BadInput(file + ": the file is larger than " + (LARGEST_FILE >> 20) + " MiB");
            }
            return SourceText.decode(file.toString(), Files.readAllBytes(file)).documents().stream()
                    .map(Sources::newest)
                    .toList();
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file or directory");
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static Document newest(Document document) {
        var version = document.json().string("apiVersion");
        if (!version.equals("tekton.dev/v1beta1") || !CONVERTED.contains(document.kind())) {
            return document;
        }
        try {
            return document.with(
                    Conversion.convert(document.json(), "v1beta1", "v1").with("apiVersion", Json.of("tekton.dev/v1")));
        } catch (StatusError e) {
            throw new BadInput(document.place() + ": " + e.text());
        }
    }

    private static List<String> duplicates(List<Document> documents) {
        var first = new LinkedHashMap<String, Document>();
        var problems = new ArrayList<String>();
        for (var document : documents) {
            var object = document.resource();
            var key = object.group() + " " + object.describe();
            var other = object.name().isEmpty() ? null : first.putIfAbsent(key, document);
            if (other != null) {
                problems.add(document.place() + ": " + object.describe() + " is also in " + other.place()
                        + ": leave one of them out");
            }
        }
        return problems;
    }
}
