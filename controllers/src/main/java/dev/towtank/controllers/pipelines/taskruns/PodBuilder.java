package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.settings.ReleaseMark;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.substitution.StepTemplates;
import dev.towtank.controllers.pipelines.substitution.TaskSubstitution;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// The pod of a run, of the shape that Tekton gives it: on a cluster with Tekton's images it does the same.
///
/// @param spec of the task, all variables replaced, workspaces mounted
/// @param podTemplate with its variables replaced
record PodBuilder(
        Resource run,
        TaskRun value,
        Json.Obj spec,
        Json.Obj podTemplate,
        Duration timeout,
        int attempt,
        TaskCredentials credentials,
        List<Resource> limitRanges,
        Settings settings,
        TektonImages images,
        ImageCommands commands) {

    static final String READY = "tekton.dev/ready";
    private static final String RESULT_LIMIT = "node.towtank.dev/termination-message-limit";
    private static final String SMALL_VOLUMES = "node.towtank.dev/small-volumes";

    /// Marks that steps leave for each other, and programs of Tekton, which nobody needs here.
    private static final String HARDLY_ANYTHING = "tekton-internal-bin,tekton-internal-steps,tekton-internal-run-*";

    /// By how many seconds a pod outlives a short timeout: both count from a moment that is written in whole seconds.
    private static final int LEAST_MARGIN = 2;

    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private static final List<String> STEP_FIELDS = List.of(
            "image",
            "command",
            "args",
            "workingDir",
            "envFrom",
            "env",
            "volumeMounts",
            "volumeDevices",
            "imagePullPolicy",
            "securityContext");
    private static final List<String> SIDECAR_FIELDS = List.of(
            "image",
            "command",
            "args",
            "workingDir",
            "ports",
            "envFrom",
            "env",
            "volumeMounts",
            "volumeDevices",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "imagePullPolicy",
            "securityContext",
            "stdin",
            "stdinOnce",
            "tty",
            "restartPolicy");
    private static final List<String> TEMPLATE_FIELDS = List.of(
            "nodeSelector",
            "tolerations",
            "affinity",
            "securityContext",
            "runtimeClassName",
            "automountServiceAccountToken",
            "schedulerName",
            "hostNetwork",
            "hostUsers",
            "dnsPolicy",
            "dnsConfig",
            "enableServiceLinks",
            "priorityClassName",
            "imagePullSecrets",
            "hostAliases",
            "topologySpreadConstraints");

    private static final List<Json.Obj> IMPLICIT_MOUNTS = List.of(
            TaskScripts.mount("tekton-internal-bin", "/tekton/bin", true),
            TaskScripts.mount("tekton-internal-workspace", "/workspace", false),
            TaskScripts.mount("tekton-internal-home", "/tekton/home", false),
            TaskScripts.mount("tekton-internal-results", "/tekton/results", false),
            TaskScripts.mount("tekton-internal-steps", "/tekton/steps", true),
            TaskScripts.mount("tekton-internal-artifacts", "/tekton/artifacts", false));

    static String name(String run, int attempt) {
        return ChildNames.of(run, attempt == 0 ? "-pod" : "-pod-retry" + attempt);
    }

    Resource build() {
        var merged = StepTemplates.merge(spec);
        var task = Records.read(TaskSpec.class, merged);
        var scripts = new TaskScripts(run.uid());
        var steps = steps(merged, task, scripts);
        var sidecars = sidecars(merged, task, scripts);
        debug().ifPresent(breakpoints -> scripts.takeDebug(breakpoints, steps.size()));
        var finished = finished(steps, task);
        var init = initContainers(merged, task, scripts);
        var containers = new ArrayList<>(finished);
        if (settings.flags().enableKubernetesSidecar()) {
            sidecars.forEach(sidecar -> init.add(sidecar.with("restartPolicy", Json.of("Always"))));
        } else {
            containers.addAll(sidecars);
        }
        return run.with(Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata(task))
                .put("spec", podSpec(task, scripts, init, TaskResources.limited(containers, limitRanges)))
                .build());
    }

    private Optional<TaskRunSpec.Breakpoints> debug() {
        return settings.isAlpha() ? value.spec().debug().flatMap(TaskRunSpec.Debug::breakpoints) : Optional.empty();
    }

    private boolean isReadyAtOnce(TaskSpec task) {
        return settings.isReadyAtOnce(!task.sidecars().isEmpty() || ResultsSidecar.isNeeded(settings, task));
    }

    /// The steps as containers with their own commands.
    private List<Json.Obj> steps(Json.Obj merged, TaskSpec task, TaskScripts scripts) {
        var containers = new ArrayList<Json.Obj>();
        var steps = merged.objects("steps");
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            var container = container(step, STEP_FIELDS, step.string("name"));
            container = TaskResources.overridden(container, value.spec().stepSpecs());
            if (value.spec().computeResources().isPresent()) {
                container = TaskResources.divided(
                        container, value.spec().computeResources().get(), steps.size());
            }
            container = scripts.take(container, task.steps().get(i).script(), "script", i);
            if (debug().isPresent()) {
                container = TaskScripts.withDebugMounts(container, i);
            }
            containers.add(container);
        }
        return containers;
    }

    private List<Json.Obj> sidecars(Json.Obj merged, TaskSpec task, TaskScripts scripts) {
        var containers = new ArrayList<Json.Obj>();
        var sidecars = merged.objects("sidecars");
        for (int i = 0; i < sidecars.size(); i++) {
            var sidecar = sidecars.get(i);
            var container = container(sidecar, SIDECAR_FIELDS, sidecar.string("name"));
            container = TaskResources.overridden(container, value.spec().sidecarSpecs());
            container = scripts.take(container, task.sidecars().get(i).script(), "sidecar-script", i);
            containers.add(TaskResources.withDefaults(
                    container.with("name", Json.of(ChildNames.restricted("sidecar-" + sidecar.string("name")))),
                    settings.defaults().resourceRequirements()));
        }
        if (ResultsSidecar.isNeeded(settings, task)) {
            containers.add(resultsSidecar(task));
        }
        return containers;
    }

    private Json.Obj resultsSidecar(TaskSpec task) {
        var container = new ResultsSidecar(task)
                .container(
                        images.results(),
                        settings.flags().enableKubernetesSidecar(),
                        settings.defaults().sidecarLogPollingInterval(),
                        IMPLICIT_MOUNTS);
        return TaskResources.withDefaults(
                securityContext()
                        .map(context -> container.with("securityContext", context))
                        .orElse(container),
                settings.defaults().resourceRequirements());
    }

    private static Json.Obj container(Json.Obj from, List<String> fields, String name) {
        var container = Json.Obj.builder().put("name", name);
        fields.forEach(field -> {
            var present = from.get(field);
            if (present != null) {
                container.put(field, present);
            }
        });
        if (from.get("computeResources") instanceof Json.Obj resources && resources.size() > 0) {
            container.put("resources", resources);
        }
        return container.build();
    }

    private List<Json.Obj> finished(List<Json.Obj> steps, TaskSpec task) {
        var results = task.results().stream()
                .filter(result -> result.rawValue().isEmpty())
                .map(result -> result.name())
                .toList();
        var waits = !isReadyAtOnce(task);
        var flags = new ArrayList<>(credentials.flags());
        if (settings.compressesMessages()) {
            flags.add("-compress_termination_message=true");
        }
        if (ResultsSidecar.isNeeded(settings, task)) {
            flags.addAll(List.of("-result_from", "sidecar-logs"));
        }
        var order = new StepContainers(
                task.steps(),
                results,
                flags,
                waits,
                settings.flags().awaitSidecarReadiness(),
                settings.flags().enableKeepPodOnCancel(),
                debug());
        var containers = new ArrayList<Json.Obj>();
        for (int i = 0; i < steps.size(); i++) {
            var container = order.ordered(StepContainers.withImageCommand(steps.get(i), commands), i);
            container = withEnvironment(container);
            container = withMounts(container, i, steps.size());
            container = container.with("name", Json.of(stepName(task, i)));
            containers.add(
                    TaskResources.withDefaults(container, settings.defaults().resourceRequirements()));
        }
        return containers;
    }

    private static String stepName(TaskSpec task, int number) {
        var name = task.steps().get(number).name();
        return ChildNames.restricted(name.isEmpty() ? "step-unnamed-" + number : "step-" + name);
    }

    private Json.Obj withEnvironment(Json.Obj container) {
        var environment = container.array("env");
        for (var variable : podTemplate.objects("env")) {
            if (!settings.defaults().forbiddenEnv().contains(variable.string("name"))) {
                environment = environment.plus(variable);
            }
        }
        var hermetic = run.annotations()
                .getOrDefault("experimental.tekton.dev/execution-mode", "")
                .equals("hermetic");
        if (hermetic && settings.isAlpha()) {
            // Tekton's own word, and what our node understands: the last of a name counts, so no step can undo it.
            environment = environment
                    .plus(Json.Obj.of("name", Json.of("TEKTON_HERMETIC"), "value", Json.of("1")))
                    .plus(Json.Obj.of("name", Json.of("TOWTANK_NETWORK"), "value", Json.of("none")));
        }
        return environment.size() == 0 ? container : container.with("env", environment);
    }

    private Json.Obj withMounts(Json.Obj container, int number, int steps) {
        var mounts = new ArrayList<Json>(container.array("volumeMounts").items());
        if (settings.createsCredentials()) {
            mounts.add(TaskScripts.mount("tekton-creds-init-home-" + number, "/tekton/creds", false));
        }
        for (int other = 0; other < steps; other++) {
            mounts.add(TaskScripts.mount("tekton-internal-run-" + other, "/tekton/run/" + other, other != number));
        }
        var taken = new LinkedHashSet<String>();
        mounts.forEach(mount -> taken.add(clean(((Json.Obj) mount).string("mountPath"))));
        var implicit = new ArrayList<>(IMPLICIT_MOUNTS);
        implicit.addAll(credentials.mounts());
        implicit.stream()
                .filter(mount -> !taken.contains(mount.string("mountPath")))
                .forEach(mounts::add);
        return container.with("volumeMounts", new Json.Arr(mounts));
    }

    private static String clean(String path) {
        var text = path.replaceAll("/+", "/");
        return text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private List<Json.Obj> initContainers(Json.Obj merged, TaskSpec task, TaskScripts scripts) {
        var all = new ArrayList<Json.Obj>();
        var command = new ArrayList<>(List.of(
                TektonEntrypoint.IMAGE_COMMAND, "init", TektonEntrypoint.IMAGE_COMMAND, TektonEntrypoint.COMMAND));
        var steps = merged.objects("steps");
        for (int i = 0; i < steps.size(); i++) {
            command.add(TaskSubstitution.stepName(steps.get(i), i));
        }
        var prepare = Json.Obj.builder()
                .put("name", "prepare")
                .put("image", images.entrypoint())
                .put("workingDir", "/")
                .put("command", Json.Arr.ofStrings(command))
                .put(
                        "volumeMounts",
                        Json.Arr.of(
                                TaskScripts.mount("tekton-internal-bin", "/tekton/bin", false),
                                TaskScripts.mount("tekton-internal-steps", "/tekton/steps", false)));
        securityContext().ifPresent(context -> prepare.put("securityContext", context));
        all.add(prepare.build());
        scripts.container(images.shell(), securityContext()).ifPresent(all::add);
        workingDirectories(task).ifPresent(all::add);
        return all;
    }

    private Optional<Json.Obj> workingDirectories(TaskSpec task) {
        var paths = task.steps().stream()
                .map(step -> clean(step.workingDir()))
                .filter(path -> !path.isEmpty() && (!path.startsWith("/") || path.startsWith("/workspace/")))
                .distinct()
                .sorted()
                .toList();
        if (paths.isEmpty()) {
            return Optional.empty();
        }
        var container = Json.Obj.builder()
                .put("name", "working-dir-initializer")
                .put("image", images.workingDirectory())
                .put("command", Json.Arr.of(Json.of(TektonEntrypoint.WORKING_DIRECTORIES_COMMAND)))
                .put("args", Json.Arr.ofStrings(paths))
                .put("workingDir", "/workspace")
                .put("volumeMounts", new Json.Arr(List.copyOf(IMPLICIT_MOUNTS.subList(1, IMPLICIT_MOUNTS.size()))));
        securityContext().ifPresent(context -> container.put("securityContext", context));
        return Optional.of(container.build());
    }

    private Optional<Json.Obj> securityContext() {
        if (!settings.flags().setSecurityContext()) {
            return Optional.empty();
        }
        var context = Json.Obj.builder()
                .put("allowPrivilegeEscalation", false)
                .put("capabilities", Json.Obj.of("drop", Json.Arr.of(Json.of("ALL"))))
                .put("runAsNonRoot", true)
                .put("seccompProfile", Json.Obj.of("type", Json.of("RuntimeDefault")));
        if (settings.flags().setSecurityContextReadOnlyRootFilesystem()) {
            context.put("readOnlyRootFilesystem", true);
        }
        return Optional.of(context.build());
    }

    private Json.Obj metadata(TaskSpec task) {
        var labels = new LinkedHashMap<>(run.labels());
        labels.put("tekton.dev/taskRun", run.name());
        labels.put("tekton.dev/taskRunUID", run.uid());
        labels.put(MANAGED_BY, settings.defaults().managedByLabelValue());
        var annotations = new LinkedHashMap<>(run.annotations());
        annotations.remove(MANAGED_BY);
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        annotations.put(ReleaseMark.ANNOTATION, ReleaseMark.VALUE);
        if (isReadyAtOnce(task)) {
            annotations.put(READY, "READY");
        }
        annotations.put(SMALL_VOLUMES, HARDLY_ANYTHING);
        annotations.put(RESULT_LIMIT, String.valueOf(settings.resultLimit()));
        return Json.Obj.builder()
                .put("name", name(run.name(), attempt))
                .put("namespace", run.namespace())
                .put("labels", Json.Obj.ofStrings(labels))
                .put("annotations", Json.Obj.ofStrings(annotations))
                .put("ownerReferences", Json.Arr.of(run.asOwner(true).json()))
                .build();
    }

    private Json.Obj podSpec(TaskSpec task, TaskScripts scripts, List<Json.Obj> init, List<Json.Obj> containers) {
        var pod = Json.Obj.builder()
                .put("restartPolicy", "Never")
                .put("initContainers", new Json.Arr(List.copyOf(init)))
                .put("containers", new Json.Arr(List.copyOf(containers)))
                .put("volumes", new Json.Arr(List.copyOf(volumes(task, scripts))))
                .put("activeDeadlineSeconds", deadline());
        pod.putNonEmpty("serviceAccountName", value.spec().serviceAccountName());
        TEMPLATE_FIELDS.forEach(field -> {
            var present = podTemplate.get(field);
            if (present != null) {
                pod.put(field, present);
            }
        });
        return pod.build();
    }

    /// Later than our own timeout, which comes first wherever somebody is there to see it.
    private long deadline() {
        long seconds = timeout.toSeconds();
        return timeout.isZero()
                ? Integer.MAX_VALUE
                : Math.min(Math.max(seconds * 3 / 2, seconds + LEAST_MARGIN), Integer.MAX_VALUE);
    }

    private List<Json.Obj> volumes(TaskSpec task, TaskScripts scripts) {
        var volumes = new ArrayList<Json.Obj>();
        for (var mount : IMPLICIT_MOUNTS.subList(1, IMPLICIT_MOUNTS.size())) {
            volumes.add(emptyDirectory(mount.string("name")));
        }
        volumes.addAll(credentials.volumes());
        scripts.volumes().forEach(name -> volumes.add(emptyDirectory(name)));
        volumes.add(emptyDirectory("tekton-internal-bin"));
        if (settings.flags().awaitSidecarReadiness() || settings.flags().enableKeepPodOnCancel()) {
            volumes.add(downward());
        }
        for (int i = 0; i < task.steps().size(); i++) {
            if (settings.createsCredentials()) {
                volumes.add(Json.Obj.of(
                        "name",
                        Json.of("tekton-creds-init-home-" + i),
                        "emptyDir",
                        Json.Obj.of("medium", Json.of("Memory"))));
            }
            volumes.add(emptyDirectory("tekton-internal-run-" + i));
        }
        volumes.addAll(task.volumes());
        volumes.addAll(podTemplate.objects("volumes"));
        return volumes;
    }

    private static Json.Obj emptyDirectory(String name) {
        return Json.Obj.of("name", Json.of(name), "emptyDir", Json.Obj.EMPTY);
    }

    private Json.Obj downward() {
        var items = Json.Arr.of(annotationFile("ready", READY));
        if (settings.flags().enableKeepPodOnCancel()) {
            items = items.plus(annotationFile("cancel", "tekton.dev/cancel"));
        }
        return Json.Obj.of("name", Json.of("tekton-internal-downward"), "downwardAPI", Json.Obj.of("items", items));
    }

    private static Json.Obj annotationFile(String path, String annotation) {
        return Json.Obj.of(
                "path",
                Json.of(path),
                "fieldRef",
                Json.Obj.of("fieldPath", Json.of("metadata.annotations['" + annotation + "']")));
    }
}
