package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Settings and secrets, as they are at the moment.
public final class Configuration {

    private static final String NAME = "pipelines-as-code";
    private static final String APP_SECRET = "pipelines-as-code-secret";
    private static final List<String> NAMESPACES =
            List.of(PacKinds.NAMESPACE, "openshift-pipelines", "tekton-pipelines");

    private final Cluster cluster;
    private final Cache maps;

    public Configuration(Cluster cluster, Cache maps) {
        this.cluster = cluster;
        this.maps = maps;
    }

    public PacSettings settings() {
        return PacSettings.of(NAMESPACES.stream()
                .flatMap(namespace -> maps.get(new ObjectName(LogicalCluster.DEFAULT, namespace, NAME)).stream())
                .findFirst());
    }

    /// With which a forge signs what it sends about a repository.
    Optional<String> webhookSecret(Resource repository) {
        var provider = repository.spec().object("git_provider");
        if (provider.has("webhook_secret")) {
            return secret(
                    repository.namespace(),
                    provider.string("webhook_secret", "name"),
                    key(provider.string("webhook_secret", "key"), "webhook.secret"));
        }
        return provider.size() > 0 && provider.has("secret")
                ? secret(repository.namespace(), provider.string("secret", "name"), "webhook.secret")
                        .or(this::appSecret)
                : appSecret();
    }

    /// The one of the GitHub App.
    private Optional<String> appSecret() {
        return NAMESPACES.stream()
                .flatMap(namespace -> secret(namespace, APP_SECRET, "webhook.secret").stream())
                .findFirst();
    }

    String token(Resource repository) {
        var secret = repository.spec().object("git_provider", "secret");
        return secret.string("name").isEmpty()
                ? ""
                : secret(repository.namespace(), secret.string("name"), key(secret.string("key"), "provider.token"))
                        .orElse("");
    }

    static String key(String said, String usual) {
        return said.isEmpty() ? usual : said;
    }

    Optional<String> secret(String namespace, String name, String key) {
        return name.isEmpty()
                ? Optional.empty()
                : cluster.get(Secrets.KIND, new ObjectName(LogicalCluster.DEFAULT, namespace, name))
                        .map(found -> found.json().string("data", key))
                        .filter(text -> !text.isEmpty())
                        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).strip());
    }

    /// Who is asked about a repository.
    Forges forge(Resource repository, GitEvent.Forge forge, String owner, String name) {
        var said = repository.spec().string("git_provider", "url");
        return Forges.of(
                forge, said.isEmpty() ? origin(repository.spec().string("url")) : said, owner, name, token(repository));
    }

    private static String origin(String url) {
        var uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getAuthority();
    }
}
