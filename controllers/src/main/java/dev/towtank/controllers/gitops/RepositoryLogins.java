package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cache;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.source.GitRepositories.Login;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.Comparator;
import java.util.Optional;

/// What is known about repositories, as Argo CD keeps it: names and passwords in Secrets, of one repository or of all
/// whose
/// address begins alike, and certificates of authorities by host in the ConfigMap `argocd-tls-certs-cm`.
final class RepositoryLogins {

    private static final String TYPE = "argocd.argoproj.io/secret-type";

    private final Cache secrets;
    private final Cache configMaps;

    RepositoryLogins(Cache secrets, Cache configMaps) {
        this.secrets = secrets;
        this.configMaps = configMaps;
    }

    /// In PEM; empty where those of the machine are all.
    String authorities(String host) {
        return configMaps.in(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE).stream()
                .filter(each -> each.name().equals("argocd-tls-certs-cm"))
                .map(each -> each.json().string("data", host))
                .findFirst()
                .orElse("");
    }

    Optional<Login> find(String url) {
        var all = secrets.in(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE);
        return all.stream()
                .filter(each -> isOfType(each, "repository")
                        && plain(Destinations.text(each, "url")).equals(plain(url)))
                .findFirst()
                .filter(each -> each.json().object("data").has("password"))
                .or(() -> all.stream()
                        .filter(each -> isOfType(each, "repo-creds")
                                && plain(url).startsWith(plain(Destinations.text(each, "url"))))
                        .max(Comparator.comparingInt(
                                each -> Destinations.text(each, "url").length())))
                .map(each -> new Login(Destinations.text(each, "username"), Destinations.text(each, "password")));
    }

    private static boolean isOfType(Resource secret, String type) {
        return secret.labels().getOrDefault(TYPE, "").equals(type);
    }

    private static String plain(String url) {
        return url.replaceAll("(\\.git)?/*$", "");
    }
}
