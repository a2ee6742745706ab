package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.auth.EscalationCheck;
import dev.towtank.apiserver.auth.RbacAuthorizer;

/// Roles and bindings give nobody more than the writer has.
public final class RoleEscalation implements Admission {

    private final EscalationCheck check;

    public RoleEscalation(RbacAuthorizer rbac) {
        this.check = new EscalationCheck(rbac);
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null || !review.kind().group().equals(RbacAuthorizer.ROLES.group())) {
            return;
        }
        var call = review.call();
        switch (review.kind().kind()) {
            case "Role", "ClusterRole" ->
                check.onRole(call.user(), call.cluster(), call.target(), object, review.old());
            case "RoleBinding", "ClusterRoleBinding" ->
                check.onBinding(call.user(), call.cluster(), call.target(), object, review.old());
            default -> {
                // No other kind of this group gives rights.
            }
        }
    }
}
