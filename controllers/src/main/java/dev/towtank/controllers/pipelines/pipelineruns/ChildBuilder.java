package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.settings.ReleaseMark;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.MatrixExpansion;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the runs of a pipeline's tasks.
record ChildBuilder(
        Resource run,
        PipelineRun value,
        Blueprint blueprint,
        Settings settings,
        Timeouts timeouts,
        List<Json.Obj> workspaces,
        List<String> ancestors) {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /// A run to be created.
    record Child(Kind<?> kind, Resource object) {}

    /// @param json of the task with everything in place
    List<Child> children(PlannedTask planned, Json.Obj json) {
        var task = Records.read(PipelineTask.class, json);
        if (!task.isMatrixed()) {
            return List.of(child(planned, json, task, name(task.name()), List.of()));
        }
        var combinations = combinations(task);
        var children = new ArrayList<Child>();
        for (int i = 0; i < combinations.size(); i++) {
            var name = ChildNames.ofCombination(run.name(), task.name(), i, combinations.size());
            children.add(child(planned, json, task, name, combinations.get(i)));
        }
        return children;
    }

    private String name(String suffix) {
        return ChildNames.of(run.name(), "-" + suffix);
    }

    private List<List<Param>> combinations(PipelineTask task) {
        var matrix = task.matrix().orElseThrow();
        for (var param : matrix.params()) {
            if (!(param.value() instanceof ParamValue.Array)) {
                throw new TaskValues.Broken(Outcome.failed(
                        "InvalidMatrixParameterTypes",
                        "%sFailed to validate matrix \"%s\" with error parameters of type array only are allowed, but param \"%s\" has type \"%s\" in pipelineTask \"%s\""
                                .formatted(
                                        RunStatus.USER_ERROR,
                                        run.name(),
                                        param.name(),
                                        param.value().type(),
                                        task.name())));
            }
        }
        long count = MatrixExpansion.count(matrix);
        if (count > settings.defaults().maxMatrixCombinations()) {
            throw new TaskValues.Broken(Outcome.failed(
                    "PipelineValidationFailed",
                    RunStatus.USER_ERROR
                            + "expected 0 <= %d <= %d: matrix of pipeline task \"%s\""
                                    .formatted(count, settings.defaults().maxMatrixCombinations(), task.name())));
        }
        return MatrixExpansion.combinations(matrix);
    }

    private Child child(PlannedTask planned, Json.Obj json, PipelineTask task, String name, List<Param> combination) {
        var params = new ArrayList<>(combination);
        params.addAll(task.params());
        if (task.isChildPipeline()) {
            return new Child(
                    PipelineKinds.PIPELINE_RUN,
                    object(
                            PipelineKinds.PIPELINE_RUN,
                            name,
                            pipelineMetadata(planned, task),
                            pipelineSpec(json, task, params)));
        }
        if (task.isCustom()) {
            return new Child(
                    PipelineKinds.CUSTOM_RUN,
                    object(
                            PipelineKinds.CUSTOM_RUN,
                            name,
                            metadata(planned, task, false),
                            customSpec(planned, json, task, params)));
        }
        return new Child(
                PipelineKinds.TASK_RUN,
                object(
                        PipelineKinds.TASK_RUN,
                        name,
                        metadata(planned, task, true),
                        taskSpec(planned, json, task, params)));
    }

    private Resource object(Kind<?> kind, String name, Json.Obj metadata, Json.Obj spec) {
        var complete = Json.Obj.builder()
                .put("name", name)
                .put("namespace", run.namespace())
                .putAll(metadata)
                .put("ownerReferences", Json.Arr.of(run.asOwner(true).json()))
                .build();
        return run.with(Json.Obj.builder()
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("metadata", complete)
                .put("spec", spec)
                .build());
    }

    private Optional<PipelineRunSpec.TaskOverride> override(String task) {
        return value.spec().taskRunSpecs().stream()
                .filter(each -> each.pipelineTaskName().equals(task))
                .reduce((_, last) -> last);
    }

    private Json.Obj metadata(PlannedTask planned, PipelineTask task, boolean isTaskRun) {
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        if (isTaskRun) {
            // What the run of a task takes from its Task is put on it at once: that saves it a write.
            planned.definition().ifPresent(found -> {
                labels.putAll(found.object().stringMap("metadata", "labels"));
                annotations.putAll(found.object().stringMap("metadata", "annotations"));
                labels.put("tekton.dev/task", found.name());
            });
            task.taskSpec().ifPresent(spec -> {
                labels.putAll(spec.metadata().labels());
                annotations.putAll(spec.metadata().annotations());
            });
        }
        labels.putAll(childLabels(planned));
        annotations.putAll(childAnnotations());
        if (isTaskRun) {
            override(task.name())
                    .flatMap(PipelineRunSpec.TaskOverride::metadata)
                    .ifPresent(own -> {
                        labels.putAll(own.labels());
                        annotations.putAll(own.annotations());
                    });
            annotations.put(ReleaseMark.ANNOTATION, ReleaseMark.VALUE);
            if (task.continuesOnError()) {
                annotations.put("pipeline.tekton.dev/pipeline-task-on-error", "continue");
            }
        }
        return Json.Obj.of("labels", Json.Obj.ofStrings(labels), "annotations", Json.Obj.ofStrings(annotations));
    }

    private Map<String, String> childLabels(PlannedTask planned) {
        var labels = new LinkedHashMap<>(run.labels());
        labels.put("tekton.dev/pipelineRun", run.name());
        labels.put("tekton.dev/pipelineRunUID", run.uid());
        labels.put(Children.TASK_LABEL, planned.name());
        labels.put("tekton.dev/memberOf", planned.isFinally() ? "finally" : "tasks");
        return labels;
    }

    private Map<String, String> childAnnotations() {
        var annotations = new LinkedHashMap<>(run.annotations());
        annotations.remove(LAST_APPLIED);
        annotations.keySet().removeIf(key -> key.startsWith("chains.tekton.dev/"));
        return annotations;
    }

    private Json.Obj taskSpec(PlannedTask planned, Json.Obj json, PipelineTask task, List<Param> params) {
        var override = override(task.name());
        var spec = Json.Obj.builder().putNonEmpty("params", Param.json(params));
        putAccount(spec, override);
        podTemplate(override).ifPresent(template -> spec.put("podTemplate", template));
        override.ifPresent(own -> {
            var raw = rawOverride(task.name());
            for (var field : List.of("stepSpecs", "sidecarSpecs", "computeResources")) {
                var present = raw.get(field);
                if (present != null) {
                    spec.put(field, present);
                }
            }
        });
        spec.putNonEmpty("retries", Json.of(task.retries()));
        timeout(planned, task, override).ifPresent(limit -> spec.put("timeout", limit));
        if (json.get("taskRef") instanceof Json.Obj reference) {
            spec.put("taskRef", reference);
        } else {
            spec.put("taskSpec", json.object("taskSpec").without("metadata").without("spec"));
        }
        spec.putNonEmpty("workspaces", workspacesOf(planned, json, task));
        return spec.build();
    }

    private void putAccount(ObjectBuilder spec, Optional<PipelineRunSpec.TaskOverride> override) {
        var own = override.map(PipelineRunSpec.TaskOverride::serviceAccountName).filter(name -> !name.isEmpty());
        spec.putNonEmpty(
                "serviceAccountName", own.orElse(value.spec().taskRunTemplate().serviceAccountName()));
    }

    /// What one task says about its pods wins over what is said for all.
    private Optional<Json.Obj> podTemplate(Optional<PipelineRunSpec.TaskOverride> override) {
        var usual = value.spec().taskRunTemplate().podTemplate();
        var own = override.flatMap(PipelineRunSpec.TaskOverride::podTemplate);
        if (usual.isPresent() && own.isPresent()) {
            return Optional.of(usual.get().toBuilder().putAll(own.get()).build());
        }
        return own.or(() -> usual);
    }

    private Json.Obj rawOverride(String task) {
        return run.spec().objects("taskRunSpecs").stream()
                .filter(each -> each.string("pipelineTaskName").equals(task))
                .reduce((_, last) -> last)
                .orElse(Json.Obj.EMPTY);
    }

    private Optional<String> timeout(
            PlannedTask planned, PipelineTask task, Optional<PipelineRunSpec.TaskOverride> override) {
        return override.flatMap(PipelineRunSpec.TaskOverride::timeout)
                .or(task::timeout)
                .or(() -> timeouts.forTask(planned.isFinally(), settings).map(Durations::format));
    }

    private Json.Arr workspacesOf(PlannedTask planned, Json.Obj json, PipelineTask task) {
        return new ChildWorkspaces(run, blueprint.definition().pipelineName(), workspaces).of(planned, json, task);
    }

    private Json.Obj customSpec(PlannedTask planned, Json.Obj json, PipelineTask task, List<Param> params) {
        var override = override(task.name());
        var spec = Json.Obj.builder();
        if (json.get("taskRef") instanceof Json.Obj reference) {
            spec.put("customRef", reference);
        }
        task.taskSpec()
                .ifPresent(embedded -> spec.put(
                        "customSpec",
                        Json.Obj.builder()
                                .put("apiVersion", embedded.apiVersion())
                                .put("kind", embedded.kind())
                                .put("metadata", json.object("taskSpec", "metadata"))
                                .put("spec", json.object("taskSpec", "spec"))
                                .build()));
        spec.putNonEmpty("params", Param.json(params));
        spec.putNonEmpty("retries", Json.of(task.retries()));
        putAccount(spec, override);
        timeout(planned, task, override).ifPresent(limit -> spec.put("timeout", limit));
        spec.putNonEmpty("workspaces", workspacesOf(planned, json, task));
        return spec.build();
    }

    private Json.Obj pipelineMetadata(PlannedTask planned, PipelineTask task) {
        var labels = new LinkedHashMap<>(childLabels(planned));
        labels.remove("tekton.dev/pipeline");
        planned.definition().ifPresent(found -> {
            if (ancestors.contains(found.name())) {
                throw new TaskValues.Broken(Outcome.failed(
                        "CreateRunFailed",
                        "detected cycle in pipeline-in-pipeline: pipeline \"%s\" is already running in ancestor chain [%s]"
                                .formatted(found.name(), String.join(" ", ancestors))));
            }
            labels.put("tekton.dev/pipeline", found.name());
        });
        if (task.pipelineSpec().isPresent()) {
            labels.put("tekton.dev/pipeline", name(task.name()));
        }
        return Json.Obj.of("labels", Json.Obj.ofStrings(labels), "annotations", Json.Obj.ofStrings(childAnnotations()));
    }

    private Json.Obj pipelineSpec(Json.Obj json, PipelineTask task, List<Param> params) {
        var spec = Json.Obj.builder();
        for (var field : List.of("pipelineRef", "pipelineSpec")) {
            var present = json.get(field);
            if (present != null) {
                spec.put(field, present);
            }
        }
        spec.putNonEmpty("params", Param.json(params));
        spec.putNonEmpty("taskRunTemplate", run.spec().object("taskRunTemplate"));
        // Upstream does not pass a limit on; a child that may run longer than its task would not be what was asked for.
        task.timeout().ifPresent(limit -> spec.put("timeouts", Json.Obj.of("pipeline", Json.of(limit))));
        spec.putNonEmpty(
                "workspaces",
                new ChildWorkspaces(run, blueprint.definition().pipelineName(), workspaces).ofChild(task));
        return spec.build();
    }
}
