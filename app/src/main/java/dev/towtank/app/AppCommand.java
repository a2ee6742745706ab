package dev.towtank.app;

import dev.towtank.app.applications.AppExplanation;
import dev.towtank.app.applications.Applications;
import dev.towtank.app.client.TextTable;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Applications of a server: how they stand, and what to do about it. Ends with 1 when a sync failed or did not end.
@Command(
        name = "app",
        description = "Shows the Applications of a server, explains what holds them up, and syncs them.",
        sortOptions = false)
final class AppCommand implements Callable<Integer> {

    enum Action {
        LIST,
        GET,
        EXPLAIN,
        SYNC,
        WAIT,
        HISTORY,
        ROLLBACK,
        TERMINATE
    }

    private static final Set<String> BAD = Set.of("Failed", "Error");

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description = "list, or get, explain, sync, wait, history, rollback or terminate APPLICATION.")
    private Action action = Action.LIST;

    @Parameters(index = "1", arity = "0..1", paramLabel = "APPLICATION", description = "The name of an Application.")
    private @Nullable String application;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "ID",
            description = "Of rollback: which entry of its history (default: the one before the last).")
    private @Nullable Long id;

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = "--app-namespace",
            paramLabel = "NAME",
            defaultValue = "argocd",
            description = "Where Applications are (default: ${DEFAULT-VALUE}).")
    private String namespace = "argocd";

    @Option(
            names = "--revision",
            paramLabel = "REVISION",
            description = "Of sync: to another revision than the newest.")
    private @Nullable String revision;

    @Option(names = "--prune", description = "Of sync: deletes what is in Git no longer.")
    private boolean prune;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "Of sync and wait: explains and gives up after so long (default: ${DEFAULT-VALUE}).")
    private int timeout = 120;

    AppCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var client = server.connect(surroundings)) {
            var applications = new Applications(client, namespace);
            if (action == Action.LIST) {
                return list(applications);
            }
            if (application == null) {
                throw new Failure(
                        "Which Application? For those there are: " + surroundings.programName() + " app list");
            }
            var found = applications
                    .find(application)
                    .orElseThrow(() -> new Failure("There is no Application " + application + " in the namespace "
                            + namespace + ". For those there are: " + surroundings.programName() + " app list"));
            return act(applications, found);
        }
    }

    private int act(Applications applications, Json.Obj found) {
        var name = found.string("metadata", "name");
        switch (action) {
            case LIST, GET -> get(found);
            case EXPLAIN -> explain(applications, found);
            case HISTORY -> history(found);
            case TERMINATE -> applications.terminate(name);
            case WAIT -> {
                return await(applications, name, "");
            }
            case SYNC -> {
                var sync = Json.Obj.builder().putNonEmpty("revision", revision == null ? "" : revision);
                if (prune) {
                    sync.put("prune", true);
                }
                return operated(applications, found, sync.build());
            }
            case ROLLBACK -> {
                return operated(applications, found, past(found));
            }
        }
        return ExitCode.OK;
    }

    private int operated(Applications applications, Json.Obj found, Json.Obj sync) {
        var name = found.string("metadata", "name");
        var options = found.array("spec", "syncPolicy", "syncOptions");
        applications.operate(
                name,
                Json.Obj.of(
                        "sync",
                        options.size() == 0 ? sync : sync.with("syncOptions", options),
                        "initiatedBy",
                        Json.Obj.of("username", Json.of("towtank"))));
        return await(applications, name, found.string("status", "operationState", "startedAt"));
    }

    private Json.Obj past(Json.Obj found) {
        var history = found.objects("status", "history");
        var entry = id == null
                ? history.stream()
                        .skip(Math.max(0, history.size() - 2))
                        .findFirst()
                        .filter(_ -> history.size() > 1)
                : history.stream().filter(each -> each.integer("id") == id).findFirst();
        var chosen = entry.orElseThrow(() -> new Failure("There is no such entry in its history; see '"
                + surroundings.programName() + " app history " + found.string("metadata", "name") + "'."));
        if (found.object("spec", "syncPolicy").has("automated")) {
            throw new Failure("Rollback is not possible while automated sync is on: it would be undone at once. Take"
                    + " spec.syncPolicy.automated away first, or revert in Git.");
        }
        var sync = Json.Obj.builder().put("prune", true);
        for (var field : List.of("revision", "revisions", "source", "sources")) {
            var value = chosen.get(field);
            if (value != null && !(field.equals("revision") && chosen.has("revisions"))) {
                sync.put(field, value);
            }
        }
        return sync.build();
    }

    private void print(List<String> lines) {
        lines.forEach(line -> surroundings.text().println(line));
    }

    private static String text(Json.Obj object, String... path) {
        var text = object.string(path);
        return text.isEmpty() ? "-" : text;
    }

    private int list(Applications applications) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "SYNC", "HEALTH", "OPERATION", "DESTINATION"));
        for (var each : applications.list()) {
            rows.add(List.of(
                    each.string("metadata", "name"),
                    text(each, "status", "sync", "status"),
                    text(each, "status", "health", "status"),
                    text(each, "status", "operationState", "phase"),
                    text(each, "spec", "destination", "namespace")));
        }
        print(new TextTable().lines(rows));
        return ExitCode.OK;
    }

    private void get(Json.Obj found) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("WAVE", "KIND", "NAME", "SYNC", "HEALTH", "MESSAGE"));
        found.objects("status", "resources").stream()
                .sorted((one, other) -> Long.compare(one.integer("syncWave"), other.integer("syncWave")))
                .forEach(each -> rows.add(List.of(
                        String.valueOf(each.integer("syncWave")),
                        each.string("kind"),
                        each.string("name"),
                        text(each, "status"),
                        text(each, "health", "status"),
                        each.string("health", "message").lines().findFirst().orElse(""))));
        print(new TextTable().lines(rows));
    }

    private void history(Json.Obj found) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("ID", "DEPLOYED", "REVISION"));
        found.objects("status", "history")
                .forEach(each -> rows.add(List.of(
                        String.valueOf(each.integer("id")), each.string("deployedAt"), each.string("revision"))));
        print(new TextTable().lines(rows));
    }

    private void explain(Applications applications, Json.Obj found) {
        print(AppExplanation.of(
                found, applications.surrounding(found), surroundings.clock().instant()));
    }

    /// Tells each step, and in the end why it ended so.
    ///
    /// @param before when the last operation began, which is not the one that is waited for
    private int await(Applications applications, String name, String before) {
        var end = surroundings.clock().instant().plus(Duration.ofSeconds(timeout));
        var told = new ArrayList<>(List.of(""));
        while (surroundings.clock().instant().isBefore(end)) {
            applications.follow(name, seen -> {
                var line = line(seen);
                if (!line.equals(told.getLast()) && !line.isEmpty()) {
                    told.add(line);
                    surroundings.text().println("  " + line);
                }
                return !isOver(seen, before) && surroundings.clock().instant().isBefore(end);
            });
            var now = applications.find(name);
            if (now.isEmpty()) {
                throw new Failure("The Application " + name + " is gone.");
            }
            if (isOver(now.get(), before)) {
                explain(applications, now.get());
                return BAD.contains(now.get().string("status", "operationState", "phase")) || hasErrors(now.get())
                        ? ExitCode.SOFTWARE
                        : ExitCode.OK;
            }
        }
        applications.find(name).ifPresent(now -> explain(applications, now));
        return ExitCode.SOFTWARE;
    }

    private static String line(Json.Obj application) {
        return application
                .string("status", "operationState", "message")
                .lines()
                .findFirst()
                .orElse("");
    }

    private static boolean hasErrors(Json.Obj application) {
        return application.objects("status", "conditions").stream()
                .anyMatch(each -> each.string("type").endsWith("Error"));
    }

    private static boolean isOver(Json.Obj application, String before) {
        var state = application.object("status", "operationState");
        if (hasErrors(application) && !state.string("phase").equals("Running")) {
            return true;
        }
        if (application.has("operation")
                || (!before.isEmpty() && state.string("startedAt").equals(before))) {
            return false;
        }
        return BAD.contains(state.string("phase"))
                || (state.string("phase").equals("Succeeded")
                        && application.string("status", "sync", "status").equals("Synced")
                        && application.string("status", "health", "status").equals("Healthy"))
                || (state.string("phase").equals("Succeeded") && !before.isEmpty());
    }
}
