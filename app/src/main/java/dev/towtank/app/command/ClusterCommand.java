package dev.towtank.app.command;

import dev.towtank.app.client.TextTable;
import dev.towtank.app.clusters.Clusters;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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
            "For example: 'cluster create demo', then 'cluster kubeconfig demo > demo.kubeconfig';",
            "'cluster snapshot demo', then 'cluster create copy --from demo'."
        },
        sortOptions = false)
final class ClusterCommand implements Callable<Integer> {

    enum Action {
        LIST,
        CREATE,
        KUBECONFIG,
        HIBERNATE,
        RESUME,
        DELETE,
        SNAPSHOT,
        SNAPSHOTS,
        FORGET
    }

    private static final Set<Action> WITHOUT_NAME = EnumSet.of(Action.LIST, Action.SNAPSHOTS);

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
                "list, create NAME, kubeconfig NAME, hibernate NAME, resume NAME, delete NAME,",
                "snapshot NAME, snapshots, or forget SNAPSHOT (default: ${DEFAULT-VALUE})."
            })
    private Action action = Action.LIST;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The name of a cluster.")
    private @Nullable String name;

    @Option(
            names = "--from",
            paramLabel = "SNAPSHOT",
            defaultValue = "",
            description = "What a new cluster begins with: a snapshot, as 'cluster snapshots' shows them.")
    private String from = "";

    @Option(
            names = "--as",
            paramLabel = "SNAPSHOT",
            defaultValue = "",
            description = "The name of a new snapshot (default: that of its cluster).")
    private String as = "";

    @Option(
            names = "--wake-on-request",
            description = "A request to the new cluster wakes it when it hibernates, and is not refused.")
    private boolean wakes;

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
        if ((name == null) != WITHOUT_NAME.contains(action)) {
            throw usage("'" + spoken() + "' takes "
                    + (name != null
                            ? "no name"
                            : action == Action.FORGET ? "the name of a snapshot" : "the name of a cluster"));
        }
        refuse("--from", !from.isEmpty(), Action.CREATE);
        refuse("--wake-on-request", wakes, Action.CREATE);
        refuse("--as", !as.isEmpty(), Action.SNAPSHOT);
        var life = life();
        try (var client = server.connect(surroundings)) {
            var clusters = new Clusters(client, client.server());
            if (name == null) {
                return action == Action.LIST ? list(clusters.list()) : snapshots(clusters.snapshots());
            }
            return act(clusters, name, life);
        }
    }

    private String spoken() {
        return "cluster " + action.name().toLowerCase(Locale.ROOT);
    }

    private void refuse(String option, boolean isGiven, Action only) {
        if (isGiven && action != only) {
            throw usage(option + " is for 'cluster " + only.name().toLowerCase(Locale.ROOT) + "' alone");
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
                clusters.create(cluster, from, wakes);
                say("Cluster " + cluster + " is there" + (from.isEmpty() ? "" : ", as " + from + " was") + ". '"
                        + surroundings.programName() + " cluster kubeconfig " + cluster + "' prints the way in.");
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
            case SNAPSHOT -> {
                var snapshot = clusters.snapshot(cluster, as.isEmpty() ? cluster : as);
                say("Snapshot " + snapshot.name() + " has " + snapshot.status().integer("objects")
                        + " objects of cluster "
                        + cluster + ". '" + surroundings.programName() + " cluster create NAME --from "
                        + snapshot.name()
                        + "' makes a cluster of it.");
            }
            case FORGET -> {
                clusters.deleteSnapshot(cluster);
                say("Snapshot " + cluster + " is gone; clusters that began with it stay.");
            }
            case LIST, SNAPSHOTS -> throw new IllegalStateException("a list has no name");
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
        rows.add(List.of("NAME", "POWER", "SNAPSHOT", "FOR", "CREATED"));
        for (var cluster : all) {
            var owner = Clusters.owner(cluster);
            rows.add(List.of(
                    cluster.name(),
                    cluster.status().string("powerState"),
                    shown(cluster.spec().string("snapshot")),
                    shown(owner),
                    cluster.creationTimestamp().map(Object::toString).orElse("")));
        }
        new TextTable().lines(rows).forEach(this::say);
        return ExitCode.OK;
    }

    private static String shown(String text) {
        return text.isEmpty() ? "-" : TextTable.cell(text);
    }

    private int snapshots(List<Resource> all) {
        if (all.isEmpty()) {
            say("There is no snapshot. '" + surroundings.programName()
                    + " cluster snapshot NAME' takes one of a cluster.");
            return ExitCode.OK;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "CLUSTER", "OBJECTS", "CREATED"));
        for (var snapshot : all) {
            rows.add(List.of(
                    snapshot.name(),
                    shown(snapshot.spec().string("cluster")),
                    Long.toString(snapshot.status().integer("objects")),
                    snapshot.creationTimestamp().map(Object::toString).orElse("")));
        }
        new TextTable().lines(rows).forEach(this::say);
        return ExitCode.OK;
    }
}
