package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who reads Secrets through a store of the kubernetes provider, and what its ServiceAccount may read.
/// [StoreRightMatches] holds it against each other.
final class StoreRights implements Check {

    private static final String GROUP = "external-secrets.io";
    private static final String RBAC = "rbac.authorization.k8s.io";

    /// An object by the words that others use for it. A namespace that no file writes may be any.
    record Name(String kind, String namespace, String name) {
        boolean isMeantBy(Name other) {
            return kind.equals(other.kind) && name.equals(other.name) && mayBeSame(namespace, other.namespace);
        }
    }

    /// @param source the namespace whose Secrets it reads
    record Store(Name name, Name account, String source) {}

    /// @param isComplete whether it has no rules but these: others may be added to one that aggregates
    record Role(Name name, boolean isComplete, List<Grant> grants) {
        Role {
            grants = List.copyOf(grants);
        }
    }

    /// A rule that is about Secrets.
    ///
    /// @param names to which it is limited; none where it is not
    /// @param place of the names, or of the rule
    record Grant(Set<String> verbs, Set<String> names, SourcePlace place) {
        Grant {
            verbs = Set.copyOf(verbs);
            names = Set.copyOf(names);
        }

        boolean allows(String verb) {
            return verbs.contains(verb) || verbs.contains("*");
        }
    }

    /// @param namespace where it holds; empty for any
    record Binding(String namespace, Name role, List<Located> subjects) {
        Binding {
            subjects = List.copyOf(subjects);
        }
    }

    /// @param key of the Secret that is read; nothing where it is searched for
    record Read(Name store, Optional<String> key) {}

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        if (document.group().equals(GROUP)) {
            externalSecrets(document, seen);
        } else if (document.group().equals(RBAC)) {
            rights(document, seen);
        }
    }

    static boolean mayBeSame(String namespace, String other) {
        return namespace.isEmpty()
                || other.isEmpty()
                || namespace.equals(other)
                || Placeholder.isIn(namespace)
                || Placeholder.isIn(other);
    }

    private static void externalSecrets(Document document, Observations seen) {
        var namespace = document.root().text("metadata", "namespace");
        switch (document.kind()) {
            case "SecretStore", "ClusterSecretStore" -> store(document, namespace, seen);
            case "ExternalSecret" -> reads(document.root().at("spec"), namespace, seen);
            case "ClusterExternalSecret" -> reads(document.root().at("spec", "externalSecretSpec"), "", seen);
            case "PushSecret" -> pushes(document.root(), namespace, seen);
            default -> {}
        }
    }

    private static void store(Document document, String namespace, Observations seen) {
        var provider = document.root().at("spec", "provider", "kubernetes");
        var url = provider == null ? "" : provider.text("server", "url");
        if (provider == null || !(url.isEmpty() || url.contains("kubernetes.default"))) {
            return; // What an account may do on another cluster is in no file here.
        }
        var account = provider.text("auth", "serviceAccount", "name");
        if (account.isEmpty() || Placeholder.isIn(account)) {
            return;
        }
        boolean isOfCluster = document.kind().equals("ClusterSecretStore");
        var home = isOfCluster ? provider.text("auth", "serviceAccount", "namespace") : namespace;
        var source = provider.text("remoteNamespace");
        seen.stores.add(new Store(
                new Name(document.kind(), isOfCluster ? "" : namespace, document.name()),
                new Name("ServiceAccount", home, account),
                source.isEmpty() ? "default" : source));
    }

    private static void reads(@Nullable Located spec, String namespace, Observations seen) {
        if (spec == null) {
            return;
        }
        var usual = spec.at("secretStoreRef");
        for (var entry : spec.list("data")) {
            read(storeOf(entry, usual), namespace, Optional.of(entry.text("remoteRef", "key")), seen);
        }
        for (var entry : spec.list("dataFrom")) {
            if (entry.field("extract") != null) {
                read(storeOf(entry, usual), namespace, Optional.of(entry.text("extract", "key")), seen);
            } else if (entry.field("find") != null) {
                read(storeOf(entry, usual), namespace, Optional.empty(), seen);
            }
        }
    }

    private static @Nullable Located storeOf(Located entry, @Nullable Located usual) {
        var own = entry.at("sourceRef", "storeRef");
        return own == null ? usual : own;
    }

    // What is written is read first.
    private static void pushes(Located root, String namespace, Observations seen) {
        for (var ref : root.list("spec", "secretStoreRefs")) {
            for (var entry : root.list("spec", "data")) {
                read(ref, namespace, Optional.of(entry.text("match", "remoteRef", "remoteKey")), seen);
            }
        }
    }

    private static void read(@Nullable Located ref, String namespace, Optional<String> key, Observations seen) {
        if (ref != null) {
            var kind = ref.text("kind").isEmpty() ? "SecretStore" : ref.text("kind");
            var home = kind.equals("ClusterSecretStore") ? "" : namespace;
            seen.reads.add(new Read(new Name(kind, home, ref.text("name")), key));
        }
    }

    private static void rights(Document document, Observations seen) {
        var root = document.root();
        var namespace = root.text("metadata", "namespace");
        switch (document.kind()) {
            case "Role", "ClusterRole" ->
                seen.roles.add(new Role(
                        new Name(document.kind(), document.kind().equals("Role") ? namespace : "", document.name()),
                        root.field("aggregationRule") == null,
                        grants(document)));
            case "RoleBinding", "ClusterRoleBinding" ->
                seen.bindings.add(new Binding(
                        document.kind().equals("RoleBinding") ? namespace : "",
                        new Name(
                                root.text("roleRef", "kind"),
                                root.text("roleRef", "kind").equals("Role") ? namespace : "",
                                root.text("roleRef", "name")),
                        root.list("subjects")));
            default -> {}
        }
    }

    private static List<Grant> grants(Document document) {
        var found = new ArrayList<Grant>();
        for (var rule : document.root().list("rules")) {
            var groups = texts(rule, "apiGroups");
            var resources = texts(rule, "resources");
            if ((groups.contains("") || groups.contains("*"))
                    && (resources.contains("secrets") || resources.contains("*"))) {
                var names = rule.field("resourceNames");
                found.add(new Grant(
                        texts(rule, "verbs"),
                        texts(rule, "resourceNames"),
                        names == null ? document.value(rule) : document.key(names)));
            }
        }
        return found;
    }

    private static Set<String> texts(Located rule, String field) {
        var found = new HashSet<String>();
        for (var item : rule.list(field)) {
            if (item.json() instanceof Json.Str(var text)) {
                found.add(text);
            }
        }
        return found;
    }
}
