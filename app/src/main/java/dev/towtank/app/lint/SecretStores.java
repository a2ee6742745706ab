package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.model.Json;
import java.util.Optional;

/// Stores of the kubernetes provider that do not say which server they mean.
final class SecretStores implements Check {

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        boolean isStore = document.group().equals("external-secrets.io")
                && document.kind().endsWith("SecretStore");
        if (!isStore) {
            return;
        }
        var provider = Optional.ofNullable(document.root().at("spec", "provider"))
                .map(each -> each.field("kubernetes"))
                .filter(each -> each.value().json() instanceof Json.Obj);
        provider.filter(each ->
                        each.value().field("server") == null && each.value().field("authRef") == null)
                .ifPresent(field -> seen.add(
                        Rule.SECRETSTORE_SERVER,
                        document.key(field),
                        "the " + document.kind() + " names no server: the operator answers InvalidProviderConfig, "
                                + "\"no server URL provided\"",
                        "Add server: {caProvider: {type: ConfigMap, name: kube-root-ca.crt, key: ca.crt"
                                + (document.kind().startsWith("Cluster") ? ", namespace: default" : "")
                                + "}}; the URL is then kubernetes.default."));
    }
}
