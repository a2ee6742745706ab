package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Secrets;
import java.util.List;
import java.util.Optional;

/// Secrets of this server, as far as an account may read and write them.
record OwnSecrets(LogicalCluster cluster, Account account, String namespace, Cache secrets, Rights rights)
        implements KubernetesProvider.Source {

    @Override
    public Optional<Resource> get(String name) {
        check("get", name);
        return secrets.get(new ObjectName(cluster, namespace, name));
    }

    @Override
    public List<Resource> list(LabelSelector selector) {
        check("list", "");
        return secrets.select(cluster, namespace, selector);
    }

    /// @throws ReadProblem the account may not do that
    void check(String verb, String name) {
        check(rights, cluster, account, verb, Secrets.KIND.resource(), namespace, name);
    }

    static void check(
            Rights rights,
            LogicalCluster cluster,
            Account account,
            String verb,
            GroupResource resource,
            String namespace,
            String name) {
        if (!rights.allow(cluster, account, verb, resource, namespace, name)) {
            throw ReadProblem.of(StatusError.forbidden(
                            resource,
                            name,
                            "User %s cannot %s resource %s in API group %s%s"
                                    .formatted(
                                            Json.of(account.user()),
                                            verb,
                                            Json.of(resource.resource()),
                                            Json.of(resource.group()),
                                            namespace.isEmpty()
                                                    ? " at the cluster scope"
                                                    : " in the namespace " + Json.of(namespace)))
                    .text());
        }
    }
}
