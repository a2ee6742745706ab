package dev.towtank.model.kinds.rbac;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

public final class RoleBindings {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings")
            .withRules(new BindingRules(true, List.of("Role", "ClusterRole")))
            .withColumns(BindingRules.columns());

    private RoleBindings() {}
}
