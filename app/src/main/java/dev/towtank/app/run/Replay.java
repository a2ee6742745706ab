package dev.towtank.app.run;

import dev.towtank.app.run.history.Export;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.model.Json;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The files of an earlier run, as if they were given again.
final class Replay {

    private Replay() {}

    /// @param what the name of a run, or an exported file or directory
    /// @param given files that come in the place of what the run was made of
    /// @param workspaces as given with this call
    static List<Document> documents(String what, RunHistory history, List<Document> given, List<String> workspaces)
            throws IOException {
        var path = Path.of(what);
        if (Files.isDirectory(path)) {
            return documents(new RunDirectory(path), given, workspaces);
        }
        if (!Files.isRegularFile(path)) {
            return documents(history.find(what), given, workspaces);
        }
        var unpacked = Files.createTempDirectory("towtank-replay-");
        try {
            return documents(Export.read(path, unpacked), given, workspaces);
        } finally {
            Directories.deleteAll(unpacked);
        }
    }

    private static List<Document> documents(RunDirectory directory, List<Document> given, List<String> workspaces) {
        var record = directory.read();
        for (var volume : record.volumes()) {
            boolean isGiven = workspaces.stream().anyMatch(text -> text.startsWith(volume.workspace() + "="));
            if (volume.source().isPresent() && !isGiven) {
                throw new BadInput("Workspace " + volume.workspace() + " was given as a directory, which a replay needs"
                        + " again: add --workspace " + volume.workspace() + "="
                        + volume.source().get());
            }
        }
        var documents = merged(documents(record, directory), given);
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
    static List<Document> documents(RunRecord record, RunDirectory directory) {
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
    static List<Document> merged(List<Document> earlier, List<Document> given) {
        var all = new LinkedHashMap<String, Document>();
        for (var list : List.of(earlier, given)) {
            list.forEach(document -> all.put(key(document), document));
        }
        return List.copyOf(all.values());
    }

    private static String key(Document document) {
        var namespace = document.json().string("metadata", "namespace");
        return isRun(document)
                ? document.kind()
                : document.kind() + " " + (namespace.isEmpty() ? "default" : namespace) + " " + document.name();
    }

    static boolean isRun(Document document) {
        return document.isTekton("PipelineRun") || document.isTekton("TaskRun");
    }

    /// What the pipeline of an earlier run is now.
    static Json.Obj pipelineSpec(RunRecord record, List<Document> documents) {
        var run = documents.stream().filter(Replay::isRun).findFirst().orElseThrow();
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
