package dev.towtank.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A repository of a test's own making, and what the linter says to it.
final class LintedTree {

    private final Terminal terminal = new Terminal();
    private Path root = Path.of("");

    void begin(Path temp) throws IOException {
        root = temp.resolve("all");
        terminal.environment.put("XDG_STATE_HOME", temp.resolve("state").toString());
        Files.createDirectories(root.resolve(".git"));
        // So that an error may be one: what nobody applies has none.
        put("apply.sh", "kubectl apply -R -f .\n");
    }

    void put(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    /// What only servers take that have nothing any more that went before 1.30.
    void beOfANewCluster() throws IOException {
        put("new.yaml", """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: all}
                spec: {policyName: all, validationActions: [Deny]}
                """);
    }

    String linted(String folder, String... options) {
        var words = new ArrayList<>(List.of("lint", root.resolve(folder).toString()));
        words.addAll(List.of(options));
        terminal.run(words.toArray(String[]::new));
        return terminal.out();
    }
}
