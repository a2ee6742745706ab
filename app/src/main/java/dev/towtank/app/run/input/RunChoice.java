package dev.towtank.app.run.input;

import dev.towtank.app.lint.finding.Similar;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Completes the run that files and options mean. Pure but for a look whether directories exist.
public final class RunChoice {

    private final Document run;
    private final List<Document> documents;
    private final RunRequest request;
    private final boolean hasOwnEngine;
    private final KnownKinds kinds;

    /// @param hasOwnEngine nothing exists but what is in the files
    /// @param kinds with those that the documents define
    /// @throws BadInput no run is meant, or several
    public RunChoice(List<Document> documents, RunRequest request, boolean hasOwnEngine, KnownKinds kinds) {
        this.kinds = kinds;
        this.request = request;
        this.hasOwnEngine = hasOwnEngine;
        var unknown = documents.stream()
                .filter(document -> kinds.find(document).isEmpty())
                .map(document -> document.place() + ": nothing here knows the kind " + document.kind() + " of "
                        + document.json().string("apiVersion")
                        + kinds.similar(document)
                                .map(meant -> ". Did you mean " + meant + "?")
                                .orElse(": add its CustomResourceDefinition to the files, or leave it out"))
                .toList();
        if (!unknown.isEmpty()) {
            throw new BadInput(unknown);
        }
        var chosen = new MeantRun(documents, request, hasOwnEngine).find();
        var unfilled = PushedFile.problems(
                documents.stream().filter(document -> document.equals(chosen) || !document.isRun()));
        if (!unfilled.isEmpty()) {
            throw new BadInput(unfilled);
        }
        var own = chosen.json().string("metadata", "namespace");
        // On a server files go where they go without a run.
        var namespace = hasOwnEngine && !own.isEmpty() ? own : KnownKinds.NAMESPACE;
        this.run = kinds.placed(chosen, namespace);
        this.documents = documents.stream()
                .map(document -> kinds.placed(document, namespace))
                .toList();
    }

    /// @throws BadInput what is meant cannot run
    public RunPlan plan() {
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
        var objects = documents.stream().filter(document -> !document.isRun()).toList();
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
                    + missing(kind, reference.string("name"), run));
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

    /// Why nothing of this name is found, and what may be meant.
    private String missing(String kind, String name, Document beside) {
        var others =
                documents.stream().filter(document -> document.isTekton(kind)).toList();
        var place = beside.json().string("metadata", "namespace");
        var elsewhere = others.stream()
                .filter(document -> document.name().equals(name))
                .map(document -> document.json().string("metadata", "namespace"))
                .findFirst();
        return elsewhere
                .map(other -> ", which is in namespace " + other + ", and this is in " + place
                        + ": write the same namespace into both, or none")
                .orElseGet(() -> ", which is not in the files"
                        + Similar.to(name, others.stream().map(Document::name).toList())
                                .map(meant -> ". Did you mean " + meant + "?")
                                .orElse(": add the file that has it"));
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
                                + missing("Task", reference.string("name"), found.document()));
                    }
                }
            }
        });
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
    }
}
