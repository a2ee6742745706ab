package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the files that git, ssh and docker look for out of the Secrets that the pod mounts, in `/tekton/creds`.
final class StepCredentials {

    private static final String DIRECTORY = "/tekton/creds";
    private static final int PRIVATE = 0600;
    private static final int LARGEST = 1024 * 1024;

    // The same copying that Tekton does, for tools that look nowhere but at home. The command itself follows as words,
    // so no part of it is ever read as shell.
    private static final String COPY_HOME = "for f in .docker .gitconfig .git-credentials .ssh; do"
            + " if [ -e \"/tekton/creds/$f\" ] && [ -n \"$HOME\" ]; then"
            + " cp -R \"/tekton/creds/$f\" \"$HOME/\" && chmod -R go-rwx \"$HOME/$f\"; fi; done 2>/dev/null;"
            + " exec \"$0\" \"$@\"";

    private final RunningContainer container;
    private final EntrypointFlags flags;

    StepCredentials(RunningContainer container, EntrypointFlags flags) {
        this.container = container;
        this.flags = flags;
    }

    /// The words to put before the step's command so that it finds the credentials at home; none without any.
    List<String> write() {
        try {
            var docker = writeDocker();
            var git = writeGit();
            var ssh = writeSsh();
            return docker || git || ssh ? List.of("/bin/sh", "-c", COPY_HOME) : List.of();
        } catch (IOException | JsonText.Malformed | IllegalArgumentException e) {
            // Never the text of the exception: it could quote a secret.
            container.log("Error initializing credentials: the Secrets cannot be read ("
                    + e.getClass().getSimpleName() + ")");
            return List.of();
        }
    }

    /// `secret=url` pairs in the order of the flags.
    private List<Map.Entry<String, String>> pairs(String flag) {
        return flags.all(flag).stream()
                .map(text -> text.split("=", 2))
                .filter(parts -> parts.length == 2)
                .map(parts -> Map.entry(parts[0], parts[1]))
                .toList();
    }

    private String secret(String name, String key) throws IOException {
        return optional(name, key).orElseThrow(() -> new IOException("Secret " + name + " has no " + key));
    }

    private Optional<String> optional(String name, String key) throws IOException {
        return container
                .read("/tekton/creds-secrets/" + name + "/" + key, LARGEST)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private void put(String file, String content) throws IOException {
        container.write(DIRECTORY + "/" + file, content.getBytes(StandardCharsets.UTF_8), PRIVATE);
    }

    private boolean writeDocker() throws IOException {
        var entries = new LinkedHashMap<String, Json>();
        for (var name : flags.all("docker-cfg")) {
            JsonText.parseObject(secret(name, ".dockercfg")).forEach(entries::put);
        }
        for (var name : flags.all("docker-config")) {
            JsonText.parseObject(secret(name, ".dockerconfigjson"))
                    .object("auths")
                    .forEach(entries::put);
        }
        for (var pair : pairs("basic-docker")) {
            entries.put(pair.getValue(), dockerEntry(pair.getKey()));
        }
        if (entries.isEmpty()) {
            return false;
        }
        put(
                ".docker/config.json",
                Json.Obj.of("auths", Json.Obj.copyOf(entries)).toString());
        return true;
    }

    private Json.Obj dockerEntry(String name) throws IOException {
        var user = secret(name, "username");
        var password = secret(name, "password");
        var both = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return Json.Obj.builder()
                .put("username", user)
                .put("password", password)
                .put("auth", both)
                .put("email", "not@val.id")
                .build();
    }

    private boolean writeGit() throws IOException {
        var pairs = pairs("basic-git");
        if (pairs.isEmpty()) {
            return false;
        }
        var config = new StringBuilder("[credential]\n\thelper = store\n");
        var hosts = new ArrayList<String>();
        var repositories = new ArrayList<String>();
        for (var pair : pairs) {
            var url = pair.getValue();
            var user = secret(pair.getKey(), "username");
            config.append("[credential \"%s\"]\n\tusername = %s\n".formatted(url, user.replace("\\", "\\\\")));
            if (hasPath(url)) {
                config.append("\tuseHttpPath = true\n");
            }
            (hasPath(url) ? repositories : hosts).add(withUser(url, user, secret(pair.getKey(), "password")));
        }
        put(".gitconfig", config.toString());
        // What holds for a host comes first, so that what holds for one repository of it wins.
        hosts.addAll(repositories);
        put(".git-credentials", String.join("\n", hosts) + "\n");
        return true;
    }

    private static boolean hasPath(String url) {
        var path = URI.create(url).getPath();
        return path != null && !path.isEmpty() && !path.equals("/");
    }

    private static String withUser(String url, String user, String password) {
        int scheme = url.indexOf("://") + 3;
        return url.substring(0, scheme) + escape(user) + ":" + escape(password) + "@" + url.substring(scheme);
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private boolean writeSsh() throws IOException {
        var byUrl = new LinkedHashMap<String, List<String>>();
        pairs("ssh-git")
                .forEach(pair -> byUrl.computeIfAbsent(pair.getValue(), _ -> new ArrayList<>())
                        .add(pair.getKey()));
        if (byUrl.isEmpty()) {
            return false;
        }
        var hosts = new StringBuilder();
        var repositories = new StringBuilder();
        var redirects = new StringBuilder();
        var knownHosts = new ArrayList<String>();
        for (var entry : byUrl.entrySet()) {
            var address = SshAddress.parse(entry.getKey());
            var config = address.path().isEmpty() ? hosts : repositories;
            config.append(address.config());
            redirects.append(address.redirects());
            for (var name : entry.getValue()) {
                put(".ssh/id_" + name, secret(name, "ssh-privatekey"));
                config.append("    IdentityFile " + DIRECTORY + "/.ssh/id_" + name + "\n");
                optional(name, "known_hosts").ifPresent(knownHosts::add);
            }
        }
        put(".ssh/config", hosts.toString() + repositories);
        if (!knownHosts.isEmpty()) {
            put(".ssh/known_hosts", String.join("\n", knownHosts));
        }
        if (!redirects.isEmpty()) {
            var before = container.read(DIRECTORY + "/.gitconfig", LARGEST);
            var text = before.map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                    .orElse("");
            put(".gitconfig", text.contains(redirects) ? text : text + redirects);
        }
        return true;
    }

    /// `host[:port][/repository]`. A repository has a name of its own in ssh's configuration, and git is told
    /// to use it.
    private record SshAddress(String host, String port, String path) {

        private static final String USUAL_PORT = "22";

        static SshAddress parse(String text) {
            int slash = text.indexOf('/');
            var place = slash < 0 ? text : text.substring(0, slash);
            int colon = place.lastIndexOf(':');
            return new SshAddress(
                    colon < 0 ? place : place.substring(0, colon),
                    colon < 0 ? USUAL_PORT : place.substring(colon + 1),
                    slash < 0 ? "" : text.substring(slash + 1));
        }

        private String alias() {
            return path.isEmpty() ? host : host + "--" + path.replace("/", "--");
        }

        String config() {
            return "Host %s\n    HostName %s\n    Port %s\n".formatted(alias(), host, port);
        }

        String redirects() {
            if (path.isEmpty()) {
                return "";
            }
            var url = port.equals(USUAL_PORT) ? host : host + ":" + port;
            return "[url \"git@%1$s:%2$s.git\"]\n\tinsteadOf = git@%3$s:%2$s.git\n[url \"ssh://%1$s/%2$s.git\"]\n\tinsteadOf = ssh://%4$s/%2$s.git\n"
                    .formatted(alias(), path, host, url);
        }
    }
}
