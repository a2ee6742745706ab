package dev.towtank.app.engine;

import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.http.WebPorts;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.SystemTimers;
import dev.towtank.cluster.loop.ControlLoops;
import dev.towtank.cluster.loop.LeaderElection;
import dev.towtank.cluster.loop.LeaderElection.Leadership;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Features of this program that work on a cluster of somebody else's, in one of several processes at a time.
public final class RemoteControllers implements AutoCloseable {

    private static final ObjectName LEASE =
            new ObjectName(LogicalCluster.DEFAULT, RemoteInstallation.NAMESPACE, RemoteInstallation.NAME);

    private final Closing closing = new Closing();

    /// @param cluster closed by whoever opened it
    /// @param directory below which features keep files
    /// @param identity unique among the processes that may lead
    /// @param say what a person may want to know
    public RemoteControllers(
            RemoteCluster cluster,
            List<Feature> features,
            Pki pki,
            Path directory,
            String identity,
            Consumer<String> say) {
        var timers = new SystemTimers();
        closing.add("the timers", timers::close);
        var ports = new WebPorts(names -> tls(pki, names));
        closing.add("the ports of features", ports::close);
        var ground = Ground.of(timers).in(directory).with(ports).at(cluster.authority(), cluster::address);
        var election = new LeaderElection(
                cluster,
                timers,
                LEASE,
                identity,
                LeaderElection.Settings.USUAL,
                new Work(
                        () -> ControlLoops.start(cluster, _ -> cluster, ground, features),
                        endpoints -> open(ports, new RemoteEndpoints(cluster, endpoints)),
                        say));
        closing.add("the election", election::close);
        election.start();
    }

    private static Tls tls(Pki pki, List<String> names) {
        var issued = pki.issueServer(names);
        return new Tls(issued.privateKey(), List.of(issued.certificate(), pki.authority()), List.of());
    }

    private static WebDoor.Open open(WebDoor door, RemoteEndpoints endpoints) {
        try {
            return door.open(endpoints.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the leader does.
    private static final class Work implements Leadership {
        private final Supplier<ControlLoops> starter;
        private final Function<List<Endpoint>, WebDoor.Open> door;
        private final Consumer<String> say;
        private @Nullable ControlLoops loops;
        private WebDoor.@Nullable Open open;

        Work(Supplier<ControlLoops> starter, Function<List<Endpoint>, WebDoor.Open> door, Consumer<String> say) {
            this.starter = starter;
            this.door = door;
            this.say = say;
        }

        @Override
        public void begin() {
            var begun = starter.get();
            loops = begun;
            serve(begun.running().stream()
                    .flatMap(each -> each.endpoints().stream())
                    .toList());
            say.accept("Leading.");
            if (begun.running().stream().anyMatch(each -> !each.programs().isEmpty())) {
                say.accept(
                        "Steps of Tekton tasks are played by nodes of Towtank: on other nodes their pods cannot run.");
            }
        }

        private void serve(List<Endpoint> endpoints) {
            if (!endpoints.isEmpty()) {
                var serving = door.apply(endpoints);
                open = serving;
                say.accept("Serving "
                        + endpoints.stream().map(Endpoint::prefix).distinct().collect(Collectors.joining(", "))
                        + " at https://127.0.0.1:" + serving.port() + ".");
            }
        }

        @Override
        public void end() {
            if (open != null) {
                open.close();
                open = null;
            }
            if (loops != null) {
                loops.close();
                loops = null;
                say.accept("No longer leading.");
            }
        }
    }

    @Override
    public void close() {
        closing.close();
    }
}
