package dev.towtank.app.run;

import dev.towtank.app.run.history.Export;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.model.Json;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The files of an earlier run, as if they were given again.
final class Replay {

    /// What the name of no run can be.
    private static final Pattern FILE = Pattern.compile("/|\\.(zip|tgz|tar\\.gz)$");

    private Replay() {}

    /// @param what the name of a run, or an exported file or directory
    /// @param given files that come in the place of what the run was made of
    /// @param kinds those of the files
    /// @param workspaces as given with this call
    static List<Document> documents(
            String what, RunHistory history, List<Document> given, KnownKinds kinds, List<String> workspaces)
            throws IOException {
        var path = Path.of(what);
        if (Files.isDirectory(path)) {
            return documents(new RunDirectory(path), given, kinds, workspaces);
        }
        if (!Files.exists(path) && FILE.matcher(what).find()) {
            throw new BadInput(
                    "--replay " + what + ": there is no such file. 'towtank export RUN -o FILE.zip' writes one,"
                            + " and 'towtank runs' lists the runs that are remembered.");
        }
        if (!Files.isRegularFile(path)) {
            return documents(history.find(what), given, kinds, workspaces);
        }
        var unpacked = Files.createTempDirectory("towtank-replay-");
        try {
            return documents(Export.read(path, unpacked), given, kinds, workspaces);
        } finally {
            Directories.deleteAll(unpacked);
        }
    }

    private static List<Document> documents(
            RunDirectory directory, List<Document> given, KnownKinds kinds, List<String> workspaces) {
        var record = directory.read();
        for (var volume : record.volumes()) {
            boolean isGiven = workspaces.stream().anyMatch(text -> text.startsWith(volume.workspace() + "="));
            if (volume.source().isPresent() && !isGiven) {
                throw new BadInput("Workspace " + volume.workspace() + " was given as a directory, which a replay needs"
                        + " again: add --workspace " + volume.workspace() + "="
                        + volume.source().get());
            }
        }
        var documents = merged(record, directory, given, kinds);
        var empty = documents.stream().filter(Replay::lacksValues).toList();
        if (!empty.isEmpty()) {
            throw new BadInput(empty.stream()
                    .map(secret -> "Secret " + secret.name()
                            + " has no values in the export: add a file that has it to the command.")
                    .toList());
        }
        return documents;
    }

    private static boolean lacksValues(Document document) {
        return document.kind().equals("Secret")
                && document.json()
                        .string("metadata", "annotations", Export.LEFT_OUT)
                        .equals("true");
    }

    /// What an earlier run was made of, and the run itself without what it became.
    private static List<Document> documents(RunRecord record, RunDirectory directory) {
        var documents = new ArrayList<Document>();
        var file = directory.path().resolve("objects.yaml");
        record.objects().forEach(object -> documents.add(Document.remembered(file, object)));
        var run = record.run();
        var metadata = Json.Obj.builder();
        if (run.metadata().has("generateName")) {
            metadata.put("generateName", run.metadata().string("generateName"));
        } else {
            metadata.put("name", run.name());
        }
        metadata.put("namespace", run.namespace());
        var json = Json.Obj.builder()
                .put("apiVersion", run.apiVersion())
                .put("kind", run.kind())
                .put("metadata", metadata.build())
                .put("spec", run.spec().without("status").without("statusMessage"))
                .build();
        documents.add(Document.remembered(directory.path().resolve("run.yaml"), json));
        return documents;
    }

    /// Those given now win over those of the earlier run.
    static List<Document> merged(RunRecord record, RunDirectory directory, List<Document> given, KnownKinds kinds) {
        return new GivenFiles(record.id(), record.run().namespace(), documents(record, directory)).merged(given, kinds);
    }

    /// What the pipeline of an earlier run is now.
    static Json.Obj pipelineSpec(RunRecord record, List<Document> documents) {
        var run = documents.stream().filter(Document::isRun).findFirst().orElseThrow();
        var spec = run.json().object("spec");
        if (spec.has("pipelineSpec")) {
            return spec.object("pipelineSpec");
        }
        var name = spec.string("pipelineRef", "name");
        return documents.stream()
                .filter(document ->
                        document.isTekton("Pipeline") && document.name().equals(name))
                .map(document -> document.json().object("spec"))
                .findFirst()
                .orElse(record.run().status().object("pipelineSpec"));
    }
}
