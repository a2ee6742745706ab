package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Finds the run that files and options mean. Pure.
///
/// @param hasOwnEngine nothing exists but what is in the files
record MeantRun(List<Document> documents, RunRequest request, boolean hasOwnEngine) {

    /// @throws BadInput there is none, or there are several
    Document find() {
        if (request.pipeline().isPresent() && request.task().isPresent()) {
            throw new BadInput("--pipeline and --task: choose one of them");
        }
        if (request.pipeline().isPresent()) {
            return runOf("Pipeline", request.pipeline().get());
        }
        if (request.task().isPresent()) {
            return runOf("Task", request.task().get());
        }
        var runs = documents.stream().filter(Document::isRun).toList();
        if (runs.size() > 1) {
            throw new BadInput("The files have " + runs.size() + " runs, and one can be started: " + list(runs)
                    + ". Give the file of one of them"
                    + (hasDefinition() ? ", or --pipeline or --task for a run of its own." : ".")
                    + (runs.stream().anyMatch(Document::isForPipelinesAsCode)
                            ? " Where they are for Pipelines-as-Code, " + PushedFile.ADVICE + "."
                            : ""));
        }
        return runs.isEmpty() ? onlyDefinition() : runs.getFirst();
    }

    private boolean hasDefinition() {
        return documents.stream().anyMatch(document -> document.isTekton("Pipeline") || document.isTekton("Task"));
    }

    private Document onlyDefinition() {
        for (var kind : List.of("Pipeline", "Task")) {
            var found = documents.stream()
                    .filter(document -> document.isTekton(kind))
                    .toList();
            if (found.size() == 1) {
                return runOf(found.getFirst());
            }
            if (found.size() > 1) {
                throw new BadInput("The files have " + found.size() + " " + kind + "s and no run: choose one with --"
                        + kind.toLowerCase(Locale.ROOT) + ". There are: "
                        + found.stream().map(Document::name).collect(Collectors.joining(", ")) + ".");
            }
        }
        throw new BadInput("There is nothing to run: no PipelineRun, TaskRun, Pipeline or Task"
                + (documents.isEmpty()
                        ? "."
                        : ", only " + list(documents)
                                + ". Objects alone are for a server: 'towtank up --detach', then 'kubectl apply -f'"
                                + " them; a README beside or above them may say more."));
    }

    private static String list(List<Document> documents) {
        var few = documents.stream()
                .limit(5)
                .map(document -> document.kind() + " "
                        + (document.name().isEmpty()
                                ? document.json().string("metadata", "generateName") + "…"
                                : document.name())
                        + " (" + document.place() + ")")
                .collect(Collectors.joining(", "));
        return documents.size() > 5 ? few + ", …" : few;
    }

    private Document runOf(String kind, String name) {
        var found = documents.stream()
                .filter(document -> document.isTekton(kind) && document.name().equals(name))
                .findFirst();
        if (found.isPresent()) {
            return runOf(found.get());
        }
        if (!hasOwnEngine) {
            return runOf(new Document("(command line)", 1, object(kind, name)));
        }
        var run = documents.stream()
                .filter(document -> document.isRun() && document.name().equals(name))
                .findFirst();
        var there = documents.stream()
                .filter(document -> document.isTekton(kind))
                .map(Document::name)
                .collect(Collectors.joining(", "));
        throw new BadInput("The files have no " + kind + " " + name + "."
                + run.map(same -> " There is a " + same.kind() + " of that name: give its file alone, " + same.file()
                                + ".")
                        .orElse(there.isEmpty() ? "" : " There are: " + there + "."));
    }

    private static Json.Obj object(String kind, String name) {
        return Json.Obj.builder()
                .put("apiVersion", "tekton.dev/v1")
                .put("kind", kind)
                .put("metadata", Json.Obj.of("name", Json.of(name)))
                .build();
    }

    private static Document runOf(Document definition) {
        var reference = definition.kind().equals("Pipeline") ? "pipelineRef" : "taskRef";
        var metadata = Json.Obj.of(
                "generateName",
                Json.of(definition.name() + "-"),
                "namespace",
                Json.of(definition.json().string("metadata", "namespace")));
        var run = Json.Obj.builder()
                .put("apiVersion", "tekton.dev/v1")
                .put("kind", definition.kind() + "Run")
                .put("metadata", metadata)
                .put("spec", Json.Obj.of(reference, Json.Obj.of("name", Json.of(definition.name()))))
                .build();
        return new Document(definition.file(), definition.line(), run);
    }
}
