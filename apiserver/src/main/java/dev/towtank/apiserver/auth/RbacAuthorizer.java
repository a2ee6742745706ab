package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.RbacPolicy.Binding;
import dev.towtank.apiserver.auth.RbacPolicy.Role;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// Decides by the roles and bindings of the attempt's logical cluster, stored ones over built-in ones.
///
/// Each logical cluster in use has a prepared policy. Before a decision the authorizer takes in what has been committed
/// since the last one, so a binding that was committed before a request counts for it.
public final class RbacAuthorizer implements Authorizer, AutoCloseable {

    public static final GroupResource ROLES = new GroupResource(BootstrapPolicy.GROUP, "roles");
    public static final GroupResource ROLE_BINDINGS = new GroupResource(BootstrapPolicy.GROUP, "rolebindings");
    public static final GroupResource CLUSTER_ROLES = new GroupResource(BootstrapPolicy.GROUP, "clusterroles");
    public static final GroupResource CLUSTER_ROLE_BINDINGS =
            new GroupResource(BootstrapPolicy.GROUP, "clusterrolebindings");

    private static final Decision MASTER = new Decision(true, "");
    private static final int POLL_LIMIT = 1024;

    /// Policies are made again in a millisecond; this many of them bound the memory that forgotten clusters hold.
    private static final int POLICIES_LIMIT = 4096;

    private final Store store;
    private volatile Map<String, Role> builtInRoles = Map.of();
    private final Map<String, Binding> builtInBindings = new LinkedHashMap<>();
    private volatile Prepared builtIn;
    private final Map<LogicalCluster, Prepared> policies = new ConcurrentHashMap<>();

    private final Object lock = new Object();
    // Guarded by lock.
    private List<Feed> feeds;
    private volatile long seen;

    /// A policy with the parts it was made of, so that the next one reads only what has changed.
    private record Prepared(RbacPolicy policy, Map<Stored, Role> roles, Map<Stored, Binding> bindings) {}

    public RbacAuthorizer(Store store, BootstrapPolicy bootstrap) {
        this.store = store;
        builtInRoles = withRoles(Map.of(), bootstrap.clusterRoles());
        bootstrap.clusterRoleBindings().stream()
                .map(Binding::read)
                .forEach(binding -> builtInBindings.put(binding.name(), binding));
        this.builtIn = prepared();
        this.seen = store.revision();
        this.feeds = open(seen);
    }

    /// Roles that every logical cluster has from now on, as it has the built-in ones.
    public void share(List<Json.Obj> clusterRoles) {
        synchronized (lock) {
            builtInRoles = withRoles(builtInRoles, clusterRoles);
            builtIn = prepared();
            policies.clear();
        }
    }

    private static Map<String, Role> withRoles(Map<String, Role> known, List<Json.Obj> clusterRoles) {
        var all = new LinkedHashMap<>(known);
        clusterRoles.stream().map(Role::read).forEach(role -> all.put(role.name(), role));
        return all;
    }

    private Prepared prepared() {
        var policy = new RbacPolicy(builtInRoles.values(), Map.of(), builtInBindings.values());
        return new Prepared(policy, Map.of(), Map.of());
    }

    @Override
    public Decision decide(Attempt attempt) {
        if (attempt.user().groups().contains(User.MASTERS)) {
            return MASTER;
        }
        var namespace = attempt instanceof OnResource on ? on.target().namespace() : "";
        var all = policy(attempt.cluster()).grants(attempt.user(), namespace);
        for (int i = 0; i < all.size(); i++) {
            var allowing = all.get(i).allowing(attempt);
            if (allowing.isPresent()) {
                return allowing.get().allowing();
            }
        }
        var problems = new LinkedHashSet<String>();
        all.forEach(grants -> problems.addAll(grants.problems()));
        return new Decision(false, reason(problems));
    }

    private static String reason(Set<String> problems) {
        return switch (problems.size()) {
            case 0 -> "";
            case 1 -> "RBAC: " + problems.iterator().next();
            default -> "RBAC: [" + String.join(", ", problems) + "]";
        };
    }

    /// Every rule that counts for a user in a namespace, or at the cluster scope where that is empty.
    public List<PolicyRule> rules(User user, LogicalCluster cluster, String namespace) {
        var rules = new ArrayList<PolicyRule>();
        for (var grants : policy(cluster).grants(user, namespace)) {
            grants.all().forEach(grant -> rules.addAll(grant.rules()));
        }
        return rules;
    }

    /// The rules of a role, those it aggregates included; empty where there is no such role.
    ///
    /// @param roleKind `Role` or `ClusterRole`
    public Optional<List<PolicyRule>> rulesOf(LogicalCluster cluster, String roleKind, String name, String namespace) {
        return policy(cluster).rules(roleKind, name, namespace);
    }

    /// A ClusterRole as it is shown: one that aggregates others carries their rules.
    public Json.Obj shown(LogicalCluster cluster, Json.Obj clusterRole) {
        if (clusterRole.array("aggregationRule", "clusterRoleSelectors").size() == 0) {
            return clusterRole;
        }
        var rules = rulesOf(cluster, "ClusterRole", clusterRole.string("metadata", "name"), "");
        return rules.isEmpty()
                ? clusterRole
                : clusterRole.with(
                        "rules",
                        new Json.Arr(
                                rules.get().stream().<Json>map(PolicyRule::json).toList()));
    }

    @Override
    public void close() {
        synchronized (lock) {
            feeds.forEach(Feed::close);
        }
    }

    private RbacPolicy policy(LogicalCluster cluster) {
        if (store.revision() != seen) {
            synchronized (lock) {
                catchUp();
            }
        }
        var prepared = policies.get(cluster);
        return prepared == null ? prepare(cluster) : prepared.policy;
    }

    private RbacPolicy prepare(LogicalCluster cluster) {
        // Under the lock nobody takes in a change between our reading and our remembering.
        synchronized (lock) {
            if (policies.size() >= POLICIES_LIMIT) {
                policies.clear();
            }
            var prepared = read(cluster, builtIn);
            policies.put(cluster, prepared);
            return prepared.policy;
        }
    }

    // Decisions under way go by what was seen before, until every policy is made again.
    private void catchUp() {
        long revision = store.revision();
        var changed = new HashSet<LogicalCluster>();
        try {
            for (var feed : feeds) {
                take(feed, changed);
                revision = Math.min(revision, feed.revision());
            }
        } catch (Feed.Expired e) {
            feeds.forEach(Feed::close);
            policies.clear();
            revision = store.revision();
            feeds = open(revision);
        }
        for (var cluster : changed) {
            policies.computeIfPresent(cluster, (_, old) -> read(cluster, old));
        }
        seen = Math.max(seen, revision);
    }

    private static void take(Feed feed, Set<LogicalCluster> changed) {
        List<Change> changes;
        do {
            changes = feed.poll(POLL_LIMIT);
            changes.forEach(change -> changed.add(change.key().cluster()));
        } while (!changes.isEmpty());
    }

    private List<Feed> open(long since) {
        return Stream.of(ROLES, ROLE_BINDINGS, CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS)
                .map(resource -> store.feed(Range.of(resource), since))
                .toList();
    }

    private Prepared read(LogicalCluster cluster, Prepared known) {
        var clusterRoles = parts(CLUSTER_ROLES, cluster, known.roles, Role::read);
        var roles = parts(ROLES, cluster, known.roles, Role::read);
        var clusterBindings = parts(CLUSTER_ROLE_BINDINGS, cluster, known.bindings, Binding::read);
        var bindings = parts(ROLE_BINDINGS, cluster, known.bindings, Binding::read);
        if (clusterRoles.isEmpty() && roles.isEmpty() && clusterBindings.isEmpty() && bindings.isEmpty()) {
            return builtIn;
        }
        var policy = new RbacPolicy(
                over(builtInRoles, clusterRoles.values(), Role::name),
                byNamespace(roles),
                Stream.concat(
                                over(builtInBindings, clusterBindings.values(), Binding::name).stream(),
                                bindings.values().stream())
                        .toList());
        clusterRoles.putAll(roles);
        clusterBindings.putAll(bindings);
        return new Prepared(policy, clusterRoles, clusterBindings);
    }

    private <T> Map<Stored, T> parts(
            GroupResource resource, LogicalCluster cluster, Map<Stored, T> known, Function<Json.Obj, T> reading) {
        var parts = new LinkedHashMap<Stored, T>();
        for (var stored : store.list(Range.of(resource, cluster), 0, null, 0).items()) {
            var old = known.get(stored);
            parts.put(stored, old == null ? reading.apply(stored.tree()) : old);
        }
        return parts;
    }

    private static <T> Collection<T> over(Map<String, T> builtIn, Collection<T> stored, Function<T, String> name) {
        var all = new LinkedHashMap<>(builtIn);
        stored.forEach(each -> all.put(name.apply(each), each));
        return all.values();
    }

    private static Map<String, Map<String, Role>> byNamespace(Map<Stored, Role> roles) {
        var found = new HashMap<String, Map<String, Role>>();
        roles.forEach((stored, role) -> found.computeIfAbsent(stored.key().namespace(), _ -> new HashMap<>())
                .put(role.name(), role));
        return found;
    }
}
