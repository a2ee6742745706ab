package dev.towtank.app.command;

import dev.towtank.app.client.Describe;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Tells about objects, as `kubectl describe` does.
@Command(name = "describe", description = "Tells about objects, and what happened to them.", sortOptions = false)
final class DescribeCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "KIND[/NAME]",
            description = "As for 'get'; or a run of 'towtank run': its name, or 'last'.")
    private List<String> words = List.of();

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Of all namespaces.")
    private boolean all;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            defaultValue = "",
            description = "Only objects with these labels.")
    private String labels = "";

    DescribeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        var local = new LocalRuns(server, surroundings);
        if (!server.isNamed() && words.size() == 1 && local.has(words.getFirst())) {
            local.view().show(local.find(words.getFirst()));
            return ExitCode.OK;
        }
        if (words.size() == 1) {
            local.mustBeOnTheServer(words.getFirst());
        }
        try (var client = server.connect(surroundings)) {
            var history = new RunHistory(server.directory(surroundings).runs());
            var view = new Describe(client, history, surroundings.clock(), surroundings.text(), surroundings.err());
            return view.show(words, all ? "" : server.namespace(client), labels) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
