package dev.towtank.controllers.namespaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.NamespaceStandards;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.time.Instant;
import java.util.Optional;

/// Pods that name no ServiceAccount run as `default`, so there is one; what people write into it is theirs.
final class ServiceAccountReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    @Override
    public Plan reconcile(Observed<Json.Obj> namespace, Optional<Resource> account, Instant now) {
        return account.isPresent() || !NamespacesFeature.isActive(namespace.object())
                ? Plan.none()
                : Plan.none().create(ServiceAccounts.KIND, account(namespace.object()));
    }

    private static Resource account(Resource namespace) {
        return namespace.with(NamespaceStandards.account(namespace.name()));
    }
}
