package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/// Prints what the steps and sidecars of a run, or the containers of a pod, have written: step after step, with the
/// task
/// and the step before each line.
public final class RunLogs {

    /// @param follow goes on until the run has ended
    /// @param steps only these; all when there are none
    /// @param all also init containers and earlier attempts
    /// @param tail only so many lines of each step; all when negative
    public record Options(String namespace, boolean follow, List<String> steps, boolean all, int tail) {
        public Options {
            steps = List.copyOf(steps);
        }
    }

    private static final String STEP = "step-";
    private static final String SIDECAR = "sidecar-";

    private final ApiClient client;
    private final Options options;
    private final PrintStream out;
    private final PrintStream err;
    private final Watching watching;
    /// Of pods that have none of the wanted ones; tasks may be read side by side.
    private final Set<String> otherSteps = new ConcurrentSkipListSet<>();
    private volatile boolean hasWanted;

    public RunLogs(ApiClient client, Options options, PrintStream out, PrintStream err) {
        this.client = client;
        this.options = options;
        this.out = out;
        this.err = err;
        this.watching = new Watching(client);
    }

    /// @param word a PipelineRun, TaskRun or Pod, as in [RunLookup]
    /// @return whether there was any of the steps that are wanted
    public boolean show(String word) throws InterruptedException {
        var found = new RunLookup(client, options.namespace).runOrPod(word);
        if (found.isPod()) {
            showPod(found.name(), "", false);
        } else if (!found.isPipelineRun()) {
            showTaskRun(found.object(), "");
        } else if (options.follow) {
            followPipelineRun(found.name());
        } else {
            showPipelineRun(found);
        }
        if (hasWanted || otherSteps.isEmpty()) {
            return true;
        }
        tell(word + " has no " + (found.isPod() ? "container " : "step ") + String.join(" or ", options.steps)
                + ". There are: " + String.join(", ", otherSteps));
        return false;
    }

    private void showPipelineRun(RunLookup.Found run) {
        var children = new RunLookup(client, options.namespace).taskRuns(run.object());
        children.forEach(child -> showTaskRun(child, RunLookup.taskName(run.name(), child)));
        if (children.isEmpty()) {
            explain(run.object(), run.title());
        }
    }

    /// Tasks run side by side, and so do their lines come. Those of a task that has ended come before those of one that
    /// begins.
    private void followPipelineRun(String name) throws InterruptedException {
        var readers = new LinkedHashMap<String, Thread>();
        var end = watching.await(ResourceType.PIPELINE_RUNS, options.namespace, name, run -> {
            for (var child : run.objects("status", "childReferences")) {
                var taskRun = child.string("name");
                if (child.string("kind").equals("TaskRun") && !readers.containsKey(taskRun)) {
                    readers.forEach(this::joinEnded);
                    readers.put(taskRun, Thread.startVirtualThread(() -> followChild(name, taskRun)));
                }
            }
            return RunLookup.isDone(run);
        });
        for (var reader : readers.values()) {
            reader.join();
        }
        end.filter(_ -> readers.isEmpty()).ifPresent(run -> explain(run, "PipelineRun " + name));
    }

    private void joinEnded(String taskRun, Thread reader) {
        boolean ended = !reader.isAlive()
                || client.find(ResourceType.TASK_RUNS.path(options.namespace, taskRun))
                        .filter(run -> !RunLookup.isDone(run))
                        .isEmpty();
        try {
            if (ended) {
                reader.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void followChild(String pipelineRun, String name) {
        try {
            client.find(ResourceType.TASK_RUNS.path(options.namespace, name))
                    .ifPresent(child -> showTaskRun(child, RunLookup.taskName(pipelineRun, child)));
        } catch (ClientProblem | StatusError e) {
            tell("no log of TaskRun " + name + ": " + e.getMessage());
        }
    }

    private void showTaskRun(Json.Obj run, String task) {
        if (options.follow) {
            followTaskRun(run.string("metadata", "name"), task);
            return;
        }
        var earlier = options.all ? run.objects("status", "retriesStatus") : List.<Json.Obj>of();
        for (int i = 0; i < earlier.size(); i++) {
            showPod(earlier.get(i).string("podName"), attempt(task, i + 1), true);
        }
        var pod = run.string("status", "podName");
        if (pod.isEmpty()) {
            explain(run, "TaskRun " + run.string("metadata", "name"));
        } else {
            showPod(pod, task, true);
        }
    }

    private static String attempt(String task, int number) {
        return (task + " attempt " + number).strip();
    }

    private void followTaskRun(String name, String task) {
        var seen = new HashSet<String>();
        Predicate<Json.Obj> news =
                run -> RunLookup.isDone(run) || (!podOf(run).isEmpty() && !seen.contains(podOf(run)));
        while (true) {
            var run = watching.await(ResourceType.TASK_RUNS, options.namespace, name, news);
            if (run.isEmpty()) {
                return;
            }
            var pod = podOf(run.get());
            if (pod.isEmpty() || !seen.add(pod)) {
                if (seen.isEmpty()) {
                    explain(run.get(), "TaskRun " + name);
                }
                return;
            }
            showPod(pod, seen.size() > 1 ? attempt(task, seen.size()) : task, true);
        }
    }

    private static String podOf(Json.Obj taskRun) {
        return taskRun.string("status", "podName");
    }

    /// @param ofRun its containers are the steps of a task
    private void showPod(String name, String task, boolean ofRun) {
        var pod = client.find(ResourceType.PODS.path(options.namespace, name));
        if (pod.isEmpty()) {
            tell("no log: pod " + name + " is gone");
            return;
        }
        var containers = containers(pod.get(), ofRun);
        if (containers.isEmpty()) {
            names(pod.get(), "containers")
                    .forEach(container -> otherSteps.add(ofRun ? stepName(container) : container));
        } else {
            hasWanted = true;
        }
        boolean bare = !ofRun && containers.size() == 1;
        for (var container : containers) {
            showContainer(name, container, bare ? "" : prefix(task, container));
        }
    }

    private static String prefix(String task, String container) {
        var step = stepName(container);
        return "[" + (task.isEmpty() ? step : task + " : " + step) + "] ";
    }

    private static String stepName(String container) {
        return container.startsWith(STEP) ? container.substring(STEP.length()) : container;
    }

    private List<String> containers(Json.Obj pod, boolean ofRun) {
        var containers = new ArrayList<String>();
        if (options.all) {
            containers.addAll(names(pod, "initContainers"));
        }
        names(pod, "containers").stream()
                .filter(name -> !ofRun || options.all || !options.steps.isEmpty() || isOfTask(name))
                .forEach(containers::add);
        if (!options.steps.isEmpty()) {
            containers.removeIf(name -> options.steps.stream()
                    .noneMatch(step -> name.equals(step) || name.equals(STEP + step) || name.equals(SIDECAR + step)));
        }
        return containers;
    }

    private static boolean isOfTask(String container) {
        return container.startsWith(STEP) || container.startsWith(SIDECAR);
    }

    private static List<String> names(Json.Obj pod, String list) {
        return pod.objects("spec", list).stream()
                .map(each -> each.string("name"))
                .toList();
    }

    private void showContainer(String pod, String container, String prefix) {
        // Sidecars end with the pod: whoever waited for their end would never get to it.
        boolean follow = options.follow && !container.startsWith(SIDECAR);
        if (follow) {
            watching.await(ResourceType.PODS, options.namespace, pod, now -> hasBegun(now, container));
        }
        var path = ResourceType.PODS.path(options.namespace, pod) + "/log?container=" + ResourceType.segment(container)
                + (follow ? "&follow=true" : "") + (options.tail < 0 ? "" : "&tailLines=" + options.tail);
        try (var log = client.stream(path)) {
            if (prefix.isEmpty()) {
                log.transferTo(out);
                out.flush();
                return;
            }
            boolean any = false;
            var lines = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8));
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                print(prefix + line);
                any = true;
            }
            if (any) {
                print("");
            }
        } catch (StatusError e) {
            // A step behind one that failed never began; that is no news.
            if (!e.is(StatusError.Reason.BAD_REQUEST)) {
                tell("no log of container " + container + ": " + e.text());
            }
        } catch (IOException e) {
            tell("the log of container " + container + " broke off: " + e.getMessage());
        }
    }

    private static boolean hasBegun(Json.Obj pod, String container) {
        var phase = pod.string("status", "phase");
        return phase.equals("Succeeded")
                || phase.equals("Failed")
                || pod.objects("status", "containerStatuses").stream()
                        .filter(status -> status.string("name").equals(container))
                        .anyMatch(status -> !status.object("state").has("waiting")
                                && status.object("state").size() > 0)
                || pod.objects("status", "initContainerStatuses").stream()
                        .filter(status -> status.string("name").equals(container))
                        .anyMatch(status -> !status.object("state").has("waiting")
                                && status.object("state").size() > 0);
    }

    private void explain(Json.Obj run, String title) {
        var condition = RunLookup.condition(run);
        tell(title + " has no log"
                + (condition.size() == 0
                        ? " yet"
                        : ": " + condition.string("reason") + ": " + condition.string("message")));
    }

    private synchronized void print(String line) {
        out.println(line);
        out.flush();
    }

    private void tell(String problem) {
        err.println("towtank: " + problem + (problem.endsWith(".") ? "" : "."));
    }
}
