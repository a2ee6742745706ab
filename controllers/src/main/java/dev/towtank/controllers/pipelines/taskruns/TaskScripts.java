package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.entrypoint.ScriptFiles;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// Collects the scripts of a task for the init container that puts them into files.
final class TaskScripts {

    private static final String DIRECTORY = "/tekton/scripts/";
    private static final String DEBUG_DIRECTORY = "/tekton/debug/scripts/";
    private static final String VOLUME = "tekton-internal-scripts";
    private static final String DEBUG_VOLUME = "tekton-internal-debug-scripts";

    private final String uid;
    private final StringBuilder program = new StringBuilder();
    private boolean debugs;

    /// @param uid makes the names of the files unlike those of other runs
    TaskScripts(String uid) {
        this.uid = uid;
    }

    /// The container with the file as its command; as it was, when it has no script.
    Json.Obj take(Json.Obj container, String script, String prefix, int number) {
        if (script.isEmpty()) {
            return container;
        }
        var file = DIRECTORY + ChildNames.hashed(prefix + "-" + number, uid + script.hashCode(), 5);
        program.append(ScriptFiles.place(file, script));
        return container
                .with("command", Json.Arr.of(Json.of(file)))
                .with("volumeMounts", container.array("volumeMounts").plus(mount(VOLUME, "/tekton/scripts", true)));
    }

    /// The programs by which a user lets a step that waits at a breakpoint go on.
    void takeDebug(TaskRunSpec.Breakpoints breakpoints, int steps) {
        debugs = true;
        if (breakpoints.onFailure().equals("enabled")) {
            debug(
                    "continue",
                    "touch ${tektonRun}/${stepNumber}/out # Mark step as success\n"
                            + "\techo \"0\" > ${tektonRun}/${stepNumber}/out.breakpointexit",
                    "breakpoint exiting",
                    steps);
            debug(
                    "fail-continue",
                    "touch ${tektonRun}/${stepNumber}/out.err # Mark step as a failure\n"
                            + "\techo \"1\" > ${tektonRun}/${stepNumber}/out.breakpointexit",
                    "breakpoint exiting",
                    steps);
        }
        if (!breakpoints.beforeSteps().isEmpty()) {
            debug(
                    "beforestep-continue",
                    "echo \"0\" > ${tektonRun}/${stepNumber}/out.beforestepexit",
                    "before step breakpoint exiting",
                    steps);
            debug(
                    "beforestep-fail-continue",
                    "echo \"1\" > ${tektonRun}/${stepNumber}/out.beforestepexit.err",
                    "before step breakpoint exiting",
                    steps);
        }
    }

    private void debug(String name, String action, String otherwise, int steps) {
        var text = """
                #!/bin/sh
                set -e

                numberOfSteps=%d
                debugInfo=/tekton/debug/info
                tektonRun=/tekton/run

                postFile="$(ls ${debugInfo} | grep -E '[0-9]+' | tail -1)"
                stepNumber="$(echo ${postFile} | sed 's/[^0-9]*//g')"

                if [ $stepNumber -lt $numberOfSteps ]; then
                \t%s
                \techo "Executing step $stepNumber..."
                else
                \techo "Last step (no. $stepNumber) has already been executed, %s !"
                \texit 0
                fi""".formatted(steps, action, otherwise);
        program.append(ScriptFiles.placeVerbatim(
                DEBUG_DIRECTORY + "debug-" + name, "debug-" + name + "-heredoc-" + uid, text));
    }

    /// What a step needs so that its user can reach it at a breakpoint.
    static Json.Obj withDebugMounts(Json.Obj container, int number) {
        return container.with(
                "volumeMounts",
                container
                        .array("volumeMounts")
                        .plus(mount(DEBUG_VOLUME, "/tekton/debug/scripts", true))
                        .plus(mount("tekton-internal-debug-info", "/tekton/debug/info/" + number, false)));
    }

    /// Nothing without a script.
    Optional<Json.Obj> container(String image, Optional<Json.Obj> securityContext) {
        if (program.isEmpty()) {
            return Optional.empty();
        }
        var mounts = Json.Arr.of(
                mount(VOLUME, "/tekton/scripts", false), mount("tekton-internal-bin", "/tekton/bin", false));
        var container = Json.Obj.builder()
                .put("name", TektonEntrypoint.PLACE_SCRIPTS)
                .put("image", image)
                .put("command", Json.Arr.of(Json.of("sh")))
                .put("args", Json.Arr.of(Json.of("-c"), Json.of(program.toString())))
                .put(
                        "volumeMounts",
                        debugs ? mounts.plus(mount(DEBUG_VOLUME, "/tekton/debug/scripts", false)) : mounts);
        securityContext.ifPresent(context -> container.put("securityContext", context));
        return Optional.of(container.build());
    }

    List<String> volumes() {
        if (debugs) {
            return List.of(VOLUME, DEBUG_VOLUME, "tekton-internal-debug-info");
        }
        return program.isEmpty() ? List.of() : List.of(VOLUME);
    }

    static Json.Obj mount(String volume, String path, boolean readOnly) {
        var mount = Json.Obj.of("name", Json.of(volume), "mountPath", Json.of(path));
        return readOnly ? mount.with("readOnly", Json.of(true)) : mount;
    }
}
