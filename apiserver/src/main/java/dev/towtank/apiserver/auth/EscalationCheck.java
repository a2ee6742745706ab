package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Nobody may hand out rights that they do not have: neither by writing a role nor by binding one.
///
/// The verb `escalate` on a role, or `bind` on the role that is bound, lifts the limit.
public final class EscalationCheck {

    private static final List<PolicyRule> EVERYTHING = List.of(
            new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
            new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

    private final RbacAuthorizer rbac;

    public EscalationCheck(RbacAuthorizer rbac) {
        this.rbac = rbac;
    }

    /// A write of a Role or ClusterRole, with what is stored where there is something.
    public void onRole(User user, LogicalCluster cluster, Target target, Json.Obj role, Json.@Nullable Obj old) {
        if (isMaster(user) || isHousekeeping(role, old) || may(user, cluster, "escalate", target)) {
            return;
        }
        var resource = target.groupResource();
        var name = role.string("metadata", "name");
        confirm(user, cluster, target.namespace(), PolicyRule.readAll(role), resource, name);
        if ((aggregates(role) || (old != null && aggregates(old)))
                && !missing(user, cluster, target.namespace(), EVERYTHING).isEmpty()) {
            throw StatusError.forbidden(
                    resource, name, "must have cluster-admin privileges to use the aggregationRule");
        }
    }

    /// A write of a RoleBinding or ClusterRoleBinding.
    public void onBinding(User user, LogicalCluster cluster, Target target, Json.Obj binding, Json.@Nullable Obj old) {
        if (isMaster(user) || isHousekeeping(binding, old)) {
            return;
        }
        var roleKind = binding.string("roleRef", "kind");
        var roleName = binding.string("roleRef", "name");
        var plural = roleKind.equals("ClusterRole") ? "clusterroles" : "roles";
        var role = new Target(binding.string("roleRef", "apiGroup"), "*", plural, target.namespace(), roleName, "");
        if (may(user, cluster, "bind", role)) {
            return;
        }
        var rules = rbac.rulesOf(cluster, roleKind, roleName, target.namespace());
        if (rules.isEmpty()) {
            throw StatusError.notFound(new GroupResource(BootstrapPolicy.GROUP, plural), roleName);
        }
        var name = binding.string("metadata", "name");
        confirm(user, cluster, target.namespace(), rules.get(), target.groupResource(), name);
    }

    private static boolean isMaster(User user) {
        return user.groups().contains(User.MASTERS);
    }

    private boolean may(User user, LogicalCluster cluster, String verb, Target target) {
        return rbac.decide(new Authorizer.OnResource(user, cluster, verb, target))
                .allowed();
    }

    /// Whether only fields change that garbage collection sets: those give nobody anything.
    private static boolean isHousekeeping(Json.Obj object, Json.@Nullable Obj old) {
        return old != null && withoutHousekeeping(object).equals(withoutHousekeeping(old));
    }

    private static Json.Obj withoutHousekeeping(Json.Obj object) {
        return object.with(
                "metadata",
                object.object("metadata")
                        .without("ownerReferences")
                        .without("finalizers")
                        .without("managedFields")
                        .without("resourceVersion")
                        .without("generation"));
    }

    private static boolean aggregates(Json.Obj role) {
        return role.array("aggregationRule", "clusterRoleSelectors").size() > 0;
    }

    private List<PolicyRule> missing(User user, LogicalCluster cluster, String namespace, List<PolicyRule> wanted) {
        return PolicyRule.missing(rbac.rules(user, cluster, namespace), wanted);
    }

    private void confirm(
            User user,
            LogicalCluster cluster,
            String namespace,
            List<PolicyRule> wanted,
            GroupResource resource,
            String name) {
        var missing = missing(user, cluster, namespace, wanted);
        if (!missing.isEmpty()) {
            throw StatusError.forbidden(
                    resource,
                    name,
                    "user " + Forbidden.quote(user.name()) + " (groups="
                            + Forbidden.quoteAll(new TreeSet<>(user.groups()))
                            + ") is attempting to grant RBAC permissions not currently held:\n" + describe(missing));
        }
    }

    /// One line for each resource, with all the verbs that are missing on it.
    private static String describe(List<PolicyRule> missing) {
        var byResource = new LinkedHashMap<List<List<String>>, List<String>>();
        for (var rule : missing) {
            // Paths are not put together: each verb gets a line of its own, as in Kubernetes.
            var key = List.of(
                    rule.groups(),
                    rule.resources(),
                    rule.urls(),
                    rule.names(),
                    rule.urls().isEmpty() ? List.<String>of() : rule.verbs());
            byResource.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(rule.verbs());
        }
        var lines = new TreeSet<String>();
        byResource.forEach((key, verbs) -> {
            var parts = new ArrayList<String>();
            var labels = List.of("APIGroups", "Resources", "NonResourceURLs", "ResourceNames");
            for (int i = 0; i < labels.size(); i++) {
                if (!key.get(i).isEmpty()) {
                    parts.add(labels.get(i) + ":" + Forbidden.quoteAll(key.get(i)));
                }
            }
            parts.add("Verbs:" + Forbidden.quoteAll(verbs));
            lines.add("{" + String.join(", ", parts) + "}");
        });
        return String.join("\n", lines);
    }
}
