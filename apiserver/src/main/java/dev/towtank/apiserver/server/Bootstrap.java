package dev.towtank.apiserver.server;

import dev.towtank.apiserver.auth.BootstrapPolicy;
import dev.towtank.apiserver.auth.RbacAuthorizer;
import dev.towtank.apiserver.registry.NewCluster;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a store must contain before anybody can use it: the first namespaces and the standard roles.
final class Bootstrap {

    private final Store store;
    private final NewCluster newCluster;
    private final InstantSource clock;
    private final RandomGenerator random;

    Bootstrap(Store store, NewCluster newCluster, InstantSource clock, RandomGenerator random) {
        this.store = store;
        this.newCluster = newCluster;
        this.clock = clock;
        this.random = random;
    }

    /// Adds what is missing, in one commit; what is there stays as its users have it.
    void run(BootstrapPolicy policy) {
        var writes = new ArrayList<Write>();
        newCluster.contents(LogicalCluster.DEFAULT).forEach(write -> addMissing(writes, write));
        roles(RbacAuthorizer.CLUSTER_ROLES, policy.clusterRoles()).forEach(write -> addMissing(writes, write));
        roles(RbacAuthorizer.CLUSTER_ROLE_BINDINGS, policy.clusterRoleBindings())
                .forEach(write -> addMissing(writes, write));
        if (!writes.isEmpty()) {
            store.commit(writes);
        }
    }

    private void addMissing(List<Write> writes, Write write) {
        if (store.get(write.key()) == null) {
            writes.add(write);
        }
    }

    private List<Write> roles(GroupResource resource, List<Json.Obj> objects) {
        return objects.stream()
                .<Write>map(object -> new Write.Create(
                        new Key(resource, LogicalCluster.DEFAULT, "", object.string("metadata", "name")),
                        NewCluster.withSystemMetadata(object, clock.instant(), random)))
                .toList();
    }
}
