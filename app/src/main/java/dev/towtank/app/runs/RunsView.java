package dev.towtank.app.runs;

import dev.towtank.app.client.TextTable;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.view.Elapsed;
import dev.towtank.app.run.view.RunState;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Timestamps;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Prints runs for people.
public final class RunsView {

    public enum Format {
        TABLE,
        JSON
    }

    private final AllRuns runs;
    private final PrintStream out;
    private final InstantSource clock;

    public RunsView(AllRuns runs, PrintStream out, InstantSource clock) {
        this.runs = runs;
        this.out = out;
        this.clock = clock;
    }

    public void list(RunFilter filter, Format format) throws IOException {
        var found = runs.list(filter);
        if (format == Format.JSON) {
            found.forEach(run -> out.println(JsonText.write(AllRuns.summary(run))));
            return;
        }
        if (found.isEmpty()) {
            out.println("No runs found.");
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("WHERE", "NAMESPACE", "KIND", "NAME", "PIPELINE", "STATUS", "STARTED", "TOOK"));
        found.forEach(run -> rows.add(row(run)));
        new TextTable().lines(rows).forEach(out::println);
    }

    private List<String> row(FoundRun run) {
        return List.of(
                run.where().word(),
                run.namespace(),
                run.kind(),
                run.id(),
                run.pipeline().isEmpty() ? "-" : run.pipeline(),
                word(run.state()),
                run.started()
                        .map(start -> Elapsed.text(Duration.between(start, clock.instant())) + " ago")
                        .orElse("-"),
                run.took().map(Elapsed::text).orElse("-"));
    }

    private static String word(FoundRun.State state) {
        var name = state.name().toLowerCase(Locale.ROOT);
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    public void show(FoundRun run) {
        line("Name", run.id());
        line("Kind", run.kind());
        line("Namespace", run.namespace());
        line("Where", run.where().word());
        line(run.kind().equals("TaskRun") ? "Task" : "Pipeline", run.pipeline());
        var state = word(run.state());
        line("Status", List.of("", state).contains(run.reason()) ? state : state + " (" + run.reason() + ")");
        line("Message", run.message());
        run.started().ifPresent(moment -> line("Started", Timestamps.seconds(moment)));
        run.took().ifPresent(time -> line("Took", Elapsed.text(time)));
        for (var param : run.object().objects("spec", "params")) {
            line("Param", param.string("name") + " = " + text(param, "value"));
        }
        for (var result : run.object().objects("status", "results")) {
            line("Result", result.string("name") + " = " + text(result, "value"));
        }
        var tasks = run.where() == FoundRun.Where.LOCAL && run.kind().equals("PipelineRun")
                ? runs.remembered(run).tasks()
                : List.<RunState.Task>of();
        if (tasks.isEmpty()) {
            for (var child : run.object().objects("status", "childReferences")) {
                line("Task", child.string("pipelineTaskName") + "  " + child.string("name"));
            }
        }
        new TextTable().lines(tasks.stream().flatMap(RunsView::rows).toList()).forEach(row -> line("Task", row));
    }

    private static Stream<List<String>> rows(RunState.Task task) {
        return task.runs().isEmpty()
                ? Stream.of(List.of(task.name(), task.phase().word(), "-", task.reason()))
                : task.runs().stream()
                        .map(run -> List.of(
                                RunState.label(task, run),
                                run.reusedFrom().isEmpty() ? run.phase().word() : "from " + run.reusedFrom(),
                                run.started()
                                        .flatMap(start ->
                                                run.finished().map(end -> Elapsed.text(Duration.between(start, end))))
                                        .orElse("-"),
                                why(run)));
    }

    private static String why(RunState.Run run) {
        if (!run.phase().isBad() && run.phase() != RunState.Phase.IGNORED) {
            return run.retries() == 0 ? "" : "at attempt " + (run.retries() + 1);
        }
        return run.culprit()
                .filter(step -> step.exitCode().isPresent())
                .map(step ->
                        "step " + step.name() + ": exit code " + step.exitCode().getAsInt())
                .orElse(run.message().isEmpty() ? run.reason() : run.message());
    }

    private static String text(Json.Obj object, String field) {
        var value = object.get(field);
        return value instanceof Json.Str(var text) ? text : value == null ? "" : JsonText.write(value);
    }

    private void line(String name, String value) {
        if (!value.isEmpty()) {
            out.printf(Locale.ROOT, "%-10s %s%n", name + ":", TextTable.cell(value));
        }
    }

    /// Of one that is remembered.
    ///
    /// @param steps only these; all, if empty
    /// @param tail only so many lines of each step, the last ones; all, if negative
    /// @throws BadInput it has none of these steps
    public void logs(FoundRun run, List<String> steps, int tail) throws IOException, InterruptedException {
        var there = runs.remembered(run).steps();
        if (!steps.isEmpty() && steps.stream().noneMatch(there::contains)) {
            throw new BadInput(run.id() + " has no step " + String.join(" or ", steps) + ". There are: "
                    + String.join(", ", there) + ".");
        }
        var last = new LinkedHashMap<String, ArrayDeque<String>>();
        runs.log(run, line -> {
            if (!steps.isEmpty() && steps.stream().noneMatch(step -> isOf(line, Optional.empty(), Optional.of(step)))) {
                return;
            }
            if (tail < 0) {
                out.println(line);
                return;
            }
            var lines = last.computeIfAbsent(line.substring(0, line.indexOf(']') + 1), _ -> new ArrayDeque<>());
            lines.add(line);
            if (lines.size() > tail) {
                lines.removeFirst();
            }
        });
        last.values().forEach(lines -> lines.forEach(out::println));
    }

    public void logs(FoundRun run, Optional<String> task, Optional<String> step)
            throws IOException, InterruptedException {
        runs.log(run, line -> {
            if (isOf(line, task, step)) {
                out.println(line);
            }
        });
    }

    /// Lines begin with `[task : step] ` or, of a run of one task, with `[step] `. Behind the name of the task may be
    /// the
    /// values of its combination and the attempt.
    private static boolean isOf(String line, Optional<String> task, Optional<String> step) {
        int end = line.indexOf(']');
        var names = line.startsWith("[") && end > 0 ? line.substring(1, end).split(" : ", 2) : new String[] {""};
        return task.map(wanted -> names.length < 2 || names[0].split("[, ]", 2)[0].equals(wanted))
                        .orElse(true)
                && step.map(wanted -> names[names.length - 1].equals(wanted)).orElse(true);
    }

    /// @return whether there was one
    public boolean search(RunFilter filter, String wanted, Optional<String> task, Optional<String> step)
            throws IOException, InterruptedException {
        var found = new ArrayList<String>();
        for (var run : runs.list(filter)) {
            runs.log(run, line -> {
                if (line.contains(wanted) && isOf(line, task, step)) {
                    out.println(run.id() + "  " + line);
                    found.add(run.id());
                }
            });
        }
        return !found.isEmpty();
    }

    public void stats(RunFilter filter) throws IOException {
        var groups = new TreeMap<String, List<FoundRun>>();
        for (var run : runs.list(filter)) {
            var name = run.pipeline().isEmpty() ? "(none)" : run.pipeline();
            groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(run);
        }
        if (groups.isEmpty()) {
            out.println("No runs found.");
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("PIPELINE", "RUNS", "SUCCEEDED", "FAILED", "OTHERS", "MEDIAN", "P95", "LONGEST"));
        groups.forEach((name, all) -> rows.add(statistics(name, all)));
        new TextTable().lines(rows).forEach(out::println);
    }

    private static List<String> statistics(String name, List<FoundRun> all) {
        long good = all.stream()
                .filter(run -> run.state() == FoundRun.State.SUCCEEDED)
                .count();
        long bad =
                all.stream().filter(run -> run.state() == FoundRun.State.FAILED).count();
        var times = all.stream().flatMap(run -> run.took().stream()).sorted().toList();
        return List.of(
                name,
                String.valueOf(all.size()),
                good + " (" + Math.round(100.0 * good / all.size()) + "%)",
                String.valueOf(bad),
                String.valueOf(all.size() - good - bad),
                at(times, 0.5),
                at(times, 0.95),
                at(times, 1));
    }

    private static String at(List<Duration> sorted, double part) {
        return sorted.isEmpty() ? "-" : Elapsed.text(sorted.get((int) Math.ceil(part * sorted.size()) - 1));
    }
}
