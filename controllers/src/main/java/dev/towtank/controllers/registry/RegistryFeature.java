package dev.towtank.controllers.registry;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.controllers.registry.source.RegistryRights;
import dev.towtank.controllers.registry.source.RegistryServer;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/// A registry of our own, of the default cluster.
public final class RegistryFeature implements Feature {

    /// By which pods name it.
    public static final String ADDRESS = RegistryDoorway.HOST + ":" + RegistryDoorway.PORT;

    private static final long LARGEST_BODY = 32L << 30;
    private static final Duration LONGEST = Duration.ofHours(1);

    private final int port;

    /// @param port on the loopback address, without encryption; 0 for any free one
    public RegistryFeature(int port) {
        this.port = port;
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create patch | core | namespaces services
                read create patch | discovery.k8s.io | endpointslices
                create | authentication.k8s.io | tokenreviews
                create | authorization.k8s.io | subjectaccessreviews
                """);
    }

    @Override
    public Running start(Place place) {
        var namespaces = place.caches().of(Namespaces.KIND);
        var server = new RegistryServer(
                place.directory(),
                name -> namespaces
                        .get(new ObjectName(LogicalCluster.DEFAULT, "", name))
                        .map(Resource::uid),
                RegistryRights.of(place.cluster(), place.timers()),
                place.timers());
        try {
            var plain = place.web().open(port(server).withNumber(port));
            var secure = place.web().open(port(server).withTls(RegistryDoorway.NAMES));
            return Running.of(doorway(place.caches(), secure.port(), server))
                    .closing(plain::close)
                    .closing(secure::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WebDoor.Port port(RegistryServer server) {
        return WebDoor.Port.plain("registry", server)
                .withLargestBody(LARGEST_BODY)
                .withTimeout(LONGEST);
    }

    private static Controller<Json.Obj, RegistryDoorway.Facts> doorway(Caches caches, int port, RegistryServer server) {
        var namespaces = caches.of(Namespaces.KIND);
        var services = caches.of(Services.KIND);
        var slices = caches.of(EndpointSlices.KIND);
        var beside = List.of(new ObjectName(LogicalCluster.DEFAULT, "", "default"));
        return Controller.of(
                        "registry-doorway",
                        Namespaces.KIND,
                        _ -> new RegistryDoorway.Facts(
                                port,
                                server.isSwept(),
                                namespaces.get(new ObjectName(LogicalCluster.DEFAULT, "", RegistryDoorway.NAMESPACE)),
                                services.get(name(RegistryDoorway.SERVICE)),
                                slices.get(name(RegistryDoorway.SLICE))),
                        new RegistryDoorway())
                .wokenBy(Trigger.of(Namespaces.KIND, _ -> beside))
                .doing(RegistryDoorway.Sweep.class, _ -> {
                    server.sweep();
                    return Json.Null.NULL;
                });
    }

    private static ObjectName name(String name) {
        return new ObjectName(LogicalCluster.DEFAULT, RegistryDoorway.NAMESPACE, name);
    }
}
