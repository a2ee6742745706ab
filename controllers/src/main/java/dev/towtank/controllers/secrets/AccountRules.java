package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.rbac.ClusterRoles;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.util.Optional;

/// Whether any rule lets an account get some Secret of a namespace. A rule that names single Secrets is such a rule,
/// while the question whether the account may get *a* Secret is answered by no.
final class AccountRules {

    private final Cache bindings;
    private final Cache roles;
    private final Cache clusterRoles;

    AccountRules(Caches caches) {
        this.bindings = caches.of(RoleBindings.KIND);
        this.roles = caches.of(Roles.KIND);
        this.clusterRoles = caches.of(ClusterRoles.KIND);
    }

    boolean allowSome(LogicalCluster cluster, Account account, String namespace) {
        return bindings.in(cluster, namespace).stream()
                .filter(binding -> binding.json().objects("subjects").stream()
                        .anyMatch(subject -> isAbout(account, subject, namespace)))
                .map(this::role)
                .flatMap(Optional::stream)
                .flatMap(role -> role.json().objects("rules").stream())
                .anyMatch(AccountRules::isGetOfSecrets);
    }

    private static boolean isAbout(Account account, Json.Obj subject, String namespace) {
        var name = subject.string("name");
        return switch (subject.string("kind")) {
            case "ServiceAccount" -> {
                var own = subject.string("namespace");
                var place = own.isEmpty() ? namespace : own;
                yield account.user()
                        .equals(Account.ofServiceAccount(place, name).user());
            }
            case "User" -> account.user().equals(name);
            case "Group" -> account.groups().contains(name);
            default -> false;
        };
    }

    private Optional<Resource> role(Resource binding) {
        var reference = binding.json().object("roleRef");
        var name = reference.string("name");
        return reference.string("kind").equals("ClusterRole")
                ? clusterRoles.get(new ObjectName(binding.cluster(), "", name))
                : roles.get(new ObjectName(binding.cluster(), binding.namespace(), name));
    }

    private static boolean isGetOfSecrets(Json.Obj rule) {
        return has(rule, "resources", "secrets") && has(rule, "verbs", "get") && has(rule, "apiGroups", "");
    }

    private static boolean has(Json.Obj rule, String field, String value) {
        var values = rule.array(field).strings();
        return values.contains(value) || values.contains("*");
    }
}
