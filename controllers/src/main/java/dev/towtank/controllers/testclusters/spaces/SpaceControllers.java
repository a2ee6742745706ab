package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Kubeconfig;
import dev.towtank.controllers.testclusters.api.SpaceKinds;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The controllers of spaces, and where their facts come from.
public final class SpaceControllers {

    private static final Cache.Index MADE_FOR = new Cache.Index(
            "space",
            namespace -> Optional.ofNullable(namespace.annotations().get(Room.OWNER)).stream()
                    .toList());

    private static final int LONGEST_SPACE = 50;
    private static final int UID_PART = 8;

    private final Cluster cluster;
    private final Keys keys;
    private final Cache logical;
    private final Cache clusters;
    private final Cache tiers;
    private final Cache templates;
    private final Cache namespaces;
    private final Cache secrets;
    private final Cache requests;
    private final Cache claims;

    public SpaceControllers(Cluster cluster, Caches caches, Keys keys) {
        this.cluster = cluster;
        this.keys = keys;
        logical = caches.of(ClusterKinds.LOGICAL);
        clusters = caches.of(SpaceKinds.CLUSTER);
        tiers = caches.of(SpaceKinds.TIER);
        templates = caches.of(SpaceKinds.TIER_TEMPLATE);
        namespaces = caches.of(Namespaces.KIND);
        secrets = caches.of(Secrets.KIND);
        requests = caches.of(SpaceKinds.REQUEST);
        claims = caches.of(SpaceKinds.NAMESPACE_CLAIM);
    }

    public List<Controller<?, ?>> all() {
        return List.of(
                clusters(),
                spaces("spacerequest-controller", new Door.SpaceRequests(), requests),
                spaces("namespaceclaim-controller", new Door.NamespaceClaims(), claims));
    }

    private Controller<Json.Obj, Optional<String>> clusters() {
        return Controller.of(
                        "toolchaincluster-controller",
                        SpaceKinds.CLUSTER,
                        observed -> ToolchainClusterReconciler.of(observed.object())
                                .filter(this::exists)
                                .map(this::url),
                        new ToolchainClusterReconciler())
                .wokenBy(Trigger.of(
                        ClusterKinds.LOGICAL,
                        _ -> clusters.list().stream().map(ObjectName::of).toList()));
    }

    private boolean exists(LogicalCluster id) {
        return id.equals(LogicalCluster.DEFAULT)
                || logical.get(new ObjectName(LogicalCluster.DEFAULT, "", id.id()))
                        .isPresent();
    }

    private String url(LogicalCluster id) {
        return Kubeconfig.server(keys.address(), id);
    }

    private Controller<Json.Obj, SpaceFacts> spaces(String name, Door door, Cache asking) {
        return Controller.of(name, door.kind(), observed -> around(door, observed), new SpaceReconciler(door))
                .wokenBy(Trigger.owned(Secrets.KIND, door.kind()))
                .wokenBy(Trigger.of(Namespaces.KIND, namespace -> Room.ownerOf(namespace, door.kind())))
                .wokenBy(Trigger.of(SpaceKinds.CLUSTER, _ -> all(asking)))
                .wokenBy(Trigger.of(SpaceKinds.TIER, _ -> all(asking)))
                .wokenBy(Trigger.of(SpaceKinds.TIER_TEMPLATE, _ -> all(asking)))
                .doing(Delivery.Issue.class, keys::issue);
    }

    private static List<ObjectName> all(Cache asking) {
        return asking.list().stream().map(ObjectName::of).toList();
    }

    private SpaceFacts around(Door door, Observed<Json.Obj> observed) {
        var asked = observed.object();
        var remains = namespaces.by(MADE_FOR, Room.ownerText(asked));
        if (asked.isDeleting()) {
            var accounts = remains.stream().flatMap(this::accounts).toList();
            return new SpaceFacts(Optional.empty(), "", "", List.of(), remains, accounts);
        }
        try {
            return wanted(door, asked, remains);
        } catch (TierProblem e) {
            return problem(e.why(), false, remains);
        }
    }

    private Stream<Resource> accounts(Resource namespace) {
        return cluster.list(ServiceAccounts.KIND, Selection.in(namespace.cluster(), namespace.name())).items().stream();
    }

    private static SpaceFacts problem(String why, boolean mayPass, List<Resource> remains) {
        return new SpaceFacts(Optional.of(new SpaceFacts.Problem(why, mayPass)), "", "", List.of(), remains, List.of());
    }

    private SpaceFacts wanted(Door door, Resource asked, List<Resource> remains) {
        var tier = tiers.get(ObjectName.of(SpaceKinds.HOST_NAMESPACE, door.tier(asked)));
        if (tier.isEmpty()) {
            return problem(
                    "nstemplatetiers.toolchain.dev.openshift.com \"" + door.tier(asked) + "\" not found in namespace "
                            + SpaceKinds.HOST_NAMESPACE,
                    false,
                    remains);
        }
        var target = target(door.roles(asked), remains);
        if (target.isEmpty()) {
            return problem(
                    "no ToolchainCluster that is ready has the roles " + String.join(", ", door.roles(asked))
                            + "; they are labels of the objects in namespace " + SpaceKinds.HOST_NAMESPACE,
                    true,
                    remains);
        }
        var read = new Tier(tier.get(), name -> templates.get(ObjectName.of(SpaceKinds.HOST_NAMESPACE, name)));
        var rooms = read.rooms(target.get(), space(asked)).stream()
                .map(room -> furnished(door, asked, room))
                .toList();
        return rooms.stream()
                .flatMap(room -> obstacle(room, asked).stream())
                .findFirst()
                .map(why -> problem(why, true, remains))
                .orElseGet(() ->
                        new SpaceFacts(Optional.empty(), url(target.get()), read.account(), rooms, remains, List.of()));
    }

    /// Where it has begun it goes on; otherwise the first by name.
    private Optional<LogicalCluster> target(List<String> roles, List<Resource> remains) {
        var fitting = clusters.in(LogicalCluster.DEFAULT, SpaceKinds.HOST_NAMESPACE).stream()
                .filter(each -> each.labels().keySet().containsAll(roles))
                .sorted(Comparator.comparing(Resource::name))
                .flatMap(each -> ToolchainClusterReconciler.of(each).stream())
                .filter(this::exists)
                .toList();
        return remains.stream()
                .map(Resource::cluster)
                .filter(fitting::contains)
                .findFirst()
                .or(() -> fitting.stream().findFirst());
    }

    private static String space(Resource asked) {
        var plain = asked.name().replaceAll("[^a-z0-9-]", "-");
        var uid = asked.uid().replace("-", "");
        return plain.substring(0, Math.min(plain.length(), LONGEST_SPACE)) + "-"
                + uid.substring(0, Math.min(uid.length(), UID_PART));
    }

    private SpaceFacts.Furnished furnished(Door door, Resource asked, Room room) {
        var secret = door.secret(asked, room.namespace());
        return new SpaceFacts.Furnished(
                room, namespaces.get(room.name()), secrets.get(ObjectName.of(asked.namespace(), secret)));
    }

    private static Optional<String> obstacle(SpaceFacts.Furnished room, Resource asked) {
        return room.namespace()
                .map(found -> !Room.belongs(found, asked)
                        ? "Namespace " + found.name() + " is there already, and was not made for this"
                        : found.isDeleting() ? "Namespace " + found.name() + " is being deleted" : "")
                .filter(why -> !why.isEmpty());
    }
}
