package dev.towtank.controllers.secrets.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// Who somebody is and what they may do. Stores read in the name of others, never by our own rights.
public interface Rights {

    /// Whom a store reads as.
    record Account(String user, List<String> groups) {
        private static final String OF_ACCOUNT = "system:serviceaccount:";

        public Account {
            groups = List.copyOf(groups);
        }

        /// Which ServiceAccount this is; nothing for other users.
        public Optional<ObjectName> serviceAccount() {
            var parts = user.startsWith(OF_ACCOUNT)
                    ? user.substring(OF_ACCOUNT.length()).split(":", -1)
                    : new String[0];
            return parts.length == 2 ? Optional.of(ObjectName.of(parts[0], parts[1])) : Optional.empty();
        }

        public static Account ofServiceAccount(String namespace, String name) {
            return new Account(
                    OF_ACCOUNT + namespace + ":" + name,
                    List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"));
        }
    }

    /// @param name of an object; empty for all of the namespace
    boolean allow(
            LogicalCluster cluster,
            Account account,
            String verb,
            GroupResource resource,
            String namespace,
            String name);

    /// Whose token this is; empty where the server does not know it.
    Optional<Account> owner(LogicalCluster cluster, String token);

    /// As the API server answers.
    static Rights of(Cluster cluster) {
        return new Reviews(cluster);
    }

    /// By objects that are questions.
    record Reviews(Cluster api) implements Rights {
        private static final Kind<Json.Obj> ACCESS =
                Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");
        private static final Kind<Json.Obj> TOKEN =
                Kind.clusterScoped("authentication.k8s.io", "v1", "TokenReview", "tokenreviews");

        @Override
        public boolean allow(
                LogicalCluster cluster,
                Account account,
                String verb,
                GroupResource resource,
                String namespace,
                String name) {
            var attributes = Json.Obj.builder()
                    .putNonEmpty("namespace", namespace)
                    .put("verb", verb)
                    .putNonEmpty("group", resource.group())
                    .put("resource", resource.resource())
                    .putNonEmpty("name", name);
            var spec = Json.Obj.of(
                    "resourceAttributes",
                    attributes.build(),
                    "user",
                    Json.of(account.user),
                    "groups",
                    Json.Arr.ofStrings(account.groups));
            return ask(ACCESS, cluster, spec).status().flag("allowed");
        }

        @Override
        public Optional<Account> owner(LogicalCluster cluster, String token) {
            var status =
                    ask(TOKEN, cluster, Json.Obj.of("token", Json.of(token))).status();
            return status.flag("authenticated")
                    ? Optional.of(new Account(
                            status.string("user", "username"),
                            status.array("user", "groups").strings()))
                    : Optional.empty();
        }

        private Resource ask(Kind<?> kind, LogicalCluster cluster, Json.Obj spec) {
            var question =
                    Json.Obj.of("apiVersion", Json.of(kind.apiVersion()), "kind", Json.of(kind.kind()), "spec", spec);
            return api.create(kind, new Resource(cluster, question), Cluster.WriteOptions.DEFAULT);
        }
    }
}
