package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.models.ModelServer;
import dev.towtank.app.models.ModelViews;
import dev.towtank.app.report.ModelPage;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows models and their versions, and lets another version serve.
@Command(
        name = "model",
        description = {
            "Lists, shows, compares, promotes and rolls back versions of models.",
            "For example: 'model history anomaly-detector', 'model rollback anomaly-detector'."
        },
        sortOptions = false)
final class ModelCommand implements Callable<Integer> {

    enum Action {
        LIST,
        DESCRIBE,
        HISTORY,
        DIFF,
        GATE,
        PROMOTE,
        ROLLBACK
    }

    enum Format {
        TEXT,
        HTML
    }

    private final Surroundings surroundings;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description = {
                "list, describe MODEL, history MODEL, diff MODEL VERSION VERSION, gate MODEL VERSION,",
                "promote MODEL VERSION or rollback MODEL (default: ${DEFAULT-VALUE})."
            })
    private Action action = Action.LIST;

    @Parameters(index = "1", arity = "0..1", paramLabel = "MODEL", description = "The name of a model.")
    private @Nullable String model;

    @Parameters(index = "2..*", arity = "0..2", paramLabel = "VERSION", description = "Such as v7.")
    private List<String> versions = List.of();

    @Option(
            names = "--to",
            paramLabel = "VERSION",
            description = "What to roll back to (default: the previous version).")
    private @Nullable String to;

    @Option(names = "--force", description = "Promotes a version that did not pass the gate.")
    private boolean force;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or, for describe, html (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Mixin
    private final ServerOption server = new ServerOption();

    ModelCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        int wanted = switch (action) {
            case LIST, DESCRIBE, HISTORY, ROLLBACK -> 0;
            case GATE, PROMOTE -> 1;
            case DIFF -> 2;
        };
        if (versions.size() != wanted || (model == null) != (action == Action.LIST)) {
            throw usage("'model " + action.name().toLowerCase(Locale.ROOT) + "' takes "
                    + (action == Action.LIST ? "no name" : "the name of a model")
                    + (wanted == 0 ? "" : wanted == 1 ? " and a version" : " and two versions"));
        }
        try (var client = server.connect(surroundings)) {
            return act(new ModelServer(client, server.namespace(client)));
        }
    }

    private ParameterException usage(String why) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), why);
    }

    private int act(ModelServer models) {
        if (model == null) {
            return show(ModelViews.list(models.models()));
        }
        var found = models.model(model);
        return switch (action) {
            case LIST -> ExitCode.USAGE;
            case DESCRIBE -> describe(found, models.versions(model));
            case HISTORY -> show(ModelViews.history(models.versions(model)));
            case DIFF ->
                show(ModelViews.diff(
                        models.version(model, versions.getFirst()), models.version(model, versions.getLast())));
            case GATE -> gate(models.version(model, versions.getFirst()));
            case PROMOTE -> promote(models, found, models.version(model, versions.getFirst()));
            case ROLLBACK -> rollback(models, found);
        };
    }

    private int describe(Resource found, List<Resource> all) {
        if (format == Format.HTML) {
            surroundings.text().print(ModelPage.of(found, all));
            return ExitCode.OK;
        }
        return show(ModelViews.describe(found, all));
    }

    private int show(List<String> lines) {
        lines.forEach(surroundings.text()::println);
        return ExitCode.OK;
    }

    private int gate(Resource version) {
        show(ModelViews.gate(version));
        var verdict = version.spec().string("gate", "verdict");
        surroundings
                .text()
                .println(verdict.isEmpty() ? "It was never judged: run the task validate-model-health." : verdict);
        return verdict.equals("passed") ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int promote(ModelServer models, Resource found, Resource version) {
        var verdict = version.spec().string("gate", "verdict");
        if (!verdict.equals("passed") && !force) {
            throw new Failure("Version " + version.spec().string("version") + " of " + found.name()
                    + (verdict.isEmpty() ? " was never judged" : " did not pass the gate")
                    + ". 'towtank model gate' shows why; --force promotes it nevertheless.");
        }
        return serve(models, found, version);
    }

    private int rollback(ModelServer models, Resource found) {
        var version = to == null ? found.status().string("previous") : to;
        if (version.isEmpty()) {
            throw new Failure(
                    "Model " + found.name() + " has no version that served before: name one with --to VERSION.");
        }
        return serve(models, found, models.version(found.name(), version));
    }

    private int serve(ModelServer models, Resource found, Resource version) {
        var outcome = models.serve(found, version);
        var name = version.spec().string("version");
        if (!outcome.problem().isEmpty()) {
            throw new Failure("Version " + name + " of " + found.name() + " does not serve: " + outcome.problem()
                    + "\nWhat served before goes on.");
        }
        surroundings.text().println(found.name() + " serves " + name + " (revision " + outcome.revision() + ").");
        return ExitCode.OK;
    }
}
