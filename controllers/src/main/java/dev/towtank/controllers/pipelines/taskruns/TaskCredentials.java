package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Which Secrets of a service account are for git and registries, by their annotations.
///
/// @param flags for the entrypoint, which makes files of them
/// @param missing Secrets that the account names and that are not there
record TaskCredentials(
        List<String> flags,
        List<Json.Obj> volumes,
        List<Json.Obj> mounts,
        List<String> missing,
        Optional<String> problem) {

    private static final String PREFIX = "tekton-creds";
    private static final int HASH = 8;

    static final TaskCredentials NONE =
            new TaskCredentials(List.of(), List.of(), List.of(), List.of(), Optional.empty());

    static TaskCredentials of(
            Resource account, Function<String, Optional<Resource>> secrets, boolean requiresKnownHosts) {
        var flags = new ArrayList<String>();
        var volumes = new ArrayList<Json.Obj>();
        var mounts = new ArrayList<Json.Obj>();
        var missing = new ArrayList<String>();
        var names = new LinkedHashSet<String>();
        account.json().objects("secrets").stream()
                .map(secret -> secret.string("name"))
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        var used = new LinkedHashSet<String>();
        for (var name : names) {
            var secret = secrets.apply(name);
            if (secret.isEmpty()) {
                missing.add(name);
                continue;
            }
            if (requiresKnownHosts
                    && isSsh(secret.get())
                    && !secret.get().json().object("data").has("known_hosts")) {
                return new TaskCredentials(
                        List.of(),
                        List.of(),
                        List.of(),
                        missing,
                        Optional.of(
                                "TaskRun validation failed. Git SSH Secret must have \"known_hosts\" included when feature flag"
                                        + " \"require-git-ssh-secret-known-hosts\" is set to true"));
            }
            var own = flags(secret.get());
            if (!own.isEmpty()) {
                flags.addAll(own);
                var volume = unused(
                        used,
                        ChildNames.hashed(PREFIX, name, HASH),
                        taken -> ChildNames.hashed(PREFIX, taken + "$", HASH));
                volumes.add(Json.Obj.of("name", Json.of(volume), "secret", Json.Obj.of("secretName", Json.of(name))));
                mounts.add(TaskScripts.mount(volume, "/tekton/creds-secrets/" + name, false));
            }
        }
        return new TaskCredentials(flags, volumes, mounts, missing, Optional.empty());
    }

    static String unused(Set<String> used, String first, UnaryOperator<String> next) {
        var name = first;
        while (!used.add(name)) {
            name = next.apply(name);
        }
        return name;
    }

    private static boolean isSsh(Resource secret) {
        return secret.json().string("type").equals("kubernetes.io/ssh-auth");
    }

    private static List<String> flags(Resource secret) {
        var flags = new ArrayList<String>();
        switch (secret.json().string("type")) {
            case "kubernetes.io/basic-auth" -> {
                urls(secret, "tekton.dev/docker-")
                        .forEach(url -> flags.add("-basic-docker=" + secret.name() + "=" + url));
                urls(secret, "tekton.dev/git-").forEach(url -> flags.add("-basic-git=" + secret.name() + "=" + url));
            }
            case "kubernetes.io/ssh-auth" ->
                urls(secret, "tekton.dev/git-").forEach(url -> flags.add("-ssh-git=" + secret.name() + "=" + url));
            case "kubernetes.io/dockerconfigjson" -> flags.add("-docker-config=" + secret.name());
            case "kubernetes.io/dockercfg" -> flags.add("-docker-cfg=" + secret.name());
            default -> {}
        }
        return flags;
    }

    private static List<String> urls(Resource secret, String prefix) {
        return secret.annotations().entrySet().stream()
                .filter(annotation -> annotation.getKey().startsWith(prefix))
                .map(annotation -> annotation.getValue())
                .sorted()
                .toList();
    }
}
