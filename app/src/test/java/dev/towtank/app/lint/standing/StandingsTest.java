package dev.towtank.app.lint.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    private Standing of(String file, Listings listings) throws IOException {
        var path = put(file, "kind: ConfigMap\n");
        var named = new Named(List.of(root.toString()));
        return new Standings(named, new Appliers(named, listings)).of(path);
    }

    private Standing of(String file, Delivery... deliveries) throws IOException {
        return of(file, new Listings(Set.of(), Map.of(), Set.of(), List.of(deliveries)));
    }

    private Delivery delivery(String by, String folder, boolean isDeep) throws IOException {
        return new Delivery(Path.of(put(by, "")), folder, isDeep, false);
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
        "deploy.sh, kubectl apply -k deploy",
        "deploy.sh, kustomize build deploy | kubectl apply -f -"
    })
    void whatIsSaidOfOthersSaysNothing(String by, String line) throws IOException {
        put(by, line + "\n");

        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.KEPT);
    }

    @Test
    void whereOtherFilesAreAppliedTheRestIsLeftOver() throws IOException {
        put("deploy.sh", "kubectl apply -f .\n");

        assertThat(of("web.yaml")).isEqualTo(Standing.APPLIED);
        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.SHOWN);
    }

    @Test
    void aKustomizationAppliesWhatItListsAndNothingElse() throws IOException {
        var kustomization = Path.of(put("deploy/kustomization.yaml", "resources: [web.yaml]\n"));
        var listings = new Listings(
                Set.of(kustomization),
                Map.of(root.resolve("deploy/web.yaml"), Set.of(kustomization)),
                Set.of(),
                List.of(delivery("flux.yaml", "", true)));

        assertThat(of("deploy/web.yaml", listings)).isEqualTo(Standing.APPLIED);
        assertThat(of("deploy/later.yaml", listings)).isEqualTo(Standing.SHOWN);
        assertThat(of("other/web.yaml", listings)).isEqualTo(Standing.APPLIED);
    }

    @Test
    void aControllerAppliesWhatIsInItsFolder() throws IOException {
        var shallow = delivery("apps.yaml", "web", false);

        assertThat(of("web/a.yaml", shallow)).isEqualTo(Standing.APPLIED);
        assertThat(of("web/deep/a.yaml", shallow)).isEqualTo(Standing.SHOWN);
        assertThat(of("web/deep/a.yaml", delivery("apps.yaml", "web", true))).isEqualTo(Standing.APPLIED);
        assertThat(of("website/a.yaml", shallow)).isEqualTo(Standing.SHOWN);
        assertThat(of("apps/one/web/a.yaml", delivery("apps.yaml", "apps/*/web", false)))
                .isEqualTo(Standing.APPLIED);
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
    void whatShowsSomethingIsNotForAServerWhoeverAppliesIt() throws IOException {
        put("README.md", "kubectl apply -f examples/web.yaml\nkubectl apply -f lab-1/web.yaml\n");

        assertThat(of("examples/web.yaml")).isEqualTo(Standing.SHOWN);
        assertThat(of("examples/other.yaml")).isEqualTo(Standing.SHOWN);
        assertThat(of("lab-1/web.yaml")).isEqualTo(Standing.SHOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, '# Web\n\n**This repository has been archived.**'",
        "README.md, '# DEPRECATED'",
        "deploy/README.md, 'This task is deprecated and will go.'",
        "README.md, 'These files are no longer maintained.'"
    })
    void whatIsKeptUpNoMoreNobodyMends(String page, String text) throws IOException {
        put("deploy.sh", "kubectl apply -f deploy/web.yaml\n");
        put(page, text.replace("\\n", "\n"));

        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.SHOWN);
    }

    @Test
    void whoeverSpeaksOfDeprecationKeepsItsOwnUp() throws IOException {
        put("deploy.sh", "kubectl apply -f deploy/web.yaml\n");
        put("README.md", "# Web\n\nIt finds deprecated fields, and archives logs.\n");

        assertThat(of("deploy/web.yaml")).isEqualTo(Standing.APPLIED);
    }

    @Test
    void aDeprecatedChartIsAsItWas() throws IOException {
        put("web/Chart.yaml", "name: web\ndeprecated: true\n");

        assertThat(of("web/templates/a.yaml")).isEqualTo(Standing.SHOWN);
    }
}
