package dev.towtank.app.lint.standing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.standing.Appliers.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A file is applied where something of its repository applies it, and not where nothing speaks against it.
final class StandingsTest {

    @TempDir
    Path root;

    @BeforeEach
    void beARepository() throws IOException {
        Files.createDirectories(root.resolve(".git"));
    }

    private String put(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text).toString();
    }

    private Standing of(String file, Set<String> listed, Delivery... deliveries) throws IOException {
        var path = put(file, "kind: ConfigMap\n");
        var named = new Named(List.of(root.toString()));
        return new Standings(named, new Appliers(named, listed, List.of(deliveries))).of(path);
    }

    private Standing of(String file) throws IOException {
        return of(file, Set.of());
    }

    @Test
    void nothingIsAppliedUnlessSomethingSaysSo() throws IOException {
        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.KEPT);
        assertThat(of("web.yaml")).isEqualTo(Standing.KEPT);
    }

    @Test
    void whoeverNamesAFolderMeansItsFilesUnlessItIsAWholeRepository() throws IOException {
        var file = put("deploy/web.yaml", "kind: ConfigMap\n");
        var named = new Named(List.of(root.resolve("deploy").toString()));

        assertThat(named.hasNear(file)).isTrue();
        put("deploy/LICENSE", "");
        assertThat(named.hasNear(file)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "deploy.sh, kubectl apply -f deploy/web.yaml",
        "Makefile, kubectl -n web apply -f ./deploy",
        "deploy/README.md, `oc create -f web.yaml`",
        ".github/workflows/main.yaml, '- run: kubectl replace --filename=deploy/web.yaml'",
        "scripts/up.sh, kubectl apply -f \"$ROOT/deploy/web.yaml\"",
        "tools/up.py, 'run([\"kubectl\", \"apply\", \"-f\", \"deploy/web.yaml\"])'",
        "README.md, kubectl apply -f https://raw.githubusercontent.com/me/it/main/deploy/web.yaml",
        "Tiltfile, k8s_yaml('deploy/web.yaml')",
        "all.sh, kubectl apply -R -f ."
    })
    void whatPeopleTypeIsApplied(String by, String line) throws IOException {
        put(by, line + "\n");

        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.APPLIED);
    }

    @ParameterizedTest
    @CsvSource({
        "deploy.sh, kubectl delete -f deploy/web.yaml",
        "deploy.sh, kubectl apply -f other/web.yaml",
        "deploy.sh, kubectl apply -f -",
        "README.md, kubectl apply -f https://example.com/deploy/web.yaml",
        "README.md, kubectl apply -f web.yaml",
        "deploy.sh, kubectl apply -f .",
        "deploy.sh, kubectl apply -k deploy",
        "deploy.sh, kustomize build deploy | kubectl apply -f -"
    })
    void whatIsSaidOfOthersSaysNothing(String by, String line) throws IOException {
        put(by, line + "\n");

        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.KEPT);
    }

    @Test
    void aKustomizationAppliesWhatItListsAndNothingElse() throws IOException {
        put("deploy/kustomization.yaml", "resources: [web.yaml]\n");
        var all = new Delivery(put("flux.yaml", ""), "", true);
        var listed = Set.of(root.resolve("deploy/web.yaml").toString());

        assertThat(of("deploy/web.yaml", listed, all)).isEqualTo(Standing.APPLIED);
        assertThat(of("deploy/later.yaml", listed, all)).isEqualTo(Standing.SHOWN);
        assertThat(of("other/web.yaml", listed, all)).isEqualTo(Standing.APPLIED);
    }

    @Test
    void aControllerAppliesWhatIsInItsFolder() throws IOException {
        var shallow = new Delivery(put("apps.yaml", ""), "web", false);

        assertThat(of("web/a.yaml", Set.of(), shallow)).isEqualTo(Standing.APPLIED);
        assertThat(of("web/deep/a.yaml", Set.of(), shallow)).isEqualTo(Standing.KEPT);
        assertThat(of("web/deep/a.yaml", Set.of(), new Delivery(shallow.by(), "web", true)))
                .isEqualTo(Standing.APPLIED);
        assertThat(of("website/a.yaml", Set.of(), shallow)).isEqualTo(Standing.KEPT);
    }

    @Test
    void aChartIsInstalledWithItsTemplates() throws IOException {
        put("web/Chart.yaml", "name: web\n");

        assertThat(of("web/templates/a.yaml")).isEqualTo(Standing.APPLIED);
        assertThat(of("web/crds/a.yaml")).isEqualTo(Standing.APPLIED);
        assertThat(of("web/output.yaml")).isEqualTo(Standing.SHOWN);
    }

    @Test
    void pipelinesAsCodeRunsItsFolder() throws IOException {
        assertThat(of(".tekton/push.yaml")).isEqualTo(Standing.APPLIED);
    }

    @Test
    void anExampleThatIsAppliedIsTriedAndAnExerciseIsNot() throws IOException {
        put("README.md", "kubectl apply -f examples/web.yaml\nkubectl apply -f lab-1/web.yaml\n");

        assertThat(of("examples/web.yaml")).isEqualTo(Standing.TRIED);
        assertThat(of("examples/other.yaml")).isEqualTo(Standing.SHOWN);
        assertThat(of("lab-1/web.yaml")).isEqualTo(Standing.SHOWN);
    }
}
