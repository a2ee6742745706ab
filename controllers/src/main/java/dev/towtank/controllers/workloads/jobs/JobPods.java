package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.Fill;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The pods that a Job creates.
final class JobPods {

    private static final String VARIABLE = "JOB_COMPLETION_INDEX";

    private JobPods() {}

    /// @param ended how many pods have ended and are accounted for, whether or not they are still there
    static List<Resource> plain(JobSpec job, long ended, Predicate<String> taken, long count) {
        var template = tracked(job.spec().object("template"));
        return Children.freeNames(job.object(), ended, taken, count).stream()
                .map(name -> Children.pod(job.object(), template, name))
                .toList();
    }

    /// @param replaced the pod that failed at this index before
    static Resource indexed(JobSpec job, Predicate<String> taken, long index, Optional<Pod> replaced) {
        var number = Json.of(Long.toString(index));
        var template = tracked(job.spec().object("template"))
                .with(List.of("metadata", "annotations", JobSpec.INDEX), number)
                .with(List.of("metadata", "labels", JobSpec.INDEX), number)
                .with(List.of("spec", "hostname"), Json.of(job.object().name() + "-" + index));
        for (var list : List.of("initContainers", "containers")) {
            template = template.with("spec", Fill.each(template.object("spec"), list, JobPods::withVariable));
        }
        if (job.hasBackoffLimitPerIndex()) {
            template = withFailures(template, job, replaced);
        }
        return Children.pod(job.object(), template, Children.freeName(job.object(), Long.toString(index), taken));
    }

    private static Json.Obj tracked(Json.Obj template) {
        var finalizers =
                new ArrayList<>(template.array("metadata", "finalizers").strings());
        if (!finalizers.contains(JobSpec.FINALIZER)) {
            finalizers.add(JobSpec.FINALIZER);
        }
        return template.with(List.of("metadata", "finalizers"), Json.Arr.ofStrings(finalizers));
    }

    private static Json.Obj withVariable(Json.Obj container) {
        boolean known = container.objects("env").stream()
                .anyMatch(variable -> variable.string("name").equals(VARIABLE));
        var path = Json.of("metadata.labels['" + JobSpec.INDEX + "']");
        var source = Json.Obj.of("fieldRef", Json.Obj.of("fieldPath", path));
        return known
                ? container
                : container.with(
                        "env",
                        container.array("env").plus(Json.Obj.of("name", Json.of(VARIABLE), "valueFrom", source)));
    }

    private static Json.Obj withFailures(Json.Obj template, JobSpec job, Optional<Pod> replaced) {
        long failures = replaced.map(JobPods::failures).orElse(0L);
        long ignored = replaced.map(JobPods::ignored).orElse(0L);
        if (replaced.isPresent()) {
            boolean counts = job.failurePolicy().judge(replaced.get()).counts();
            failures += counts ? 1 : 0;
            ignored += counts ? 0 : 1;
        }
        var counted = template.with(
                List.of("metadata", "annotations", JobSpec.INDEX_FAILURES), Json.of(Long.toString(failures)));
        return ignored == 0
                ? counted
                : counted.with(
                        List.of("metadata", "annotations", JobSpec.INDEX_IGNORED), Json.of(Long.toString(ignored)));
    }

    static long failures(Pod pod) {
        return number(pod.annotation(JobSpec.INDEX_FAILURES));
    }

    static long ignored(Pod pod) {
        return number(pod.annotation(JobSpec.INDEX_IGNORED));
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }
}
