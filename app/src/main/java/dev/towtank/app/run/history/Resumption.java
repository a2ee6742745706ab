package dev.towtank.app.run.history;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.view.RunState;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunStates;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A new run that goes on where a finished one stopped. Pure.
///
/// The new run gets the finished task runs of the old one as its own, with all that they have in their status. To the
/// engine they are tasks that are done: results, matrices, artifacts, conditions, `finally` and the results of the
/// pipeline work as if they had run just now. They say `managedBy` somebody else, so that no controller starts them.
public final class Resumption {

    private static final String MANAGER = "towtank.dev/resume";
    private static final int LARGEST_MATRIX = 1024;
    // Runs of tasks inherit it, so it is another than what tells that they are reused.
    private static final String RESUMES = "towtank.dev/resumes";

    private final RunRecord old;
    private final RunState state;
    private final Json.Obj pipelineSpec;
    private final Choice choice;
    private final Set<String> again;

    /// What is to run again.
    ///
    /// @param from this task and all that depend on it, be they done or not
    /// @param only this task and nothing else
    public record Choice(Optional<String> from, Optional<String> only) {
        public static final Choice WHAT_FAILED = new Choice(Optional.empty(), Optional.empty());
    }

    /// @param pipelineSpec what the pipeline is now; it may have changed since
    /// @throws BadInput there is nothing to run again, or no such task
    public Resumption(RunRecord old, Json.Obj pipelineSpec, Choice choice) {
        this.old = old;
        this.pipelineSpec = pipelineSpec;
        this.choice = choice;
        if (!old.run().kind().equals("PipelineRun")) {
            throw new BadInput(old.id() + " is a " + old.run().kind()
                    + ", which has no tasks to choose from: run it again with --replay " + old.id());
        }
        var withoutStatus = old.run()
                .with(old.run().json().with("status", statusWithout(old.run().status())));
        this.state = new RunStates(withoutStatus, old.children(), pipelineSpec, _ -> false).state();
        this.again = again();
    }

    // The pipeline may have other tasks by now.
    private static Json.Obj statusWithout(Json.Obj status) {
        return status.without("pipelineSpec");
    }

    private Set<String> again() {
        for (var name : List.of(choice.from(), choice.only())) {
            name.ifPresent(this::check);
        }
        var chosen = choice.only().or(choice::from);
        if (chosen.isPresent()) {
            var only = new LinkedHashSet<>(List.of(chosen.get()));
            return choice.only().isPresent() ? only : withDependents(only);
        }
        var failed = state.tasks().stream()
                .filter(task -> !task.isFinally())
                .filter(task -> task.phase() != Phase.SUCCEEDED
                        && task.phase() != Phase.IGNORED
                        && task.phase() != Phase.SKIPPED)
                .map(RunState.Task::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        boolean finallyFailed = state.tasks().stream()
                .anyMatch(task -> task.isFinally() && task.phase().isBad());
        if (failed.isEmpty() && !finallyFailed && state.phase() == Phase.SUCCEEDED) {
            throw new BadInput("Nothing of " + old.id() + " failed. To run a task and all that depend on it again, use"
                    + " --from TASK. There are: " + names() + ".");
        }
        return withDependents(failed);
    }

    private void check(String name) {
        var task =
                state.tasks().stream().filter(each -> each.name().equals(name)).findFirst();
        if (task.isEmpty()) {
            throw new BadInput(old.id() + " has no task " + name + ". There are: " + names() + ".");
        }
        if (task.get().isFinally()) {
            throw new BadInput(name + " is a finally task, which runs after all others: choose one of those.");
        }
    }

    private String names() {
        return state.tasks().stream()
                .filter(task -> !task.isFinally())
                .map(RunState.Task::name)
                .collect(Collectors.joining(", "));
    }

    private Set<String> withDependents(Set<String> begin) {
        var all = new LinkedHashSet<>(begin);
        boolean grew = true;
        while (grew) {
            grew = false;
            for (var task : state.tasks()) {
                grew |= !task.isFinally() && task.after().stream().anyMatch(all::contains) && all.add(task.name());
            }
        }
        return all;
    }

    private Set<String> ancestors(String name) {
        var all = new LinkedHashSet<String>();
        var open = new ArrayList<>(List.of(name));
        while (!open.isEmpty()) {
            var next = open.removeLast();
            state.tasks().stream()
                    .filter(task -> task.name().equals(next))
                    .flatMap(task -> task.after().stream())
                    .filter(all::add)
                    .forEach(open::add);
        }
        return all;
    }

    /// The new run, which waits until [#reused] are there.
    public Json.Obj run() {
        var spec = old.run().spec().with("status", Json.of("PipelineRunPending"));
        if (choice.only().isPresent()) {
            spec = spec.without("pipelineRef")
                    .with("pipelineSpec", only(choice.only().get()));
            var kept = only(choice.only().get()).objects("tasks").stream()
                    .map(task -> task.string("name"))
                    .collect(Collectors.toSet());
            spec = withTaskRunSpecs(spec, kept);
        } else if (spec.has("pipelineSpec")) {
            spec = spec.with("pipelineSpec", pipelineSpec);
        }
        spec = spec.has("workspaces") ? spec.with("workspaces", claims(spec.array("workspaces"))) : spec;
        var metadata = Json.Obj.builder()
                .put("generateName", base(old.run()) + "-")
                .put("namespace", old.run().namespace())
                .put("annotations", Json.Obj.of(RESUMES, Json.of(old.id())));
        return Json.Obj.builder()
                .put("apiVersion", old.run().apiVersion())
                .put("kind", old.run().kind())
                .put("metadata", metadata.build())
                .put("spec", spec)
                .build();
    }

    // What the old run made a claim for is in that claim, and the new run must not make another.
    private Json.Arr claims(Json.Arr bindings) {
        return bindings.map(each -> {
            if (!(each instanceof Json.Obj binding) || !binding.has("volumeClaimTemplate")) {
                return each;
            }
            var claim = ChildNames.claim(
                    binding.string("volumeClaimTemplate", "metadata", "name"),
                    binding.string("name"),
                    old.run().uid());
            return binding.without("volumeClaimTemplate")
                    .with("persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)));
        });
    }

    private static Json.Obj withTaskRunSpecs(Json.Obj spec, Set<String> kept) {
        var own = spec.objects("taskRunSpecs").stream()
                .filter(each -> kept.contains(each.string("pipelineTaskName")))
                .toList();
        return own.isEmpty() ? spec.without("taskRunSpecs") : spec.with("taskRunSpecs", new Json.Arr(List.copyOf(own)));
    }

    // A name that was generated gets a new ending, not one more.
    private static String base(Resource run) {
        var generated = run.metadata().string("generateName");
        return generated.endsWith("-") ? generated.substring(0, generated.length() - 1) : run.name();
    }

    /// The pipeline with nothing but the task and what it is made of.
    private Json.Obj only(String name) {
        var kept = ancestors(name);
        for (var needed : kept) {
            state.tasks().stream()
                    .filter(task -> task.name().equals(needed))
                    .filter(task -> task.phase().isBad() || task.phase() == Phase.WAITING)
                    .findFirst()
                    .ifPresent(task -> {
                        throw new BadInput("--only " + name + ": it needs what task " + needed
                                + " makes, which has not succeeded in " + old.id() + ". Use --from " + needed + ".");
                    });
        }
        kept.add(name);
        var tasks = pipelineSpec.objects("tasks").stream()
                .filter(task -> kept.contains(task.string("name")))
                .toList();
        var results = pipelineSpec.objects("results").stream()
                .filter(result ->
                        kept.stream().anyMatch(task -> result.toString().contains("$(tasks." + task + ".")))
                .filter(result -> state.tasks().stream()
                        .filter(task -> !kept.contains(task.name()))
                        .noneMatch(task -> result.toString().contains("$(tasks." + task.name() + ".")
                                || result.toString().contains("$(finally." + task.name() + ".")))
                .toList();
        var spec = pipelineSpec.without("finally").with("tasks", new Json.Arr(List.copyOf(tasks)));
        return results.isEmpty() ? spec.without("results") : spec.with("results", new Json.Arr(List.copyOf(results)));
    }

    /// Names of the tasks that will not run again, because they are done.
    public List<String> done() {
        return state.tasks().stream()
                .filter(task -> !task.isFinally() && !again.contains(task.name()))
                .filter(task -> task.phase() == Phase.SUCCEEDED || task.phase() == Phase.IGNORED)
                .map(RunState.Task::name)
                .toList();
    }

    /// The finished runs of tasks that the new run takes over.
    ///
    /// @param created the new run as it is stored
    public List<Resource> reused(Resource created) {
        var names = names(created);
        var needed = choice.only().map(this::ancestors);
        var reused = new ArrayList<Resource>();
        for (var task : state.tasks()) {
            boolean isWanted = choice.from().isPresent() && again.contains(task.name());
            boolean isLeftOut =
                    !needed.map(tasks -> tasks.contains(task.name())).orElse(true);
            if (task.isFinally() || isWanted || isLeftOut) {
                continue;
            }
            // Of a matrix that failed, the combinations that succeeded are done, unless what they were made of changes.
            boolean dependsOnAgain = task.after().stream().anyMatch(again::contains);
            for (var run : task.runs()) {
                boolean isDone = run.phase() == Phase.SUCCEEDED || run.phase() == Phase.IGNORED;
                if (isDone && !dependsOnAgain) {
                    find(run.name())
                            .filter(child -> names.containsKey(child.name()))
                            .ifPresent(child -> reused.add(child.with(taken(child, created, names))));
                }
            }
        }
        return reused;
    }

    private Optional<Resource> find(String name) {
        return old.children().stream()
                .filter(child -> child.name().equals(name))
                .filter(child -> child.controller()
                        .filter(owner -> owner.uid().equals(old.run().uid()))
                        .isPresent())
                .findFirst();
    }

    /// What the children of the old run are called in the new one.
    private Map<String, String> names(Resource created) {
        var names = new LinkedHashMap<String, String>();
        for (var task : state.tasks()) {
            var suffix = "-" + task.name();
            names.put(ChildNames.of(old.run().name(), suffix), ChildNames.of(created.name(), suffix));
            for (int i = 0; task.isMatrix() && i < LARGEST_MATRIX; i++) {
                names.put(
                        ChildNames.of(old.run().name(), suffix + "-" + i),
                        ChildNames.of(created.name(), suffix + "-" + i));
            }
        }
        return names;
    }

    private Json.Obj taken(Resource child, Resource created, Map<String, String> names) {
        var labels = Json.Obj.ofStrings(child.labels())
                .with("tekton.dev/pipelineRun", Json.of(created.name()))
                .with("tekton.dev/pipelineRunUID", Json.of(created.uid()));
        var from = child.annotations().getOrDefault(RunStates.REUSED_FROM, old.id());
        var metadata = Json.Obj.builder()
                .put("name", names.getOrDefault(child.name(), child.name()))
                .put("namespace", created.namespace())
                .put("labels", labels)
                .put("annotations", Json.Obj.ofStrings(child.annotations()).with(RunStates.REUSED_FROM, Json.of(from)))
                .put("ownerReferences", Json.Arr.of(created.asOwner(true).json()));
        var spec =
                child.kind().equals("CustomRun") ? child.spec() : child.spec().with("managedBy", Json.of(MANAGER));
        return Json.Obj.builder()
                .put("apiVersion", child.apiVersion())
                .put("kind", child.kind())
                .put("metadata", metadata.build())
                .put("spec", spec)
                .put("status", child.status())
                .build();
    }
}
