package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Secrets, ConfigMaps, ServiceAccounts, claims and stores: who makes them, and who uses them.
final class ObjectReferences implements Check {

    private static final Set<String> DEFINING = Set.of(
            "Secret", "ConfigMap", "ServiceAccount", "PersistentVolumeClaim", "SecretStore", "ClusterSecretStore");

    private static final Set<String> USING_GROUPS =
            Set.of("", "apps", "batch", "tekton.dev", "triggers.tekton.dev", "mlops.mlops.dev", "serving.kserve.io");

    /// A field that refers to something.
    ///
    /// @param name which of its own fields has the name
    private record Source(String kind, String name) {}

    private static final Map<String, Source> SOURCES = Map.of(
            "secretKeyRef", new Source("Secret", "name"),
            "secretRef", new Source("Secret", "name"),
            "secret", new Source("Secret", "secretName"),
            "configMapKeyRef", new Source("ConfigMap", "name"),
            "configMapRef", new Source("ConfigMap", "name"),
            "configMap", new Source("ConfigMap", "name"),
            "persistentVolumeClaim", new Source("PersistentVolumeClaim", "claimName"));

    private static final Map<String, Rule> RULES = Map.of(
            "Secret", Rule.UNDEFINED_SECRET,
            "ConfigMap", Rule.UNDEFINED_CONFIGMAP,
            "ServiceAccount", Rule.UNDEFINED_SERVICEACCOUNT,
            "PersistentVolumeClaim", Rule.UNDEFINED_CLAIM,
            "SecretStore", Rule.UNDEFINED_STORE,
            "ClusterSecretStore", Rule.UNDEFINED_STORE);

    @Override
    public void check(Document document, Observations seen) {
        definitions(document, seen);
        if (document.group().equals("external-secrets.io")) {
            stores(document, seen);
        } else if (USING_GROUPS.contains(document.group()) && !document.kind().isEmpty()) {
            Optional.ofNullable(document.root().at("spec")).ifPresent(spec -> uses(document, spec, seen));
        }
    }

    private static void definitions(Document document, Observations seen) {
        var root = document.root();
        if (DEFINING.contains(document.kind())) {
            seen.add(Definition.of(document.kind(), document.name()));
        }
        switch (document.kind()) {
            case "ExternalSecret" -> {
                var target = root.text("spec", "target", "name");
                seen.add(Definition.of("Secret", target.isEmpty() ? document.name() : target));
            }
            case "SealedSecret", "OnePasswordItem" -> seen.add(Definition.of("Secret", document.name()));
            case "VaultStaticSecret", "VaultDynamicSecret", "VaultPKISecret" ->
                seen.add(Definition.of("Secret", root.text("spec", "destination", "name")));
            case "InfisicalSecret" ->
                seen.add(Definition.of("Secret", root.text("spec", "managedSecretReference", "secretName")));
            case "Certificate" -> seen.add(Definition.of("Secret", root.text("spec", "secretName")));
            case "ObjectBucketClaim" -> {
                seen.add(Definition.of("Secret", document.name()));
                seen.add(Definition.of("ConfigMap", document.name()));
            }
            default -> {
                root.list("secretGenerator").forEach(each -> seen.add(Definition.of("Secret", each.text("name"))));
                root.list("configMapGenerator")
                        .forEach(each -> seen.add(Definition.of("ConfigMap", each.text("name"))));
            }
        }
    }

    private static void uses(Document document, Located here, Observations seen) {
        here.fields().forEach((name, field) -> {
            var source = SOURCES.get(name);
            if (source != null && !isOptional(field.value())) {
                use(document, source.kind, field.value().at(source.name), seen);
            } else if (name.equals("serviceAccountName") || name.equals("taskServiceAccountName")) {
                use(document, "ServiceAccount", field.value(), seen);
            } else if (name.equals("imagePullSecrets")) {
                field.value().items().forEach(each -> use(document, "Secret", each.at("name"), seen));
            } else if (name.equals("projected")) {
                field.value().list("sources").forEach(each -> projected(document, each, seen));
                return;
            }
            uses(document, field.value(), seen);
        });
        here.items().forEach(item -> uses(document, item, seen));
    }

    // Within a projected volume a Secret's name is in another field.
    private static void projected(Document document, Located source, Observations seen) {
        for (var kind : List.of(Map.entry("secret", "Secret"), Map.entry("configMap", "ConfigMap"))) {
            var found = source.at(kind.getKey());
            if (found != null && !isOptional(found)) {
                use(document, kind.getValue(), found.at("name"), seen);
            }
        }
    }

    private static boolean isOptional(Located source) {
        var optional = source.at("optional");
        return optional != null && optional.json().equals(Json.Bool.TRUE);
    }

    private static void stores(Document document, Observations seen) {
        for (var holder : document.root().all()) {
            var ref = holder.at("secretStoreRef");
            if (ref != null) {
                var kind = ref.text("kind").isEmpty() ? "SecretStore" : ref.text("kind");
                use(document, kind, ref.at("name"), seen);
            }
        }
        if (document.kind().equals("SecretStore")) {
            for (var holder : document.root().all()) {
                var account = holder.at("serviceAccount");
                use(document, "ServiceAccount", account == null ? null : account.at("name"), seen);
            }
        }
    }

    private static void use(Document document, String kind, @Nullable Located name, Observations seen) {
        var rule = RULES.get(kind);
        if (rule == null
                || name == null
                || !(name.json() instanceof Json.Str(var text))
                || text.isEmpty()
                || Placeholder.isIn(text)) {
            return;
        }
        seen.add(new Reference(
                kind,
                text,
                Finding.of(
                        rule,
                        document.value(name),
                        "no file here defines the " + kind + " \"" + text + "\"",
                        "It must be on the cluster already; if not, add it."),
                Optional.empty()));
    }
}
