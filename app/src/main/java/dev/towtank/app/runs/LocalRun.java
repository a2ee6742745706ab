package dev.towtank.app.runs;

import dev.towtank.app.run.history.KeptRun;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.view.RunState;
import dev.towtank.app.run.view.RunStates;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A run of `towtank run` that is remembered, with what it was made of, in the order in which it happened.
final class LocalRun {
    private static final Pattern RETRY = Pattern.compile("(.+)-retry-(\\d{1,4})");

    private final Path logs;
    private final Json.Obj run;
    private final RunState state;

    LocalRun(RunDirectory directory) {
        var kept = new KeptRun(directory);
        this.logs = directory.logs();
        this.run = kept.run();
        this.state = new RunStates(
                        Resource.of(run),
                        kept.children().stream().map(Resource::of).toList(),
                        Json.Obj.EMPTY,
                        _ -> false)
                .state();
    }

    /// What one step has written.
    ///
    /// @param task with the values of its combination, and the attempt where it is not the first
    record Log(String task, String step, Path file) {}

    List<RunState.Task> tasks() {
        return state.tasks();
    }

    List<Log> logs() throws IOException {
        var logs = new ArrayList<Log>();
        var seen = new LinkedHashSet<Path>();
        for (var place : places()) {
            for (var file : files(place, seen)) {
                logs.add(new Log(place.task, step(file), file));
            }
        }
        for (var folder : entries(this.logs)) {
            var task = taskName(folder.getFileName().toString());
            for (var file : files(new Place(task, folder, List.of()), seen)) {
                logs.add(new Log(task, step(file), file));
            }
        }
        return logs;
    }

    /// Of every step, also of those that never ran.
    Set<String> steps() throws IOException {
        var steps = new LinkedHashSet<String>();
        runs().forEach(owned -> owned.run.steps().forEach(step -> steps.add(step.name())));
        logs().forEach(log -> steps.add(log.step));
        return steps;
    }

    private record Owned(RunState.Task task, RunState.Run run) {}

    /// By their beginnings; what began at once, in the order of the pipeline.
    private List<Owned> runs() {
        return state.tasks().stream()
                .flatMap(task -> task.runs().stream().map(run -> new Owned(task, run)))
                .sorted(Comparator.comparing(owned -> owned.run.started().orElse(Instant.MAX)))
                .toList();
    }

    /// Where the logs of an attempt are, and the order of its steps.
    private record Place(String task, Path folder, List<String> steps) {}

    private List<Place> places() {
        var places = new ArrayList<Place>();
        for (var owned : runs()) {
            var run = owned.run;
            // Brackets end the name of a task where lines are looked through for it.
            var task = RunState.label(owned.task, run).replace('[', '(').replace(']', ')');
            for (int i = 0; i <= run.retries(); i++) {
                var steps = i < run.retries() ? run.attempts().get(i).steps() : run.steps();
                places.add(new Place(
                        i == 0 ? task : task + ", attempt " + (i + 1),
                        logs.resolve(i == 0 ? run.name() : run.name() + "-retry-" + i),
                        steps.stream().map(RunState.Step::name).toList()));
            }
        }
        return places;
    }

    /// Those of steps, and then those of sidecars.
    private List<Path> files(Place place, Set<Path> seen) throws IOException {
        var there = entries(place.folder);
        return Stream.concat(
                        place.steps.stream()
                                .map(step -> place.folder.resolve(step + ".log"))
                                .filter(there::contains),
                        there.stream())
                .filter(seen::add)
                .toList();
    }

    /// @param log the name of a TaskRun; of a further attempt with `-retry-N` behind it
    private String taskName(String log) {
        var retry = RETRY.matcher(log);
        return retry.matches()
                ? ofTaskRun(retry.group(1)) + ", attempt " + (Integer.parseInt(retry.group(2)) + 1)
                : ofTaskRun(log);
    }

    private String ofTaskRun(String taskRun) {
        return run.objects("status", "childReferences").stream()
                .filter(child -> child.string("name").equals(taskRun))
                .map(child -> child.string("pipelineTaskName"))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(taskRun);
    }

    private static String step(Path file) {
        return file.getFileName().toString().replaceFirst("\\.log$", "");
    }

    private static List<Path> entries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var entries = Files.list(directory)) {
            return entries.filter(path -> !Files.isSymbolicLink(path)).sorted().toList();
        }
    }
}
