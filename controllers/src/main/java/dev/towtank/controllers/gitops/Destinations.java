package dev.towtank.controllers.gitops;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.controllers.gitops.source.RemoteClusters;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Where the objects of Applications go: into the default cluster, where Applications are, or into another logical
/// one of this server, by its address or by the name that a cluster Secret gives it, or into a cluster of another
/// server, by its cluster Secret.
final class Destinations {

    static final String SERVER = "https://kubernetes.default.svc";
    static final String NAME = "in-cluster";

    private static final String CLUSTERS = "/clusters/";
    private static final String SECRET_TYPE = "argocd.argoproj.io/secret-type";

    private final Function<LogicalCluster, List<Resource>> secrets;
    private final Supplier<String> address;
    private final Function<RemoteAccess, LogicalCluster> remotes;

    /// @param secrets beside the Applications of a cluster
    /// @param address of this server, as others reach it
    /// @param remotes gives clusters of other servers a name
    Destinations(
            Function<LogicalCluster, List<Resource>> secrets,
            Supplier<String> address,
            Function<RemoteAccess, LogicalCluster> remotes) {
        this.secrets = secrets;
        this.address = address;
        this.remotes = remotes;
    }

    /// A cluster by both of its names.
    ///
    /// @param project that alone may use it; empty where all may
    record Known(String name, String server, String project) {}

    /// @param problem why there is none, for people
    record Found(Optional<Destination> destination, String problem) {
        static Found of(Destination destination) {
            return new Found(Optional.of(destination), "");
        }

        static Found none(String problem) {
            return new Found(Optional.empty(), problem);
        }
    }

    /// All that are known by name, this one first.
    Stream<Resource> secrets(LogicalCluster cluster) {
        return secrets.apply(cluster).stream().filter(Destinations::isCluster);
    }

    static boolean isCluster(Resource secret) {
        return secret.labels().getOrDefault(SECRET_TYPE, "").equals("cluster");
    }

    /// What a cluster generator gives for each.
    List<Json.Obj> parameters() {
        var all = new ArrayList<Json.Obj>();
        all.add(cluster(new Known(NAME, SERVER, "")).with("metadata", Json.Obj.EMPTY));
        secrets(LogicalCluster.DEFAULT)
                .forEach(secret -> all.add(cluster(known(secret))
                        .with("project", Json.of(text(secret, "project")))
                        .with(
                                "metadata",
                                Json.Obj.of(
                                        "labels",
                                        secret.metadata().object("labels"),
                                        "annotations",
                                        secret.metadata()
                                                .object("annotations")
                                                .without("kubectl.kubernetes.io/last-applied-configuration")))));
        return all;
    }

    private static Json.Obj cluster(Known cluster) {
        return Json.Obj.of(
                "name",
                Json.of(cluster.name()),
                "nameNormalized",
                Json.of(cluster.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-")),
                "server",
                Json.of(cluster.server()));
    }

    static Known known(Resource secret) {
        return new Known(text(secret, "name"), text(secret, "server"), text(secret, "project"));
    }

    static String text(Resource secret, String key) {
        try {
            return new String(Base64.getDecoder().decode(secret.json().string("data", key)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    Found find(ObjectName application, Json.Obj wanted) {
        var server = wanted.string("server");
        var name = wanted.string("name");
        // Whoever is an administrator of one cluster is nobody in the others, nor on this machine, whose repositories
        // and
        // passwords applications reach.
        if (!application.cluster().equals(LogicalCluster.DEFAULT)) {
            return Found.none(
                    "applications are served in the default cluster only; there they may have the destination " + SERVER
                            + CLUSTERS + application.cluster());
        }
        if (server.isEmpty() == name.isEmpty()) {
            return Found.none(
                    server.isEmpty()
                            ? "Destination server missing from app spec"
                            : "application destination can't have both name and server defined: " + name + " "
                                    + server);
        }
        if (server.equals(SERVER) || name.equals(NAME)) {
            return Found.of(new Destination(
                    application.cluster(), SERVER, NAME, wanted.string("namespace"), scope(application)));
        }
        var known = secrets(application.cluster())
                .map(Destinations::known)
                .filter(each -> server.isEmpty()
                        ? each.name().equals(name)
                        : each.server().equals(server))
                .toList();
        if (server.isEmpty() && known.isEmpty()) {
            return Found.none("there are no clusters with this name: " + name);
        }
        if (server.isEmpty() && known.size() > 1) {
            return Found.none("there are " + known.size() + " clusters with the same name: " + name);
        }
        var target = known.isEmpty() ? new Known("", server, "") : known.getFirst();
        return id(target).isPresent()
                ? within(target, id(target).get(), wanted.string("namespace"))
                : elsewhere(application, target, wanted.string("namespace"));
    }

    /// A Secret may also be about the cluster that Applications are in.
    private String scope(ObjectName application) {
        return secrets(application.cluster())
                .map(Destinations::known)
                .filter(each -> each.server().equals(SERVER))
                .map(Known::project)
                .findFirst()
                .orElse("");
    }

    /// Of a logical cluster of this server.
    private Optional<String> id(Known target) {
        return Stream.of(SERVER, SERVER + ":443", address.get())
                .map(prefix -> prefix + CLUSTERS)
                .filter(prefix -> target.server().startsWith(prefix))
                .map(prefix -> target.server().substring(prefix.length()))
                .findFirst();
    }

    private Found elsewhere(ObjectName application, Known target, String namespace) {
        var secret = secrets(application.cluster())
                .filter(each -> known(each).server().equals(target.server()))
                .findFirst();
        if (secret.isEmpty()) {
            return Found.none(
                    "the destination " + target.server()
                            + " is a cluster of another server, and no cluster Secret beside the Application says how to reach it");
        }
        var read = ClusterSecret.read(secret.get());
        if (read.access().isEmpty()) {
            return Found.none(read.problem());
        }
        try {
            return Found.of(new Destination(
                    remotes.apply(read.access().get()), target.server(), target.name(), namespace, target.project()));
        } catch (IllegalArgumentException e) {
            return Found.none(String.valueOf(e.getMessage()));
        }
    }

    private static Found within(Known target, String id, String namespace) {
        if (!LogicalCluster.isValid(id) || RemoteClusters.isName(id)) {
            return Found.none("the destination " + target.server() + " is not the address of a logical cluster");
        }
        return Found.of(
                new Destination(new LogicalCluster(id), target.server(), target.name(), namespace, target.project()));
    }
}
