package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
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
    private final Cache repositories;
    private final GitHubApp app;
    private final Meters.Count requests;

    public Configuration(Cluster cluster, Cache maps, Cache repositories, InstantSource clock, Meters meters) {
        this.cluster = cluster;
        this.maps = maps;
        this.repositories = repositories;
        this.app = new GitHubApp(clock);
        this.requests = meters.counter(
                "pac_controller_pipelines_as_code_git_provider_api_request_count",
                "number of API requests from pipelines as code to git providers",
                "provider",
                "namespace",
                "repository");
    }

    /// The Repository with what the global one says where it says nothing itself.
    public Resource filled(Resource repository) {
        return NAMESPACES.stream()
                .flatMap(
                        namespace -> repositories.get(new ObjectName(LogicalCluster.DEFAULT, namespace, NAME)).stream())
                .findFirst()
                .map(global -> GlobalRepository.fill(repository, global))
                .orElse(repository);
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
            return secret(repository, provider.object("webhook_secret"), "webhook.secret");
        }
        return provider.size() > 0 && provider.has("secret")
                ? secret(repository, provider.object("secret").without("key"), "webhook.secret")
                        .or(() -> appKey("webhook.secret"))
                : appKey("webhook.secret");
    }

    /// Of the Secret of the GitHub App.
    private Optional<String> appKey(String key) {
        return NAMESPACES.stream()
                .flatMap(namespace -> secret(namespace, APP_SECRET, key).stream())
                .findFirst();
    }

    private GitHubApp.Identity identity() throws IOException {
        var id = appKey("github-application-id");
        var key = appKey("github-private-key");
        if (id.isEmpty() || key.isEmpty()) {
            throw new IOException("the event comes from a GitHub App, but there is no Secret " + APP_SECRET
                    + " with github-application-id and github-private-key in the namespace " + PacKinds.NAMESPACE);
        }
        return new GitHubApp.Identity(id.get(), key.get());
    }

    static String key(String said, String usual) {
        return said.isEmpty() ? usual : said;
    }

    /// What a Repository refers to: in its own namespace, or in that of the global one if the reference is from there.
    Optional<String> secret(Resource repository, Json.Obj reference, String usualKey) {
        var namespace = key(reference.string(GlobalRepository.NAMESPACE), repository.namespace());
        return secret(namespace, reference.string("name"), key(reference.string("key"), usualKey));
    }

    private Optional<String> secret(String namespace, String name, String key) {
        return name.isEmpty()
                ? Optional.empty()
                : cluster.get(Secrets.KIND, new ObjectName(LogicalCluster.DEFAULT, namespace, name))
                        .map(found -> found.json().string("data", key))
                        .filter(text -> !text.isEmpty())
                        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).strip());
    }

    /// By which somebody speaks to a forge about a repository.
    ///
    /// @param token for git, too; empty where there is none
    record Access(Forges forge, String token, long installation) {}

    /// Who is asked about a repository.
    Access forge(Resource repository, GitEvent event) throws IOException, InterruptedException {
        var said = repository.spec().string("git_provider", "url");
        var address = said.isEmpty() ? origin(repository.spec().string("url")) : said;
        var reference = repository.spec().object("git_provider", "secret");
        var token = secret(repository, reference, "provider.token").orElse("");
        long installation = event.installation();
        boolean isApp = event.forge() == GitEvent.Forge.GITHUB
                && reference.string("name").isEmpty();
        if (isApp) {
            var root = Forges.root(event.forge(), address);
            var identity = identity();
            installation =
                    installation > 0 ? installation : app.installation(identity, root, event.owner(), event.name());
            token = app.token(identity, root, installation, scope(repository, event));
        }
        var credential = event.forge() == GitEvent.Forge.GITLAB
                ? ForgeHttp.Credential.gitLab(token)
                : ForgeHttp.Credential.token(token);
        // Some Forgejos stand behind something that lets pass only whom it knows by name.
        var agent = event.forge() == GitEvent.Forge.GITEA
                ? repository.spec().string("settings", "forgejo", "user_agent")
                : "";
        var http = new ForgeHttp(
                credential,
                key(agent, "towtank"),
                () -> requests.count(event.forge().wire(), repository.namespace(), repository.name()));
        return new Access(Forges.of(event, address, http, isApp), token, isApp ? installation : 0);
    }

    /// The repository itself, those of its owner that it names, if they are this namespace's own, and those that the
    /// settings name.
    private List<String> scope(Resource repository, GitEvent event) {
        var names = new ArrayList<>(List.of(event.name()));
        for (var wanted : repository
                .spec()
                .object("settings")
                .array("github_app_token_scope_repos")
                .strings()) {
            boolean isHere = wanted.startsWith(event.owner() + "/")
                    && repositories.list().stream()
                            .anyMatch(each -> each.namespace().equals(repository.namespace())
                                    && each.cluster().equals(repository.cluster())
                                    && each.spec().string("url").endsWith("/" + wanted));
            if (!isHere) {
                throw new IllegalArgumentException("failed to scope GitHub token as repo " + wanted
                        + " does not exist in namespace " + repository.namespace());
            }
            names.add(wanted.substring(event.owner().length() + 1));
        }
        for (var extra : settings().moreRepositories()) {
            if (extra.startsWith(event.owner() + "/")) {
                names.add(extra.substring(event.owner().length() + 1));
            }
        }
        return names.stream().distinct().toList();
    }

    private static String origin(String url) {
        var uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getAuthority();
    }
}
