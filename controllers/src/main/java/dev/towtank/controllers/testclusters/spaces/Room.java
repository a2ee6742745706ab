package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.LimitRanges;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.ResourceQuotas;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.kinds.networking.NetworkPolicies;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A namespace of a space with all that a tier puts into it.
///
/// @param cluster where it is
/// @param objects the Namespace first
public record Room(LogicalCluster cluster, String namespace, List<Json.Obj> objects) {

    /// On the namespace: the kind, namespace, name and uid of what asked for it.
    static final String OWNER = "towtank.dev/space-of";

    private static final String CONTENTS = "towtank.dev/space-contents";
    private static final String MANAGER = "towtank-spaces";
    private static final int FINGERPRINT = 16;

    /// What a tier may put into a namespace: nothing that reaches out of it.
    static final Map<String, Kind<?>> KINDS = Stream.<Kind<?>>of(
                    ServiceAccounts.KIND,
                    Roles.KIND,
                    RoleBindings.KIND,
                    ResourceQuotas.KIND,
                    LimitRanges.KIND,
                    NetworkPolicies.KIND,
                    ConfigMaps.KIND,
                    Secrets.KIND)
            .collect(Collectors.toUnmodifiableMap(kind -> kind.apiVersion() + "/" + kind.kind(), Function.identity()));

    public Room {
        objects = List.copyOf(objects);
    }

    ObjectName name() {
        return new ObjectName(cluster, "", namespace);
    }

    static String ownerText(Resource owner) {
        return String.join("/", owner.kind(), owner.namespace(), owner.name(), owner.uid());
    }

    /// Which object a namespace was made for.
    static List<ObjectName> ownerOf(Resource namespace, Kind<?> kind) {
        var parts = namespace.annotations().getOrDefault(OWNER, "").split("/", -1);
        return parts.length == 4 && parts[0].equals(kind.kind())
                ? List.of(new ObjectName(LogicalCluster.DEFAULT, parts[1], parts[2]))
                : List.of();
    }

    static boolean belongs(Resource namespace, Resource owner) {
        return namespace.annotations().getOrDefault(OWNER, "").equals(ownerText(owner));
    }

    boolean isMade(Optional<Resource> found) {
        return found.filter(
                        each -> each.annotations().getOrDefault(CONTENTS, "").equals(fingerprint()))
                .isPresent();
    }

    private String fingerprint() {
        var text = objects.toString().getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(Sha256.of(text)).substring(0, FINGERPRINT);
    }

    /// All of it; that it is complete is noted last.
    Plan made(Resource owner, Map<String, String> labels) {
        var plan = new Plan.Builder();
        plan.add(apply(Namespaces.KIND, namespaceObject(owner, labels, "")));
        objects.stream()
                .skip(1)
                .forEach(object -> plan.add(apply(kindOf(object).orElseThrow(), new Resource(cluster, object))));
        plan.add(apply(Namespaces.KIND, namespaceObject(owner, labels, fingerprint())));
        return plan.build();
    }

    private static Change apply(Kind<?> kind, Resource object) {
        return new Change.Apply(kind, object, MANAGER);
    }

    static Optional<Kind<?>> kindOf(Json.Obj object) {
        return Optional.ofNullable(KINDS.get(object.string("apiVersion") + "/" + object.string("kind")));
    }

    private Resource namespaceObject(Resource owner, Map<String, String> labels, String contents) {
        var given = objects.getFirst().object("metadata");
        var annotations = given.object("annotations").with(OWNER, Json.of(ownerText(owner)));
        var allLabels = given.object("labels");
        for (var label : labels.entrySet()) {
            allLabels = allLabels.with(label.getKey(), Json.of(label.getValue()));
        }
        var metadata = Objects.named("", namespace)
                .with("labels", allLabels)
                .with("annotations", contents.isEmpty() ? annotations : annotations.with(CONTENTS, Json.of(contents)));
        return new Resource(
                cluster, Json.Obj.of("apiVersion", Json.of("v1"), "kind", Json.of("Namespace"), "metadata", metadata));
    }
}
