package dev.towtank.app.clusters;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.ObjectClient;
import dev.towtank.controllers.testclusters.api.Kubeconfig;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Resource;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/// The logical clusters of a server.
///
/// @param server its address
public record Clusters(ApiClient client, URI server) {

    private static final String KIND = "logicalclusters.towtank.dev";
    private static final String PATH = "/apis/towtank.dev/v1/logicalclusters";
    private static final String SNAPSHOT_KIND = "clustersnapshots.towtank.dev";
    private static final String SNAPSHOTS = "/apis/towtank.dev/v1/clustersnapshots";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String ACCOUNT = "cluster-admin";

    /// On a cluster that was made for an object: its kind, namespace and name.
    private static final String OWNER = "towtank.dev/owner";

    public List<Resource> list() {
        return objects().list(KIND);
    }

    /// Who asked for a cluster; empty where a person did.
    public static String owner(Resource cluster) {
        return cluster.annotations().getOrDefault(OWNER, "");
    }

    /// @param snapshot that it begins with; empty for none
    /// @param wakes whether requests wake it when it sleeps
    public Resource create(String name, String snapshot, boolean wakes) {
        var spec = Json.Obj.builder()
                .putNonEmpty("snapshot", snapshot)
                .putNonEmpty("whileHibernating", wakes ? "Resume" : "")
                .build();
        var cluster = object("towtank.dev/v1", "LogicalCluster", "", checked(name));
        return Resource.of(client.send("POST", PATH, JSON, cluster.with("spec", spec)));
    }

    public List<Resource> snapshots() {
        return objects().list(SNAPSHOT_KIND);
    }

    /// Keeps what is in a cluster now.
    ///
    /// @param snapshot its name
    public Resource snapshot(String name, String snapshot) {
        var object = object("towtank.dev/v1", "ClusterSnapshot", "", checked(snapshot))
                .with("spec", Json.Obj.of("cluster", Json.of(cluster(name).name())));
        return Resource.of(client.send("POST", SNAPSHOTS, JSON, object));
    }

    public void deleteSnapshot(String name) {
        if (client.find(SNAPSHOTS + "/" + checked(name)).isEmpty()) {
            throw new ClientProblem(
                    "There is no snapshot " + name + ". 'towtank cluster snapshots' shows what there is.");
        }
        objects().delete(SNAPSHOT_KIND, name);
        objects().await(SNAPSHOT_KIND, name, _ -> false);
    }

    public Resource cluster(String name) {
        return client.find(PATH + "/" + checked(name))
                .map(Resource::of)
                .orElseThrow(() -> new ClientProblem(
                        "There is no cluster " + name + ". 'towtank cluster list' shows what there is."));
    }

    /// A name is part of addresses: nothing else may be.
    private static String checked(String name) {
        if (!Names.dnsLabel(name).isEmpty()) {
            throw new ClientProblem(
                    "\"" + name + "\" cannot be the name of a cluster: lower case letters, digits and '-',"
                            + " at most 63, with a letter or digit at both ends.");
        }
        return name;
    }

    /// The way in for an administrator, for as long as they want and the cluster lives.
    public String kubeconfig(String name, Duration life) {
        var cluster = "/clusters/" + cluster(name).name();
        var accounts = cluster + "/api/v1/namespaces/kube-system/serviceaccounts";
        if (client.find(accounts + "/" + ACCOUNT).isEmpty()) {
            client.send("POST", accounts, JSON, object("v1", "ServiceAccount", "kube-system", ACCOUNT));
        }
        var bindings = cluster + "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
        if (client.find(bindings + "/towtank-" + ACCOUNT).isEmpty()) {
            client.send("POST", bindings, JSON, binding());
        }
        var token = client.send("POST", accounts + "/" + ACCOUNT + "/token", JSON, request(life))
                .string("status", "token");
        var authority = client.get(cluster + "/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt")
                .string("data", "ca.crt");
        return new Kubeconfig(server + cluster, authority, "default", token).text();
    }

    private static Json.Obj object(String apiVersion, String kind, String namespace, String name) {
        var metadata = Json.Obj.of("name", Json.of(name));
        return Json.Obj.of(
                "apiVersion",
                Json.of(apiVersion),
                "kind",
                Json.of(kind),
                "metadata",
                namespace.isEmpty() ? metadata : metadata.with("namespace", Json.of(namespace)));
    }

    private static Json.Obj binding() {
        var group = "rbac.authorization.k8s.io";
        return object(group + "/v1", "ClusterRoleBinding", "", "towtank-" + ACCOUNT)
                .with(
                        "roleRef",
                        Json.Obj.of(
                                "apiGroup", Json.of(group), "kind", Json.of("ClusterRole"), "name", Json.of(ACCOUNT)))
                .with(
                        "subjects",
                        Json.Arr.of(Json.Obj.of(
                                "kind",
                                Json.of("ServiceAccount"),
                                "namespace",
                                Json.of("kube-system"),
                                "name",
                                Json.of(ACCOUNT))));
    }

    private static Json.Obj request(Duration life) {
        return Json.Obj.of(
                "apiVersion",
                Json.of("authentication.k8s.io/v1"),
                "kind",
                Json.of("TokenRequest"),
                "spec",
                Json.Obj.of("expirationSeconds", Json.of(life.toSeconds())));
    }

    /// Puts a cluster to sleep or wakes it, and waits until it does.
    public void power(String name, String state) {
        var path = PATH + "/" + own(name).name();
        client.send("PATCH", path, MERGE, Json.Obj.of("spec", Json.Obj.of("powerState", Json.of(state))));
        objects().await(KIND, name, each -> each.status().string("powerState").equals(state));
    }

    /// Deletes a cluster with all that is in it, and waits until it is gone.
    public void delete(String name) {
        objects().delete(KIND, own(name).name());
        objects().await(KIND, name, _ -> false);
    }

    /// What was made for an object follows that object.
    private Resource own(String name) {
        var found = cluster(name);
        var owner = owner(found);
        if (!owner.isEmpty()) {
            throw new ClientProblem("Cluster " + name + " belongs to " + owner + ": change or delete that object.");
        }
        return found;
    }

    private ObjectClient objects() {
        return new ObjectClient(client, "");
    }
}
