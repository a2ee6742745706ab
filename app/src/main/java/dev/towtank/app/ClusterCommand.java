package dev.towtank.app;

import dev.towtank.app.client.TextTable;
import dev.towtank.app.clusters.Clusters;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
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

/// Clusters within the server, by hand.
@Command(
        name = "cluster",
        description = {
            "Creates, lists, enters, puts to sleep and deletes clusters within the server.",
            "For example: 'cluster create demo', then 'cluster kubeconfig demo > demo.kubeconfig'."
        },
        sortOptions = false)
final class ClusterCommand implements Callable<Integer> {

    enum Action {
        LIST,
        CREATE,
        KUBECONFIG,
        HIBERNATE,
        RESUME,
        DELETE
    }

    private static final Duration SHORTEST_LIFE = Duration.ofMinutes(10);
    private static final Duration LONGEST_LIFE = Duration.ofDays(7);

    private final Surroundings surroundings;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description = {
                "list, create NAME, kubeconfig NAME, hibernate NAME, resume NAME or delete NAME",
                "(default: ${DEFAULT-VALUE})."
            })
    private Action action = Action.LIST;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The name of a cluster.")
    private @Nullable String name;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "24h",
            description = "How long the token of a kubeconfig is good, 10m to 7d (default: ${DEFAULT-VALUE}).")
    private String duration = "24h";

    @Mixin
    private final ServerOption server = new ServerOption();

    ClusterCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if ((name == null) != (action == Action.LIST)) {
            throw usage("'cluster " + action.name().toLowerCase(Locale.ROOT) + "' takes "
                    + (action == Action.LIST ? "no name" : "the name of a cluster"));
        }
        var life = life();
        try (var client = server.connect(surroundings)) {
            var clusters = new Clusters(client, client.server());
            if (name == null) {
                return list(clusters.list());
            }
            return act(clusters, name, life);
        }
    }

    private Duration life() {
        var life = TimeCommand.parse(duration);
        if (life.compareTo(SHORTEST_LIFE) < 0 || life.compareTo(LONGEST_LIFE) > 0) {
            throw usage("--duration is at least 10m and at most 7d: a token outlives its use by little");
        }
        return life;
    }

    private ParameterException usage(String why) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), why);
    }

    private int act(Clusters clusters, String cluster, Duration life) {
        switch (action) {
            case CREATE -> {
                clusters.create(cluster);
                say("Cluster " + cluster + " is there. '" + surroundings.programName() + " cluster kubeconfig "
                        + cluster + "' prints the way in.");
            }
            case KUBECONFIG -> surroundings.text().print(clusters.kubeconfig(cluster, life));
            case HIBERNATE -> {
                clusters.power(cluster, "Hibernating");
                say("Cluster " + cluster + " sleeps: nothing of it runs. '" + surroundings.programName()
                        + " cluster resume " + cluster + "' wakes it.");
            }
            case RESUME -> {
                clusters.power(cluster, "Running");
                say("Cluster " + cluster + " is awake.");
            }
            case DELETE -> {
                clusters.delete(cluster);
                say("Cluster " + cluster + " is gone, with all that was in it.");
            }
            case LIST -> throw new IllegalStateException("a list has no name");
        }
        return ExitCode.OK;
    }

    private void say(String line) {
        surroundings.text().println(line);
    }

    private int list(List<Resource> all) {
        if (all.isEmpty()) {
            say("There is no cluster but the default one. '" + surroundings.programName()
                    + " cluster create NAME' makes another.");
            return ExitCode.OK;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "POWER", "FOR", "CREATED"));
        for (var cluster : all) {
            var owner = Clusters.owner(cluster);
            rows.add(List.of(
                    cluster.name(),
                    cluster.status().string("powerState"),
                    owner.isEmpty() ? "-" : TextTable.cell(owner),
                    cluster.creationTimestamp().map(Object::toString).orElse("")));
        }
        new TextTable().lines(rows).forEach(this::say);
        return ExitCode.OK;
    }
}
