package dev.towtank.app.run.input;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds the run that files and options mean, and completes it. Pure but for a look whether directories exist.
public final class RunChoice {

    private final List<Document> documents;
    private final RunRequest request;
    private final boolean hasOwnEngine;
    private final KnownKinds kinds;

    /// @param hasOwnEngine nothing exists but what is in the files
    /// @param kinds with those that the documents define
    public RunChoice(List<Document> documents, RunRequest request, boolean hasOwnEngine, KnownKinds kinds) {
        this.kinds = kinds;
        this.documents = documents.stream().map(kinds::placed).toList();
        this.request = request;
        this.hasOwnEngine = hasOwnEngine;
        var unknown = documents.stream()
                .filter(document -> kinds.find(document).isEmpty())
                .map(document -> document.place() + ": nothing here knows the kind " + document.kind() + " of "
                        + document.json().string("apiVersion")
                        + kinds.similar(document)
                                .map(kind -> ". Did you mean " + kind + "?")
                                .orElse(": add its CustomResourceDefinition to the files, or leave it out"))
                .toList();
        if (!unknown.isEmpty()) {
            throw new BadInput(unknown);
        }
    }

    /// @throws BadInput no run is meant, or several, or what is meant cannot run
    public RunPlan plan() {
        var run = run();
        var isPipeline = run.kind().equals("PipelineRun");
        var definition = definition(run, isPipeline);
        if (hasOwnEngine) {
            checkReferences(definition);
        }
        var spec = run.json().object("spec");
        var declared = definition.map(found -> found.spec().objects("params").stream()
                .map(param -> Records.read(ParamSpec.class, param))
                .toList());
        var params = new ParamArguments(declared).merge(ParamArguments.read(spec), request.params());
        spec = params.isEmpty() ? spec : spec.with("params", Param.json(params));
        var workspaces = new RunWorkspaces(
                run.json().string("metadata", "namespace"),
                definition.map(Definition::spec),
                request.workspaces(),
                definition
                        .filter(_ -> request.looksBeside())
                        .map(found -> found.document().directory()));
        if (hasOwnEngine) {
            spec = withBindings(spec, workspaces.bind(spec.objects("workspaces")));
            workspaces.adopt(documents);
        } else if (!request.workspaces().isEmpty()) {
            throw new BadInput("--workspace cannot be used with --server: a running server decides itself which"
                    + " directories pods may use. Bind the workspace in the PipelineRun or TaskRun.");
        } else {
            spec = withBindings(
                    spec, RunWorkspaces.claimed(spec.objects("workspaces"), definition.map(Definition::spec)));
        }
        if (request.timeout().isPresent()) {
            var limit = Json.of(Durations.format(request.timeout().get()));
            spec = isPipeline
                    ? spec.with("timeouts", spec.object("timeouts").with("pipeline", limit))
                    : spec.with("timeout", limit);
        }
        var objects = documents.stream().filter(document -> !isRun(document)).toList();
        return new RunPlan(
                kinds,
                objects,
                run.with(run.json().with("spec", spec)),
                definition.map(Definition::spec),
                workspaces.volumes(),
                workspaces.notices());
    }

    private static Json.Obj withBindings(Json.Obj spec, Json.Arr bindings) {
        return bindings.size() == 0 ? spec : spec.with("workspaces", bindings);
    }

    private static boolean isRun(Document document) {
        return document.isTekton("PipelineRun") || document.isTekton("TaskRun");
    }

    private Document run() {
        if (request.pipeline().isPresent() && request.task().isPresent()) {
            throw new BadInput("--pipeline and --task: choose one of them");
        }
        if (request.pipeline().isPresent()) {
            return runOf("Pipeline", request.pipeline().get());
        }
        if (request.task().isPresent()) {
            return runOf("Task", request.task().get());
        }
        var runs = documents.stream().filter(RunChoice::isRun).toList();
        if (runs.size() > 1) {
            throw new BadInput("The files have " + runs.size() + " runs, and one can be started: " + list(runs)
                    + ". Give the file of one of them, or --pipeline or --task for a run of its own.");
        }
        return runs.isEmpty() ? onlyDefinition() : runs.getFirst();
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
                                + " them; a README beside them may say more."));
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
            return runOf(new Document("(command line)", 1, object(kind, name, "default")));
        }
        var there = documents.stream()
                .filter(document -> document.isTekton(kind))
                .map(Document::name)
                .collect(Collectors.joining(", "));
        throw new BadInput(
                "The files have no " + kind + " " + name + "." + (there.isEmpty() ? "" : " There are: " + there + "."));
    }

    private static Json.Obj object(String kind, String name, String namespace) {
        return Json.Obj.builder()
                .put("apiVersion", "tekton.dev/v1")
                .put("kind", kind)
                .put("metadata", Json.Obj.of("name", Json.of(name), "namespace", Json.of(namespace)))
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

    /// What a run does, and where it says so.
    private record Definition(Document document, Json.Obj spec) {}

    private Optional<Definition> definition(Document run, boolean isPipeline) {
        var spec = run.json().object("spec");
        var embedded = isPipeline ? "pipelineSpec" : "taskSpec";
        if (spec.has(embedded)) {
            return Optional.of(new Definition(run, spec.object(embedded)));
        }
        var reference = spec.object(isPipeline ? "pipelineRef" : "taskRef");
        var kind = isPipeline ? "Pipeline" : "Task";
        if (!isLocal(reference)) {
            return Optional.empty();
        }
        var found = find(kind, reference.string("name"), run);
        if (found.isEmpty() && hasOwnEngine) {
            throw new BadInput(run.place() + ": the run is of the " + kind + " " + reference.string("name")
                    + ", which is not in the files: add the file that has it");
        }
        return found.map(document -> new Definition(document, document.json().object("spec")));
    }

    private static boolean isLocal(Json.Obj reference) {
        return !reference.string("name").isEmpty()
                && reference.string("resolver").isEmpty()
                && reference.string("bundle").isEmpty()
                && reference.string("apiVersion").isEmpty()
                && !reference.string("name").contains("$(");
    }

    private Optional<Document> find(String kind, String name, Document beside) {
        return documents.stream()
                .filter(document -> document.isTekton(kind) && document.name().equals(name))
                .filter(document -> document.json()
                        .string("metadata", "namespace")
                        .equals(beside.json().string("metadata", "namespace")))
                .findFirst();
    }

    /// Tasks that the pipeline names and that nobody brings.
    private void checkReferences(Optional<Definition> definition) {
        var problems = new ArrayList<String>();
        definition.ifPresent(found -> {
            for (var list : List.of("tasks", "finally")) {
                for (var task : found.spec().objects(list)) {
                    var reference = task.object("taskRef");
                    if (isLocal(reference)
                            && find("Task", reference.string("name"), found.document())
                                    .isEmpty()) {
                        problems.add(found.document().place() + ": its task " + task.string("name")
                                + " is of the Task " + reference.string("name")
                                + ", which is not in the files: add the file that has it");
                    }
                }
            }
        });
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
    }
}
