package dev.towtank.apiserver.auth;

import dev.towtank.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringTokenizer;

/// The ClusterRoles and ClusterRoleBindings that every logical cluster has without storing them.
///
/// A stored object of the same name takes the place of the one here, so a cluster can change what it starts with.
public record BootstrapPolicy(List<Json.Obj> clusterRoles, List<Json.Obj> clusterRoleBindings) {

    static final String GROUP = "rbac.authorization.k8s.io";

    private static final String API_VERSION = GROUP + "/v1";

    public BootstrapPolicy {
        clusterRoles = List.copyOf(clusterRoles);
        clusterRoleBindings = List.copyOf(clusterRoleBindings);
    }

    /// Read once, as it takes a while.
    private static final class Standard {
        private static final BootstrapPolicy POLICY = readStandard();
    }

    /// What Kubernetes starts with, as far as it concerns kinds that we serve.
    public static BootstrapPolicy standard() {
        return Standard.POLICY;
    }

    private static BootstrapPolicy readStandard() {
        try (var in = Objects.requireNonNull(BootstrapPolicy.class.getResourceAsStream("bootstrap-policy.txt"))) {
            return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The same policy and more, such as the roles of a feature's own kinds.
    public BootstrapPolicy plus(BootstrapPolicy other) {
        var roles = new ArrayList<>(clusterRoles);
        roles.addAll(other.clusterRoles);
        var bindings = new ArrayList<>(clusterRoleBindings);
        bindings.addAll(other.clusterRoleBindings);
        return new BootstrapPolicy(roles, bindings);
    }

    /// Reads the format that the head of `bootstrap-policy.txt` explains.
    public static BootstrapPolicy read(String text) {
        var roles = new ArrayList<Json.Obj>();
        var bindings = new ArrayList<Json.Obj>();
        var rules = new ArrayList<Json>();
        for (var line : text.lines().toList().reversed()) {
            if (line.startsWith("role ")) {
                roles.addFirst(role(words(line)).with("rules", new Json.Arr(rules.reversed())));
                rules.clear();
            } else if (line.startsWith("bind ")) {
                bindings.addFirst(binding(words(line)));
            } else if (line.startsWith(" ")) {
                rules.add(rule(line));
            }
        }
        return new BootstrapPolicy(roles, bindings);
    }

    /// A role of the server's own.
    public static Json.Obj role(String name, Json.Arr rules) {
        return role(List.of("role", name)).with("rules", rules);
    }

    /// What gives a role to a service account, under the role's name.
    public static Json.Obj binding(String role, String namespace, String account) {
        return binding(List.of("bind", role, "ServiceAccount:" + namespace + "/" + account));
    }

    private static Json.Obj role(List<String> words) {
        var labels = Json.Obj.builder().put("kubernetes.io/bootstrapping", "rbac-defaults");
        var selectors = Json.Arr.EMPTY;
        for (var word : words.subList(2, words.size())) {
            var label = GROUP + "/" + word.substring(word.indexOf('=') + 1);
            if (word.startsWith("label=")) {
                labels.put(label, "true");
            } else {
                selectors = selectors.plus(Json.Obj.of("matchLabels", Json.Obj.of(label, Json.of("true"))));
            }
        }
        var role = object("ClusterRole", words.get(1), labels.build());
        return selectors.isEmpty()
                ? role
                : role.with("aggregationRule", Json.Obj.of("clusterRoleSelectors", selectors));
    }

    private static Json.Obj binding(List<String> words) {
        var name = words.get(1);
        var subjects = words.subList(2, words.size()).stream()
                .<Json>map(BootstrapPolicy::subject)
                .toList();
        return object("ClusterRoleBinding", name, Json.Obj.of("kubernetes.io/bootstrapping", Json.of("rbac-defaults")))
                .with(
                        "roleRef",
                        Json.Obj.of("apiGroup", Json.of(GROUP), "kind", Json.of("ClusterRole"), "name", Json.of(name)))
                .with("subjects", new Json.Arr(subjects));
    }

    private static Json.Obj subject(String word) {
        int colon = word.indexOf(':');
        var kind = word.substring(0, colon);
        var name = word.substring(colon + 1);
        if (kind.equals("ServiceAccount")) {
            int slash = name.indexOf('/');
            return Json.Obj.of(
                    "kind", Json.of(kind),
                    "name", Json.of(name.substring(slash + 1)),
                    "namespace", Json.of(name.substring(0, slash)));
        }
        return Json.Obj.of("apiGroup", Json.of(GROUP), "kind", Json.of(kind), "name", Json.of(name));
    }

    private static Json.Obj object(String kind, String name, Json.Obj labels) {
        var metadata = Json.Obj.builder()
                .put("name", name)
                .put("labels", labels)
                .put("annotations", Json.Obj.of("rbac.authorization.kubernetes.io/autoupdate", Json.of("true")))
                .build();
        return Json.Obj.of("apiVersion", Json.of(API_VERSION), "kind", Json.of(kind), "metadata", metadata);
    }

    private static Json.Obj rule(String line) {
        var parts = line.split("\\|", -1);
        var verbs =
                words(parts[0]).stream().flatMap(word -> verbs(word).stream()).toList();
        if (words(parts[1]).equals(List.of("url"))) {
            return new PolicyRule(verbs, List.of(), List.of(), List.of(), words(parts[2])).json();
        }
        var groups = words(parts[1]).stream()
                .map(each -> each.equals("core") ? "" : each)
                .toList();
        var names = parts.length > 3 ? words(parts[3]) : List.<String>of();
        return new PolicyRule(verbs, groups, words(parts[2]), names, List.of()).json();
    }

    private static List<String> verbs(String word) {
        return switch (word) {
            case "read" -> List.of("get", "list", "watch");
            case "write" -> List.of("create", "update", "patch", "delete", "deletecollection");
            default -> List.of(word);
        };
    }

    private static List<String> words(String text) {
        var words = new ArrayList<String>();
        var left = new StringTokenizer(text);
        while (left.hasMoreTokens()) {
            words.add(left.nextToken());
        }
        return List.copyOf(words);
    }
}
