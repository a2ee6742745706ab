package dev.towtank.model.kinds.core;

import dev.towtank.model.Kind;
import java.util.List;

/// All kinds of the core group.
public final class CoreKinds {

    public static final List<Kind<?>> ALL = List.of(
            Namespaces.KIND,
            Pods.KIND,
            Services.KIND,
            Endpoints.KIND,
            ConfigMaps.KIND,
            Secrets.KIND,
            ServiceAccounts.KIND,
            PersistentVolumes.KIND,
            PersistentVolumeClaims.KIND,
            Events.KIND,
            Nodes.KIND,
            LimitRanges.KIND,
            ResourceQuotas.KIND,
            PodTemplateObjects.KIND,
            ReplicationControllers.KIND);

    private CoreKinds() {}
}
