package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an ApplicationSet delivers, by what its generators make of its paths.
final class LintDeliveredTest {

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void makeApplications() throws IOException {
        tree.begin(temp);
        tree.put("apply.sh", "kubectl apply -f root.yaml\n");
        for (var name : new String[] {"web", "api"}) {
            tree.put("apps/" + name + "/env/kustomization.yaml", "resources: [" + name + ".yaml]\n");
        }
    }

    private void set(String generators, String path) throws IOException {
        tree.put("root.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: ApplicationSet
                metadata: {name: all}
                spec:
                  goTemplate: true
                %s
                  template:
                    metadata: {name: "{{ .path.basename }}"}
                    spec:
                      project: default
                      source: {repoURL: "https://git.example.com/all", path: "%s"}
                      destination: {namespace: all, server: "https://kubernetes.default.svc"}
                """.formatted(generators.indent(2), path));
    }

    @Test
    void aListSaysWhichFoldersAMatrixMeans() throws IOException {
        set("""
                generators:
                - matrix:
                    generators:
                    - list: {elements: [{app: web}]}
                    - git:
                        repoURL: https://git.example.com/all
                        directories: [{path: "apps/{{ .app }}/env"}]
                """, "{{ .path.path }}");

        assertThat(tree.linted("")).contains("apps/web/env").doesNotContain("apps/api/env");
    }

    @Test
    void aListFillsInThePathOfTheTemplate() throws IOException {
        set("generators: [{list: {elements: [{app: web, stage: env}]}}]", "apps/{{app}}/{{ .stage }}");

        assertThat(tree.linted("")).contains("apps/web/env").doesNotContain("apps/api/env");
    }

    @Test
    void whatOtherGeneratorsKnowMayBeAnything() throws IOException {
        set("generators: [{clusters: {}}, {list: {elements: [{app: web}]}}]", "apps/{{ .app }}/env");

        assertThat(tree.linted("")).contains("apps/web/env").contains("apps/api/env");
    }
}
