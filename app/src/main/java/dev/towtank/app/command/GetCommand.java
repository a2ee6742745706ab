package dev.towtank.app.command;

import dev.towtank.app.client.GetView;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows objects, as `kubectl get` does.
@Command(
        name = "get",
        description = {
            "Shows objects; without a kind, which kinds there are.",
            "For example: 'get pods', 'get pr,tr -A', 'get task/build -o yaml'."
        },
        sortOptions = false)
final class GetCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            arity = "0..*",
            paramLabel = "KIND[/NAME]",
            description =
                    "A kind by any of its names, or several with commas; then names, or KIND/NAME as often as wanted.")
    private List<String> words = List.of();

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Of all namespaces.")
    private boolean all;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, wide, yaml, json or name (default: ${DEFAULT-VALUE}).")
    private GetView.Format format = GetView.Format.TABLE;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            defaultValue = "",
            description = "Only objects with these labels, such as app=web,tier!=db.")
    private String labels = "";

    @Option(
            names = "--field-selector",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "Only objects with these fields, such as status.phase=Running.")
    private String fields = "";

    @Option(
            names = {"-w", "--watch"},
            description = "Goes on to show every change, until Ctrl-C.")
    private boolean watch;

    @Option(names = "--no-headers", description = "Leaves out the names of the columns.")
    private boolean noHeaders;

    GetCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (watch && words.isEmpty()) {
            throw new Failure("Say what to watch, such as 'get pods -w'.");
        }
        try (var client = server.connect(surroundings)) {
            var namespace = all ? "" : server.namespace(client);
            var options = new GetView.Options(namespace, format, labels, fields, !noHeaders);
            var view = new GetView(client, options, surroundings.text(), surroundings.err());
            if (watch) {
                view.watch(words);
            }
            return view.show(words) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
