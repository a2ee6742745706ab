package dev.towtank.model.kinds.rbac;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

public final class ClusterRoleBindings {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings")
            .withRules(new BindingRules(false, List.of("ClusterRole")))
            .withColumns(BindingRules.columns());

    private ClusterRoleBindings() {}
}
