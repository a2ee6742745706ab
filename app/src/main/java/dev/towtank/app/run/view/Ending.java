package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The last words about a run: what failed and why, its results, and what to type next. Pure.
public record Ending(Style style) {

    private static final int FAILED_LINES = 12;

    /// What to type next.
    public record Hint(String what, String command) {}

    /// A step that ended badly.
    public record Culprit(Task task, Run run, Optional<Step> step) {}

    /// What the run failed of, first things first.
    public static List<Culprit> culprits(RunState state) {
        var culprits = new ArrayList<Culprit>();
        for (var task : state.tasks()) {
            for (var run : task.runs()) {
                if (run.phase() == Phase.FAILED || run.phase() == Phase.TIMED_OUT) {
                    culprits.add(new Culprit(task, run, run.culprit()));
                }
            }
        }
        return culprits;
    }

    public List<String> lines(RunState state, List<LogLine> log, List<Hint> hints, Instant now) {
        var lines = new ArrayList<String>();
        var culprits = state.phase() == Phase.SUCCEEDED ? List.<Culprit>of() : culprits(state);
        for (var culprit : culprits) {
            lines.addAll(of(culprit, log));
            lines.add("");
        }
        boolean isTold = culprits.stream().map(Ending::why).anyMatch(state.message()::equals);
        lines.add(outcome(state, now) + (isTold ? "" : reason(state)));
        var facts = new ArrayList<Hint>();
        for (var result : state.results()) {
            facts.add(new Hint("result", result.getKey() + " = " + value(result.getValue())));
        }
        facts.addAll(hints);
        int width = facts.stream().mapToInt(fact -> fact.what().length()).max().orElse(0);
        facts.forEach(fact -> lines.add("  " + style.dim(Columns.pad(fact.what(), width)) + "  " + fact.command()));
        return lines;
    }

    private static String value(Json json) {
        return json.display().strip().replace("\n", "\\n");
    }

    private List<String> of(Culprit culprit, List<LogLine> log) {
        var lines = new ArrayList<String>();
        var name = RunState.label(culprit.task(), culprit.run());
        var step = culprit.step().map(Step::name);
        var own = log.stream()
                .filter(line -> line.run().equals(culprit.run().name()))
                .filter(line -> line.pod().equals(culprit.run().pod()))
                .filter(line -> step.isEmpty() || line.step().equals(step.get()))
                .toList();
        lines.add("  "
                + style.bold(name
                        + step.map(text -> " " + style.arrow() + " " + text).orElse("")) + "  "
                + style.paint(Phase.FAILED, why(culprit)));
        own.subList(Math.max(0, own.size() - FAILED_LINES), own.size())
                .forEach(line -> lines.add("  " + style.rail() + " " + Columns.plain(line.text())));
        return lines;
    }

    private static String why(Culprit culprit) {
        var run = culprit.run();
        if (run.phase() == Phase.TIMED_OUT) {
            return run.message().isEmpty() ? "timed out" : run.message();
        }
        return culprit.step()
                .filter(step -> step.exitCode().isPresent())
                .map(step -> step.phase() == Phase.TIMED_OUT
                        ? "timed out"
                        : "exit code " + step.exitCode().getAsInt())
                .orElse(run.message().isEmpty() ? run.reason() : run.message());
    }

    private String outcome(RunState state, Instant now) {
        var time = Elapsed.between(state.started(), state.finished(), now);
        return switch (state.phase()) {
            case SUCCEEDED -> style.paint(state.phase(), style.bold("Succeeded")) + " in " + time;
            case CANCELLED -> style.paint(state.phase(), style.bold("Cancelled")) + " after " + time;
            case TIMED_OUT -> style.paint(state.phase(), style.bold("Timed out")) + " after " + time;
            case FAILED, IGNORED, SKIPPED, WAITING, RUNNING ->
                style.paint(Phase.FAILED, style.bold("Failed")) + " after " + time;
        };
    }

    private static String reason(RunState state) {
        return switch (state.phase()) {
            case SUCCEEDED, CANCELLED -> "";
            case TIMED_OUT -> ": " + state.message();
            case FAILED, IGNORED, SKIPPED, WAITING, RUNNING -> ": " + summary(state);
        };
    }

    private static String summary(RunState state) {
        long failed =
                state.tasks().stream().filter(task -> task.phase().isBad()).count();
        if (state.kind().equals("TaskRun") || failed == 0) {
            return firstLower(state.message().isEmpty() ? state.reason() : state.message());
        }
        long skipped = state.tasks().stream()
                .filter(task -> task.phase() == Phase.SKIPPED)
                .count();
        return failed + " of " + state.tasks().size() + " tasks failed"
                + (skipped > 0 ? ", " + skipped + " did not run" : "");
    }

    private static String firstLower(String text) {
        return text.length() > 1 && Character.isLowerCase(text.charAt(1))
                ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1)
                : text;
    }
}
