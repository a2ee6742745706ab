package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.run.view.Style;
import dev.towtank.app.secrets.Chain;
import dev.towtank.app.secrets.ChainPage;
import dev.towtank.app.secrets.ChainReader;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows where the values of a Secret come from, and where the way is broken.
@Command(
        name = "secrets",
        description = "'secrets explain NAME' shows the way of a Secret's values: claim, keys, store, sync, pods.",
        sortOptions = false)
final class SecretsCommand implements Callable<Integer> {

    enum Format {
        TEXT,
        JSON
    }

    private final Surroundings surroundings;

    @Parameters(
            arity = "2",
            paramLabel = "explain NAME",
            description = "The name of an ExternalSecret, or of the Secret that it makes.")
    private List<String> words = List.of();

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    SecretsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /// @return 0 where the whole chain holds
    @Override
    public Integer call() {
        if (!words.getFirst().equals("explain")) {
            throw new Failure("Expected 'secrets explain NAME', not 'secrets " + words.getFirst() + "'.");
        }
        try (var client = server.connect(surroundings)) {
            var chains =
                    new ChainReader(client, surroundings.clock()).explain(server.namespace(client), words.getLast());
            surroundings.text().print(format == Format.JSON ? json(chains) : text(chains));
            return chains.stream().allMatch(Chain::isWhole) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private static String json(List<Chain> chains) {
        return JsonText.write(Json.Arr.of(chains.stream().map(Chain::json).toArray(Json[]::new))) + "\n";
    }

    private String text(List<Chain> chains) {
        boolean isTerminal = Screen.isTerminal(surroundings);
        var style = isTerminal ? Style.of(surroundings.environment()) : Style.PLAIN;
        return new ChainPage(
                        style.colour(),
                        style.unicode(),
                        isTerminal ? Screen.size().columns() : 100)
                .show(chains);
    }
}
