package dev.towtank.app.command;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Features;
import dev.towtank.app.engine.RemoteControllers;
import dev.towtank.app.engine.RemoteInstallation;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.model.YamlText;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Runs features against a cluster that is somewhere else. Ends with 0 when it was stopped.
@Command(
        name = "controllers",
        description = "Runs features of this program against another cluster's API, until it is stopped.",
        sortOptions = false)
final class ControllersCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster (default: $$KUBECONFIG).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "A context of that file other than its current one.")
    private @Nullable String context;

    @Option(
            names = "--features",
            paramLabel = "NAME,...",
            split = ",",
            description = "What to run (default: all that a cluster does not have by itself).")
    private Set<String> names = new LinkedHashSet<>();

    @Option(names = "--no-install", description = "Creates no definitions: an administrator has applied them before.")
    private boolean noInstall;

    @Option(
            names = "--print",
            description =
                    "Prints what an administrator applies so that an account can run the features with no more rights"
                            + " than they need, and ends.")
    private boolean print;

    @Mixin
    private final DataOption data = new DataOption();

    ControllersCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        var features = names.isEmpty() ? Features.portable() : Features.only(names);
        if (print) {
            RemoteInstallation.objects(features)
                    .forEach(object -> surroundings.text().print("---\n" + YamlText.write(object)));
            return ExitCode.OK;
        }
        Logging.configure();
        try (var cluster = open()) {
            install(cluster, features);
            serve(cluster, features);
        } catch (UncheckedIOException e) {
            throw new Failure(
                    "The cluster of " + file() + " does not answer: " + e.getMessage()
                            + ". Check the address in that file, and try kubectl with it.",
                    e);
        }
        return ExitCode.OK;
    }

    private Path file() {
        if (kubeconfig != null) {
            return kubeconfig;
        }
        var fromEnvironment = surroundings.environment().getOrDefault("KUBECONFIG", "");
        if (fromEnvironment.isEmpty()) {
            throw new Failure("Which cluster? Name its kubeconfig with --kubeconfig FILE, or set KUBECONFIG.");
        }
        return Path.of(fromEnvironment);
    }

    private RemoteCluster open() {
        try {
            return RemoteCluster.of(file(), Optional.ofNullable(context));
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    "Cannot use the kubeconfig " + file() + ": "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                            + ". Name another one with --kubeconfig FILE, or in KUBECONFIG.",
                    e);
        }
    }

    private void install(RemoteCluster cluster, List<Feature> features) {
        if (noInstall) {
            return;
        }
        int created = RemoteInstallation.install(cluster, features);
        if (created > 0) {
            say("Installed " + created + (created == 1 ? " object" : " objects") + " that the features need.");
        }
    }

    private void serve(RemoteCluster cluster, List<Feature> features) throws InterruptedException {
        var directory = data.resolve(surroundings);
        directory.make();
        var pki = Pki.open(directory.pki(), surroundings.clock(), List.of());
        var identity = UpCommand.hostNames().stream().findFirst().orElse("towtank") + "_"
                + ProcessHandle.current().pid();
        say("Running " + features.stream().map(Feature::name).collect(Collectors.joining(", ")) + " against "
                + cluster.address() + ".");
        try (var _ = new RemoteControllers(cluster, features, pki, directory.features(), identity, this::say)) {
            surroundings.stop().await();
        }
    }

    private void say(String line) {
        surroundings.out().println(line);
        surroundings.out().flush();
    }
}
