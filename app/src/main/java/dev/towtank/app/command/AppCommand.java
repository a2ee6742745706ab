package dev.towtank.app.command;

import dev.towtank.app.applications.AppExplanation;
import dev.towtank.app.applications.Applications;
import dev.towtank.app.applications.Surrounding;
import dev.towtank.app.applications.Waiting;
import dev.towtank.app.client.TextTable;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.report.SyncPage;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.model.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Applications of a server: how they stand, and what to do about it. Ends with 1 when a sync failed or did not end.
@Command(
        name = "app",
        description = {
            "Shows Applications, what a sync of them would do, and what holds them up; and syncs them.",
            "",
            "render, diff and plan of a file need no server: they read the repository that the file lies in as it is there."
                    + " diff compares with what is committed, plan tries everything on an empty server of its own. Of a name,"
                    + " both are about what lives on the server."
        },
        sortOptions = false)
final class AppCommand implements Callable<Integer> {

    enum Action {
        LIST,
        GET,
        RENDER,
        DIFF,
        PLAN,
        EXPLAIN,
        SYNC,
        WAIT,
        HISTORY,
        REPORT,
        ROLLBACK,
        TERMINATE
    }

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description =
                    "list, or get, render, diff, plan, explain, sync, wait, history, report, rollback or terminate"
                            + " APPLICATION.")
    private Action action = Action.LIST;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "APPLICATION",
            description = {
                "The name of an Application on a server, or, for all that changes nothing, files with some."
                        + " Of plan also files without any: what is there before.",
                "Of rollback also the number of an entry of its history (default: the one before the last)."
            })
    private List<String> words = new ArrayList<>();

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

    @Option(
            names = "--repository",
            paramLabel = "DIRECTORY",
            description = "Of render, diff and plan: the folder in place of the repository that the Application names.")
    private @Nullable Path repository;

    @Option(
            names = "--against",
            paramLabel = "REVISION",
            description = "Of diff with a file: what it is compared with (default: what is committed).")
    private String against = "";

    @Option(names = "--prune", description = "Of sync and plan: deletes what is in Git no longer.")
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
        if (words.isEmpty() || !AppPreview.isFile(words.getFirst())) {
            return ofServer();
        }
        for (var word : words) {
            if (!AppPreview.isFile(word)) {
                throw new Failure(
                        word + " is the name of no file: files and Applications of a server are shown one kind at a"
                                + " time.");
            }
        }
        var files = words.stream().map(Path::of).toList();
        return action == Action.PLAN ? plan(files) : worst(files, this::ofFile);
    }

    /// Files without an Application hold what is there before.
    private int plan(List<Path> files) {
        var contents = files.stream().collect(Collectors.toMap(file -> file, AppPreview::read, (one, _) -> one));
        var planned = files.stream()
                .filter(file -> contents.getOrDefault(file, List.of()).stream().anyMatch(AppPreview::isApplication))
                .toList();
        var given = files.stream()
                .filter(file -> !planned.contains(file))
                .flatMap(file -> contents.getOrDefault(file, List.of()).stream())
                .toList();
        return worst(planned.isEmpty() ? files : planned, file -> preview().planFiles(file, given));
    }

    private static int worst(List<Path> files, ToIntFunction<Path> look) {
        return files.stream().mapToInt(look).max().orElse(ExitCode.OK);
    }

    private AppPreview preview() {
        var machine = server.isNamed() ? Optional.<DataDirectory>empty() : Optional.of(server.directory(surroundings));
        return new AppPreview(
                surroundings, new AppPreview.Wishes(Optional.ofNullable(repository), against, prune, machine));
    }

    private int ofFile(Path file) {
        switch (action) {
            case RENDER -> {
                return preview().render(AppPreview.applications(file), Optional.of(file));
            }
            case DIFF -> {
                return preview().diffFiles(file);
            }
            case LIST -> list(AppPreview.applications(file));
            case REPORT ->
                AppPreview.applications(file)
                        .forEach(each -> surroundings
                                .text()
                                .print(SyncPage.of(
                                        each,
                                        AppExplanation.of(
                                                each,
                                                Surrounding.NOTHING,
                                                surroundings.clock().instant()))));
            case GET -> AppPreview.applications(file).forEach(this::get);
            case HISTORY -> AppPreview.applications(file).forEach(this::history);
            case EXPLAIN ->
                AppPreview.applications(file)
                        .forEach(each -> tell(AppExplanation.of(
                                each, Surrounding.NOTHING, surroundings.clock().instant())));
            default -> throw new Failure(word(action) + " needs a server: name the Application as it is called there.");
        }
        return ExitCode.OK;
    }

    private static String word(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    /// One Application; of rollback, a number may follow.
    private void checkWords() {
        int most = action == Action.ROLLBACK ? 2 : 1;
        if (words.size() > most) {
            throw new Failure(
                    word(action) + " is about one Application at a time: '" + words.get(most) + "' is one too many.");
        }
    }

    private int ofServer() {
        checkWords();
        try (var client = server.connect(surroundings)) {
            var applications = new Applications(client, namespace);
            if (action == Action.LIST) {
                list(applications.list());
                return ExitCode.OK;
            }
            if (words.isEmpty()) {
                throw new Failure(
                        "Which Application? For those there are: " + surroundings.programName() + " app list");
            }
            var application = words.getFirst();
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
            case RENDER -> {
                return preview().render(List.of(found), Optional.empty());
            }
            case DIFF -> {
                try (var cluster = RemoteCluster.of(server.file(surroundings), Optional.empty())) {
                    return preview().diffLive(found, cluster);
                }
            }
            case PLAN -> {
                try (var cluster = RemoteCluster.of(server.file(surroundings), Optional.empty())) {
                    return preview().planLive(found, cluster);
                }
            }
            case EXPLAIN -> explain(applications, found);
            case HISTORY -> history(found);
            case REPORT -> surroundings.text().print(SyncPage.of(found, explanation(applications, found)));
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

    private Optional<Long> id() {
        if (words.size() < 2) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.valueOf(words.get(1)));
        } catch (NumberFormatException e) {
            throw new Failure("'" + words.get(1) + "' is no number of an entry in a history; see '"
                    + surroundings.programName() + " app history " + words.getFirst() + "'.");
        }
    }

    private Json.Obj past(Json.Obj found) {
        var history = found.objects("status", "history");
        var id = id();
        var entry = id.isEmpty()
                ? history.stream()
                        .skip(Math.max(0, history.size() - 2))
                        .findFirst()
                        .filter(_ -> history.size() > 1)
                : history.stream()
                        .filter(each -> each.integer("id") == id.get())
                        .findFirst();
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

    private void tell(List<String> sentences) {
        print(Screen.prose(
                surroundings, sentences.stream().map(surroundings::typeable).toList()));
    }

    private static String text(Json.Obj object, String... path) {
        var text = object.string(path);
        return text.isEmpty() ? "-" : text;
    }

    private void list(List<Json.Obj> applications) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "SYNC", "HEALTH", "OPERATION", "DESTINATION"));
        for (var each : applications) {
            rows.add(List.of(
                    each.string("metadata", "name"),
                    text(each, "status", "sync", "status"),
                    text(each, "status", "health", "status"),
                    text(each, "status", "operationState", "phase"),
                    text(each, "spec", "destination", "namespace")));
        }
        print(new TextTable().lines(rows));
    }

    private void get(Json.Obj found) {
        var rows = new ArrayList<List<String>>();
        // What is looked for first, so that a narrow terminal cuts it last.
        rows.add(List.of("WAVE", "SYNC", "HEALTH", "KIND", "NAME", "MESSAGE"));
        found.objects("status", "resources").stream()
                .sorted((one, other) -> Long.compare(one.integer("syncWave"), other.integer("syncWave")))
                .forEach(each -> rows.add(List.of(
                        String.valueOf(each.integer("syncWave")),
                        each.flag("hook") ? "hook" : text(each, "status"),
                        text(each, "health", "status"),
                        each.string("kind"),
                        each.string("name"),
                        each.string("health", "message").lines().findFirst().orElse(""))));
        print(Screen.table(surroundings, new TextTable().lines(rows)));
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
        tell(explanation(applications, found));
    }

    private List<String> explanation(Applications applications, Json.Obj found) {
        return AppExplanation.of(
                found, applications.surrounding(found), surroundings.clock().instant());
    }

    /// Shows each step, and in the end why it ended so.
    ///
    /// @param before when the last operation began, which is not the one that is waited for
    private int await(Applications applications, String name, String before) {
        var end = surroundings.clock().instant().plus(Duration.ofSeconds(timeout));
        Waiting.Ending ending;
        try (var screen = Screen.sync(surroundings)) {
            ending = new Waiting(applications, name, before)
                    .until(end, surroundings.clock(), screen, found -> explanation(applications, found));
        }
        var last = ending.application().orElseThrow(() -> new Failure("The Application " + name + " is gone."));
        explain(applications, last);
        if (!ending.isOver()) {
            tell(List.of("Not waited for any longer than " + timeout + " s; the sync goes on. 'towtank app wait " + name
                    + " --timeout SECONDS' waits again."));
        }
        return ending.isGood() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
