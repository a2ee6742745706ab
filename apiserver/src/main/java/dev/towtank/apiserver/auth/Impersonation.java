package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Lets a user act as another one (`kubectl --as`), where RBAC allows the verb `impersonate` on every part of that one.
public final class Impersonation {

    private static final String ACCOUNT_PREFIX = "system:serviceaccount:";
    private static final String GROUP = "authentication.k8s.io";

    private final Authorizer authorizer;

    public Impersonation(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /// Who somebody wants to be, from the `Impersonate-*` headers of a request.
    ///
    /// @param extra by the header's suffix in lower case, with percent escapes resolved
    public record Wish(String user, String uid, List<String> groups, Map<String, List<String>> extra) {
        public Wish {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
        }

        public boolean isNone() {
            return user.isEmpty() && uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
        }
    }

    /// The user that the request counts for.
    ///
    /// @throws StatusError Forbidden when the caller may not be that user
    public User apply(User caller, LogicalCluster cluster, Wish wish) {
        if (wish.isNone()) {
            return caller;
        }
        if (wish.user.isEmpty()) {
            throw StatusError.badRequest("a group, uid or extra field can only be impersonated together with a user:"
                    + " send the Impersonate-User header, too");
        }
        requireUser(caller, cluster, wish.user);
        wish.groups.forEach(group -> require(caller, cluster, target("", "groups", "", group, "")));
        if (!wish.uid.isEmpty()) {
            require(caller, cluster, target(GROUP, "uids", "", wish.uid, ""));
        }
        wish.extra.forEach((key, values) ->
                values.forEach(value -> require(caller, cluster, target(GROUP, "userextras", "", value, key))));
        return new User(wish.user, wish.uid, groups(wish), wish.extra);
    }

    private void requireUser(User caller, LogicalCluster cluster, String name) {
        var account = account(name);
        require(
                caller,
                cluster,
                account.isEmpty()
                        ? target("", "users", "", name, "")
                        : target("", "serviceaccounts", account.getFirst(), account.getLast(), ""));
    }

    private static Target target(String group, String resource, String namespace, String name, String subresource) {
        return new Target(group, "v1", resource, namespace, name, subresource);
    }

    private void require(User caller, LogicalCluster cluster, Target target) {
        var attempt = new Authorizer.OnResource(caller, cluster, "impersonate", target);
        var decision = authorizer.decide(attempt);
        if (!decision.allowed()) {
            throw Forbidden.error(attempt, decision.reason());
        }
    }

    /// Namespace and name of a service account's user name; empty for other users.
    private static List<String> account(String user) {
        if (!user.startsWith(ACCOUNT_PREFIX)) {
            return List.of();
        }
        var parts = List.of(user.substring(ACCOUNT_PREFIX.length()).split(":", -1));
        return parts.size() == 2 && parts.stream().noneMatch(String::isEmpty) ? parts : List.of();
    }

    private static Set<String> groups(Wish wish) {
        var groups = new TreeSet<>(wish.groups);
        var account = account(wish.user);
        if (!account.isEmpty() && groups.isEmpty()) {
            groups.add("system:serviceaccounts");
            groups.add("system:serviceaccounts:" + account.getFirst());
        }
        if (wish.user.equals(User.ANONYMOUS.name())) {
            groups.addAll(User.ANONYMOUS.groups());
        } else if (!groups.containsAll(User.ANONYMOUS.groups())) {
            groups.add(User.ALL_AUTHENTICATED);
        }
        return groups;
    }
}
