package dev.towtank.controllers.builds.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The Secret by which a build fetches its source.
///
/// @param name empty where it has none
record SourceLogin(ObjectName name, Map<String, String> values) {

    private static final List<String> KEYS = List.of("password", "token", "ssh-privatekey");

    static SourceLogin read(Cluster cluster, ObjectName build, String secret) throws GitProblem {
        var name = new ObjectName(build.cluster(), build.namespace(), secret);
        if (secret.isEmpty()) {
            return new SourceLogin(name, Map.of());
        }
        var found = cluster.get(Secrets.KIND, name)
                .orElseThrow(() -> new GitProblem("there is no Secret " + secret + " in namespace " + build.namespace()
                        + " (spec.source.sourceSecret)"));
        var values = new HashMap<String, String>();
        found.json().stringMap("data").forEach((key, value) -> values.put(key, decoded(value)));
        if (KEYS.stream().noneMatch(values::containsKey)) {
            throw new GitProblem("the Secret " + build.namespace() + "/" + secret
                    + " has none of the keys password, token and ssh-privatekey");
        }
        return new SourceLogin(name, values);
    }

    private static String decoded(String value) {
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// Whose fault it may be that the server does not let us in.
    String blame() {
        if (name.name().isEmpty()) {
            return " The repository wants a password: name a Secret with username and password in spec.source.sourceSecret.";
        }
        var keys = Stream.of("username", "password", "token", "ssh-privatekey")
                .filter(values::containsKey)
                .toList();
        var decisive = KEYS.stream().filter(values::containsKey).findFirst().orElse("password");
        return " The server does not accept what is in the Secret " + name.namespace() + "/" + name.name()
                + ": check its key " + decisive + " (it has " + String.join(", ", keys) + ").";
    }

    @Override
    public String toString() {
        return "SourceLogin[" + name + "]"; // the rest is secret
    }
}
