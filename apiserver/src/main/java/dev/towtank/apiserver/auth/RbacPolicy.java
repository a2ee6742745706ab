package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
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
import java.util.TreeMap;

/// Everything that one logical cluster's roles and bindings say at one moment, arranged by who it is about.
///
/// Immutable: a change of a role or binding makes a new policy, and decisions under way keep the old one.
final class RbacPolicy {

    /// A role with its rules prepared.
    record Role(String name, Map<String, String> labels, List<LabelSelector> aggregates, List<PolicyRule> rules) {

        static Role read(Json.Obj json) {
            var resource = Resource.of(json);
            return new Role(resource.name(), resource.labels(), selectors(json), PolicyRule.readAll(json));
        }

        private static List<LabelSelector> selectors(Json.Obj json) {
            var found = new ArrayList<LabelSelector>();
            for (var selector : json.objects("aggregationRule", "clusterRoleSelectors")) {
                try {
                    found.add(LabelSelector.of(selector));
                } catch (StatusError e) {
                    // Validation refuses such a selector; one that got here all the same selects nothing.
                    found.add(LabelSelector.NOTHING);
                }
            }
            return found;
        }
    }

    /// A binding of any kind.
    ///
    /// @param namespace empty for a ClusterRoleBinding
    record Binding(String namespace, String name, String roleKind, String roleName, List<Subject> subjects) {

        static Binding read(Json.Obj json) {
            var resource = Resource.of(json);
            return new Binding(
                    resource.namespace(),
                    resource.name(),
                    json.string("roleRef", "kind"),
                    json.string("roleRef", "name"),
                    json.objects("subjects").stream().map(Subject::read).toList());
        }
    }

    record Subject(String kind, String namespace, String name) {
        static Subject read(Json.Obj json) {
            return new Subject(json.string("kind"), json.string("namespace"), json.string("name"));
        }
    }

    /// What a binding gives to one of its subjects.
    ///
    /// @param problem why there are no rules, or empty
    /// @param allowing the decision when one of the rules fits; made once, because it is asked for all the time
    record Grant(List<PolicyRule> rules, String problem, Authorizer.Decision allowing) {

        static Grant of(Binding binding, Subject subject, List<PolicyRule> rules, String problem) {
            var reason = "RBAC: allowed by " + source(binding, subject);
            return new Grant(rules, problem, new Authorizer.Decision(true, reason));
        }

        boolean allows(String verb, Target target) {
            for (int i = 0; i < rules.size(); i++) {
                if (rules.get(i).allows(verb, target)) {
                    return true;
                }
            }
            return false;
        }

        boolean allowsPath(String verb, String path) {
            for (int i = 0; i < rules.size(); i++) {
                if (rules.get(i).allowsPath(verb, path)) {
                    return true;
                }
            }
            return false;
        }

        /// For people who ask why they may do something.
        private static String source(Binding binding, Subject subject) {
            var where = binding.namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding";
            var name = binding.namespace.isEmpty() ? binding.name : binding.name + "/" + binding.namespace;
            var whose = subject.kind.equals("ServiceAccount")
                    ? subject.name + "/" + (subject.namespace.isEmpty() ? binding.namespace : subject.namespace)
                    : subject.name;
            return where + " " + Forbidden.quote(name) + " of " + binding.roleKind + " "
                    + Forbidden.quote(binding.roleName) + " to " + subject.kind + " " + Forbidden.quote(whose);
        }
    }

    /// The grants of one namespace, or of all, by the name of the user or group.
    private record Grants(Map<String, SubjectGrants> users, Map<String, SubjectGrants> groups) {
        Grants() {
            this(new HashMap<>(), new HashMap<>());
        }

        void addFor(User user, List<SubjectGrants> found) {
            var own = users.get(user.name());
            if (own != null) {
                found.add(own);
            }
            for (var group : user.groups()) {
                var shared = groups.get(group);
                if (shared != null) {
                    found.add(shared);
                }
            }
        }
    }

    private final Map<String, Role> clusterRoles = new TreeMap<>();
    private final Map<String, Map<String, Role>> roles = new HashMap<>();
    private final Map<String, List<PolicyRule>> resolved = new HashMap<>();
    private final Grants everywhere = new Grants();
    private final Map<String, Grants> byNamespace = new HashMap<>();

    /// @param roles by namespace and name
    RbacPolicy(Collection<Role> clusterRoles, Map<String, Map<String, Role>> roles, Collection<Binding> bindings) {
        clusterRoles.forEach(role -> this.clusterRoles.put(role.name(), role));
        this.roles.putAll(roles);
        this.clusterRoles.values().forEach(role -> resolved.put(role.name(), rulesOf(role, new HashSet<>())));
        var seen = new HashSet<List<String>>();
        for (var binding : bindings) {
            for (var subject : binding.subjects()) {
                add(binding, subject, seen);
            }
        }
    }

    // A thousand bindings of one role to one subject say no more than the first of them.
    private void add(Binding binding, Subject subject, Set<List<String>> seen) {
        var user = userName(binding, subject);
        var group = subject.kind().equals("Group") ? subject.name() : "";
        if (user.isEmpty() && group.isEmpty()) {
            return;
        }
        if (!seen.add(List.of(binding.namespace(), binding.roleKind(), binding.roleName(), user, group))) {
            return;
        }
        var rules = rules(binding.roleKind(), binding.roleName(), binding.namespace());
        var grant = Grant.of(binding, subject, rules.orElse(List.of()), rules.isPresent() ? "" : problem(binding));
        var place = binding.namespace().isEmpty()
                ? everywhere
                : byNamespace.computeIfAbsent(binding.namespace(), _ -> new Grants());
        var index = group.isEmpty() ? place.users() : place.groups();
        index.computeIfAbsent(group.isEmpty() ? user : group, _ -> new SubjectGrants())
                .add(grant);
    }

    private static String userName(Binding binding, Subject subject) {
        return switch (subject.kind()) {
            case "User" -> subject.name();
            case "ServiceAccount" -> {
                var namespace = subject.namespace().isEmpty() ? binding.namespace() : subject.namespace();
                yield namespace.isEmpty() ? "" : ServiceAccountClaims.userName(namespace, subject.name());
            }
            default -> "";
        };
    }

    private static String problem(Binding binding) {
        return switch (binding.roleKind()) {
            case "ClusterRole" -> "clusterrole." + BootstrapPolicy.GROUP + " \"" + binding.roleName() + "\" not found";
            case "Role" -> "role." + BootstrapPolicy.GROUP + " \"" + binding.roleName() + "\" not found";
            default -> "unsupported role reference kind: " + Forbidden.quote(binding.roleKind());
        };
    }

    /// The grants that count for a user in a namespace, or at the cluster scope where that is empty.
    List<SubjectGrants> grants(User user, String namespace) {
        var found = new ArrayList<SubjectGrants>(4);
        everywhere.addFor(user, found);
        var here = namespace.isEmpty() ? null : byNamespace.get(namespace);
        if (here != null) {
            here.addFor(user, found);
        }
        return found;
    }

    /// The rules of a role, those it aggregates included; empty where there is no such role.
    Optional<List<PolicyRule>> rules(String roleKind, String name, String namespace) {
        return switch (roleKind) {
            case "ClusterRole" -> Optional.ofNullable(resolved.get(name));
            case "Role" ->
                Optional.ofNullable(roles.getOrDefault(namespace, Map.of()).get(name))
                        .map(Role::rules);
            default -> Optional.empty();
        };
    }

    private List<PolicyRule> rulesOf(Role role, Set<String> visiting) {
        if (role.aggregates().isEmpty()) {
            return role.rules();
        }
        visiting.add(role.name());
        var rules = new LinkedHashMap<Json.Obj, PolicyRule>();
        for (var selector : role.aggregates()) {
            for (var other : clusterRoles.values()) {
                if (!visiting.contains(other.name()) && selector.matches(other.labels())) {
                    rulesOf(other, new LinkedHashSet<>(visiting)).forEach(rule -> rules.putIfAbsent(rule.json(), rule));
                }
            }
        }
        return List.copyOf(rules.values());
    }
}
