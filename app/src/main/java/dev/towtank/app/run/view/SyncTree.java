package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.model.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A sync that runs, as a tree by phases and waves: what is done, what is waited for, what is still to come.
///
/// @param application as the server tells it now
public record SyncTree(Json.Obj application) {

    private static final int ROWS_AROUND = 4;

    private record Leaf(String title, Phase phase, String message, Optional<Instant> began, Optional<Instant> ended) {}

    private record Branch(String title, List<Leaf> leaves) {
        Phase phase() {
            for (var phase : List.of(Phase.FAILED, Phase.RUNNING)) {
                if (leaves.stream().anyMatch(leaf -> leaf.phase == phase)) {
                    return phase;
                }
            }
            return leaves.stream().allMatch(leaf -> leaf.phase.isOver()) ? Phase.SUCCEEDED : Phase.WAITING;
        }
    }

    /// Within the size of a terminal.
    public List<String> lines(Style style, int width, int height, Instant now) {
        var branches = branches();
        var leaves =
                branches.stream().flatMap(branch -> branch.leaves().stream()).toList();
        long done = leaves.stream().filter(leaf -> leaf.phase.isOver()).count();
        var lines = new ArrayList<String>();
        lines.add(style.bold(application.string("metadata", "name")) + "  "
                + style.bar(done, leaves.size(), 24, leaves.stream().anyMatch(leaf -> leaf.phase == Phase.FAILED))
                + "  " + done + " of " + leaves.size());
        for (var branch : branches) {
            lines.addAll(lines(branch, style, now));
        }
        int room = Math.max(3, height - ROWS_AROUND);
        return (lines.size() > room ? windowed(lines, branches, style, now, room) : lines)
                .stream()
                        .map(line -> Columns.cut(line, Math.max(1, width - 1), style.ellipsis()))
                        .toList();
    }

    /// Where there is no room for all, what is over and what is to come are a line each.
    private static List<String> windowed(
            List<String> lines, List<Branch> branches, Style style, Instant now, int room) {
        var fewer = new ArrayList<String>();
        fewer.add(lines.getFirst());
        long over = branches.stream()
                .filter(branch -> branch.phase() == Phase.SUCCEEDED)
                .count();
        if (over > 0) {
            fewer.add("  " + style.mark(Phase.SUCCEEDED) + " " + style.dim(steps(over) + " over"));
        }
        branches.stream()
                .filter(branch -> branch.phase() == Phase.RUNNING || branch.phase() == Phase.FAILED)
                .forEach(branch -> fewer.addAll(lines(branch, style, now)));
        long waiting = branches.stream()
                .filter(branch -> branch.phase() == Phase.WAITING)
                .count();
        if (waiting > 0) {
            fewer.add("  " + style.mark(Phase.WAITING) + " " + style.dim(steps(waiting) + " to come"));
        }
        return fewer.subList(0, Math.min(room, fewer.size()));
    }

    private static String steps(long count) {
        return count == 1 ? "1 step is" : count + " steps are";
    }

    private static List<String> lines(Branch branch, Style style, Instant now) {
        var phase = branch.phase();
        var title = "  " + style.mark(phase) + " " + Columns.pad(branch.title(), 14);
        if (phase == Phase.SUCCEEDED || phase == Phase.WAITING) {
            var names = branch.leaves().stream().map(Leaf::title).collect(Collectors.joining(", "));
            return List.of(title + style.dim(names));
        }
        var lines = new ArrayList<String>();
        lines.add(title);
        for (var leaf : branch.leaves()) {
            var time = Elapsed.between(leaf.began(), leaf.ended(), now);
            lines.add("      " + style.mark(leaf.phase()) + " " + style.paint(leaf.phase(), leaf.title()) + "  "
                    + (leaf.phase() == Phase.RUNNING || leaf.phase() == Phase.FAILED ? leaf.message() + "  " : "")
                    + style.dim(time));
        }
        return lines;
    }

    private List<Branch> branches() {
        var status = application.object("status");
        var resources = byPlace(status.objects("resources"));
        var results = status.objects("operationState", "syncResult", "resources");
        boolean hasSucceeded = status.string("operationState", "phase").equals("Succeeded");
        // Results are in the order in which things were done.
        var branches = new ArrayList<Branch>();
        for (var result : results) {
            var resource = resources.getOrDefault(place(result), Json.Obj.EMPTY);
            var title = title(result, resource.integer("syncWave"));
            if (branches.isEmpty() || !branches.getLast().title().equals(title)) {
                branches.add(new Branch(title, new ArrayList<>()));
            }
            branches.getLast().leaves().add(leaf(result, resource, hasSucceeded));
        }
        byPlace(results).keySet().forEach(resources::remove);
        var later = new TreeMap<Long, List<Leaf>>();
        for (var resource : resources.values()) {
            // A hook that is there and not among the results is one of an earlier sync.
            if (!resource.flag("requiresPruning") && !resource.flag("hook")) {
                later.computeIfAbsent(resource.integer("syncWave"), _ -> new ArrayList<>())
                        .add(new Leaf(title(resource), Phase.WAITING, "", Optional.empty(), Optional.empty()));
            }
        }
        later.forEach((wave, leaves) -> branches.add(new Branch("wave " + wave, leaves)));
        return branches;
    }

    private static Map<List<String>, Json.Obj> byPlace(List<Json.Obj> entries) {
        var found = new LinkedHashMap<List<String>, Json.Obj>();
        entries.forEach(each -> found.putIfAbsent(place(each), each));
        return found;
    }

    private static List<String> place(Json.Obj entry) {
        return List.of(entry.string("group"), entry.string("kind"), entry.string("namespace"), entry.string("name"));
    }

    private static String title(Json.Obj result, long wave) {
        var phase = result.string("syncPhase");
        return !phase.equals("Sync") ? phase : result.string("hookType").isEmpty() ? "wave " + wave : "hook";
    }

    private static String title(Json.Obj entry) {
        return entry.string("kind") + " " + entry.string("name");
    }

    private static Leaf leaf(Json.Obj result, Json.Obj resource, boolean hasSucceeded) {
        var phase = switch (result.string("hookPhase")) {
            // Nobody waits for the last ones, whose results stay as they were.
            case "Running" -> hasSucceeded ? Phase.SUCCEEDED : Phase.RUNNING;
            case "Failed", "Error" -> Phase.FAILED;
            default -> Phase.SUCCEEDED;
        };
        var health = resource.string("health", "message").isEmpty()
                ? result.string("message")
                : resource.string("health", "message");
        return new Leaf(
                title(result),
                phase,
                Columns.plain(health.lines().findFirst().orElse("")),
                time(result, "startedAt"),
                time(result, "finishedAt"));
    }

    private static Optional<Instant> time(Json.Obj result, String field) {
        try {
            return result.string(field).isEmpty() ? Optional.empty() : Optional.of(Instant.parse(result.string(field)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
