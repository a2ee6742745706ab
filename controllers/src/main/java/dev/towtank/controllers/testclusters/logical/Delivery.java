package dev.towtank.controllers.testclusters.logical;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.kinds.rbac.ClusterRoleBindings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A logical cluster for an object that asks for one, and the Secrets by which its administrator comes in.
///
/// The token in the kubeconfig is of an account inside of the cluster: it ends with the cluster, and with its day,
/// before
/// which a new one is written.
///
/// @param owner who asked
/// @param kubeconfig the name of the Secret, in the owner's namespace; likewise the password
public record Delivery(Resource owner, String kubeconfig, String password) {

    /// On a LogicalCluster: whose it is, as kind, namespace and name.
    public static final String OWNER = "towtank.dev/owner";

    private static final String EXPIRES = "towtank.dev/expires";
    private static final String ADDRESS = "towtank.dev/address";
    private static final String ACCOUNT = "cluster-admin";
    private static final String NAMESPACE = "kube-system";
    private static final int LONGEST_NAME = 48;

    public static final Duration LIFE = Duration.ofHours(24);

    /// Why a cluster that is somebody else's makes none, and what to do.
    public static final String NOT_SERVED =
            "This cluster has no logical clusters: only a server of Towtank's own has them."
                    + " Set the annotation " + ProviderKind.ANNOTATION + " to one of "
                    + String.join(", ", ProviderKind.PROGRAMS) + " or " + ProviderKind.KUBECONFIG
                    + " to have a cluster of another kind";

    public static final String NOT_SERVED_REASON = "LogicalClustersNotServed";

    /// @param cluster the LogicalCluster, where it is there
    /// @param address of the API server, without the cluster
    /// @param isServed whether that server has logical clusters
    public record Facts(
            Optional<Resource> cluster,
            Optional<Resource> kubeconfig,
            Optional<Resource> password,
            String address,
            boolean isServed) {}

    /// Makes a token for an account in a cluster, and a kubeconfig and a password; the result has all of them.
    public record Issue(
            LogicalCluster cluster, String accountNamespace, String account, String namespace, Duration life)
            implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of(
                    "issue", Json.of(account), "in", Json.of(cluster.id()), "life", Json.of(life.toSeconds()));
        }
    }

    public static Delivery of(Resource owner) {
        return new Delivery(owner, owner.name() + "-admin-kubeconfig", owner.name() + "-admin-password");
    }

    /// A function of the very object that asks: one of the same name that comes later gets another.
    public LogicalCluster id() {
        return id(owner);
    }

    public static LogicalCluster id(Resource owner) {
        var plain = owner.name().replaceAll("[^a-z0-9-]", "-");
        var start = plain.substring(0, Math.min(plain.length(), LONGEST_NAME));
        var uid = owner.uid().replace("-", "");
        return new LogicalCluster(start + "-" + uid.substring(0, Math.min(8, uid.length())));
    }

    public ObjectName object() {
        return new ObjectName(LogicalCluster.DEFAULT, "", id().id());
    }

    public String url(String address) {
        return address + "/clusters/" + id();
    }

    /// What is missing; nothing when all is there.
    public Plan plan(Facts facts, Instant now) {
        boolean isGood = facts.cluster.isPresent()
                && facts.password.isPresent()
                && facts.kubeconfig.filter(secret -> isGood(secret, facts, now)).isPresent();
        if (isGood) {
            return Plan.lookAgainAt(renewal(facts.kubeconfig.orElseThrow()));
        }
        var plan = Plan.none();
        if (facts.cluster.isEmpty()) {
            plan = plan.create(ClusterKinds.LOGICAL, cluster());
        }
        return plan.create(ServiceAccounts.KIND, account())
                .create(ClusterRoleBindings.KIND, binding())
                .then(facts.kubeconfig.isEmpty() ? pretence() : Plan.none())
                .then(new Change.Act(
                        new Issue(id(), NAMESPACE, ACCOUNT, "default", LIFE), keys -> given(facts, (Json.Obj) keys)));
    }

    private Plan pretence() {
        return new OpenShift(id(), OpenShift.version(owner)).plan();
    }

    private Resource cluster() {
        var metadata = Objects.named("", id().id())
                .with(
                        "annotations",
                        Json.Obj.of(OWNER, Json.of(owner.kind() + "/" + owner.namespace() + "/" + owner.name())));
        return Objects.of(ClusterKinds.LOGICAL, LogicalCluster.DEFAULT, metadata, "spec", Wishes.spec(owner));
    }

    /// Whom a LogicalCluster belongs to, where it is one of a kind.
    public static List<ObjectName> ownerOf(Resource cluster, String kind) {
        var parts = cluster.annotations().getOrDefault(OWNER, "").split("/", -1);
        return parts.length == 3 && parts[0].equals(kind)
                ? List.of(new ObjectName(LogicalCluster.DEFAULT, parts[1], parts[2]))
                : List.of();
    }

    private Resource account() {
        return new Resource(
                id(),
                Json.Obj.of(
                        "apiVersion",
                        Json.of("v1"),
                        "kind",
                        Json.of("ServiceAccount"),
                        "metadata",
                        Objects.named(NAMESPACE, ACCOUNT)));
    }

    private Resource binding() {
        var group = "rbac.authorization.k8s.io";
        var role = Json.Obj.ofStrings(Map.of("apiGroup", group, "kind", "ClusterRole", "name", ACCOUNT));
        var subject = Json.Obj.ofStrings(Map.of("kind", "ServiceAccount", "name", ACCOUNT, "namespace", NAMESPACE));
        return new Resource(
                id(),
                Json.Obj.builder()
                        .put("apiVersion", group + "/v1")
                        .put("kind", "ClusterRoleBinding")
                        .put("metadata", Objects.named("", "towtank-" + ACCOUNT))
                        .put("roleRef", role)
                        .put("subjects", Json.Arr.of(subject))
                        .build());
    }

    private Plan given(Facts facts, Json.Obj keys) {
        var marks = Json.Obj.of(EXPIRES, Json.of(keys.string("expires")), ADDRESS, Json.of(facts.address));
        var metadata = Objects.owned(Objects.named(owner.namespace(), kubeconfig), owner)
                .with("annotations", marks);
        var text = keys.string("kubeconfig");
        var secret = Objects.secret(metadata, Map.of("kubeconfig", text, "raw-kubeconfig", text));
        var plan = facts.kubeconfig.isEmpty()
                ? Plan.none().create(Secrets.KIND, secret)
                : Plan.none().patch(Secrets.KIND, facts.kubeconfig.get(), renewed(marks, secret));
        return facts.password.isPresent()
                ? plan
                : plan.create(
                        Secrets.KIND,
                        Objects.secret(
                                Objects.owned(Objects.named(owner.namespace(), password), owner),
                                Map.of("username", "kubeadmin", "password", keys.string("password"))));
    }

    private static Json.Obj renewed(Json.Obj marks, Resource secret) {
        return Json.Obj.of(
                "metadata",
                Json.Obj.of("annotations", marks),
                "data",
                secret.json().object("data"));
    }

    private static boolean isGood(Resource secret, Facts facts, Instant now) {
        return secret.annotations().getOrDefault(ADDRESS, "").equals(facts.address) && now.isBefore(renewal(secret));
    }

    /// With half of its life before it.
    private static Instant renewal(Resource secret) {
        var text = secret.annotations().getOrDefault(EXPIRES, "");
        return text.isEmpty() ? Instant.EPOCH : Timestamps.parse(text).minus(LIFE.dividedBy(2));
    }
}
