package dev.towtank.app.command;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.runs.AllRuns;
import dev.towtank.app.runs.FoundRun;
import dev.towtank.app.runs.RunFilter;
import dev.towtank.app.runs.RunsView;
import dev.towtank.app.runs.ServerRuns;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Finds runs wherever they are: on the server, in its archive, and on this machine.
@Command(
        name = "runs",
        description = {
            "Lists, shows and searches runs: of the server, of its archive, and those of 'towtank run'.",
            "For example: 'runs --since 7d --status failed', 'runs logs build-1', 'runs search \"out of memory\"'."
        },
        sortOptions = false)
final class RunsCommand implements Callable<Integer> {

    enum Action {
        LIST,
        SHOW,
        LOGS,
        REPORT,
        SEARCH,
        STATS,
        RM
    }

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description =
                    "list, show RUN, logs RUN, report RUN, search TEXT, stats or rm RUN (default: ${DEFAULT-VALUE}).")
    private Action action = Action.LIST;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RUN|TEXT",
            description = "A run by its name (pr/NAME or tr/NAME where it matters) or 'last'; or a text to search for.")
    private @Nullable String argument;

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Of all namespaces.")
    private boolean all;

    @Option(names = "--since", paramLabel = "TIME", description = "Only what began in this time, such as 7d or 2h30m.")
    private @Nullable String since;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only what is so: succeeded, failed, timeout, cancelled or running.")
    private FoundRun.@Nullable State status;

    @Option(
            names = {"-p", "--pipeline"},
            paramLabel = "NAME",
            description = "Only runs of this pipeline or task.")
    private @Nullable String pipeline;

    @Option(
            names = {"-l", "--label"},
            paramLabel = "NAME=VALUE",
            description = "Only runs with this label. May be given several times.")
    private Map<String, String> labels = Map.of();

    @Option(names = "--task", paramLabel = "TASK", description = "Of logs: only this task.")
    private @Nullable String task;

    @Option(names = "--step", paramLabel = "NAME", description = "Of logs: only this step.")
    private @Nullable String step;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "At most so many runs, the newest first (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Of lists: table or json (default: ${DEFAULT-VALUE}).")
    private RunsView.Format format = RunsView.Format.TABLE;

    RunsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (limit < 1) {
            throw new Failure("--limit " + limit + " shows nothing: give a number from 1 on.");
        }
        if (argument != null && List.of(Action.LIST, Action.STATS).contains(action)) {
            throw new Failure("'runs " + action.name().toLowerCase(Locale.ROOT) + "' is about all runs, and '"
                    + argument + "' would be left out: 'runs show " + argument + "' shows one.");
        }
        var history = new RunHistory(server.directory(surroundings).runs());
        try {
            if (!server.isThere(surroundings)) {
                return act(new AllRuns(Optional.empty(), history), filter(""));
            }
            try (var client = server.connect(surroundings)) {
                return act(new AllRuns(Optional.of(new ServerRuns(client)), history), filter(namespace(client)));
            }
        } catch (BadInput e) {
            throw new Failure(String.join("\n", e.problems()), e);
        }
    }

    private String namespace(ApiClient client) {
        return all ? "" : server.namespace(client);
    }

    private RunFilter filter(String namespace) {
        return new RunFilter(
                namespace,
                Optional.ofNullable(since)
                        .map(text -> surroundings.clock().instant().minus(duration(text))),
                Optional.ofNullable(status),
                Optional.ofNullable(pipeline),
                labels,
                isAboutOne() ? Integer.MAX_VALUE : limit);
    }

    private boolean isAboutOne() {
        return List.of(Action.SHOW, Action.LOGS, Action.RM).contains(action);
    }

    /// As Go writes durations, and days.
    private static Duration duration(String text) {
        try {
            int days = text.indexOf('d');
            if (days > 0 && text.substring(0, days).matches("\\d{1,6}")) {
                var rest = text.substring(days + 1);
                return Duration.ofDays(Long.parseLong(text.substring(0, days)))
                        .plus(rest.isEmpty() ? Duration.ZERO : Durations.parse(rest));
            }
            return Durations.parse(text);
        } catch (Durations.Malformed e) {
            throw new Failure("--since " + text + " is no time: write 7d, 12h or 30m.", e);
        }
    }

    private int act(AllRuns runs, RunFilter filter) throws IOException, InterruptedException {
        var view = new RunsView(runs, surroundings.text(), surroundings.clock());
        switch (action) {
            case LIST -> view.list(filter, format);
            case STATS -> view.stats(filter);
            case REPORT -> {
                var report = new ReportCommand(surroundings);
                report.tell(report.write(name(), server, Optional.empty(), Optional.empty()));
            }
            case SHOW -> view.show(runs.find(name(), filter));
            case LOGS -> view.logs(runs.find(name(), filter), Optional.ofNullable(task), Optional.ofNullable(step));
            case RM -> {
                var run = runs.find(name(), filter);
                runs.remove(run);
                surroundings.text().println("Removed " + run.kind() + " " + run.id() + ".");
            }
            case SEARCH -> {
                boolean found = view.search(filter, name(), Optional.ofNullable(task), Optional.ofNullable(step));
                return found ? ExitCode.OK : ExitCode.SOFTWARE;
            }
        }
        return ExitCode.OK;
    }

    private String name() {
        if (argument == null || argument.isEmpty()) {
            throw new Failure(
                    action == Action.SEARCH
                            ? "Say what to search for: 'runs search TEXT'."
                            : "Say which run, by its name or 'last': 'runs list' shows them.");
        }
        return argument;
    }
}
