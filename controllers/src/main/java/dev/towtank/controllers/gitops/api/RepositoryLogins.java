package dev.towtank.controllers.gitops.api;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.git.source.GitRepositories.Login;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is known about repositories, as Argo CD keeps it: names, passwords and keys in Secrets, of one repository or of
/// all
/// whose address begins alike; certificates of authorities and keys of hosts in ConfigMaps.
public final class RepositoryLogins {

    private static final String TYPE = "argocd.argoproj.io/secret-type";

    private static final Map<String, String> VALUES = Map.of(
            "username", "username", "password", "password", "bearerToken", "token", "sshPrivateKey", "ssh-privatekey");

    private final Cache secrets;
    private final Cache configMaps;

    /// @param configMaps one of which has the keys of hosts, as `ssh_known_hosts`
    public RepositoryLogins(Cache secrets, Cache configMaps) {
        this.secrets = secrets;
        this.configMaps = configMaps;
    }

    /// In PEM; empty where those of the machine are all.
    public String authorities(String host) {
        return setting("argocd-tls-certs-cm", host);
    }

    private String setting(String map, String key) {
        return configMaps
                .get(new ObjectName(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE, map))
                .map(found -> found.json().string("data", key))
                .orElse("");
    }

    public Optional<Login> find(String url) {
        var all = secrets.in(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE);
        return all.stream()
                .filter(each ->
                        isOfType(each, "repository") && plain(text(each, "url")).equals(plain(url)))
                .findFirst()
                .filter(each -> VALUES.keySet().stream()
                        .anyMatch(key -> each.json().object("data").has(key)))
                .or(() -> all.stream()
                        .filter(each ->
                                isOfType(each, "repo-creds") && plain(url).startsWith(plain(text(each, "url"))))
                        .max(Comparator.comparingInt(each -> text(each, "url").length())))
                .map(this::login);
    }

    private Login login(Resource secret) {
        var values = new HashMap<String, String>();
        VALUES.forEach((theirs, ours) -> {
            if (secret.json().object("data").has(theirs)) {
                values.put(ours, text(secret, theirs));
            }
        });
        var hosts = setting("argocd-ssh-known-hosts-cm", "ssh_known_hosts");
        if (values.containsKey("ssh-privatekey") && !hosts.isBlank()) {
            values.put("known_hosts", hosts);
        }
        return new Login(values);
    }

    private static String text(Resource secret, String key) {
        try {
            return new String(Base64.getDecoder().decode(secret.json().string("data", key)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static boolean isOfType(Resource secret, String type) {
        return secret.labels().getOrDefault(TYPE, "").equals(type);
    }

    private static String plain(String url) {
        return url.replaceAll("(\\.git)?/*$", "");
    }
}
