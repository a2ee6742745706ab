package dev.towtank.app.lint.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A kustomization is used where something leads to it, and nothing leads through what nobody applies.
final class BuildsTest {

    @TempDir
    Path root;

    private final Set<Path> kustomizations = new HashSet<>();
    private final Map<Path, Set<Path>> listedBy = new HashMap<>();
    private final List<Delivery> deliveries = new ArrayList<>();

    @BeforeEach
    void beARepository() throws IOException {
        Files.createDirectories(root.resolve(".git"));
    }

    private Path put(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private void kustomization(String folder, String... resources) throws IOException {
        var file = put(folder + "/kustomization.yaml", "resources: " + List.of(resources) + "\n");
        kustomizations.add(file);
        for (var resource : resources) {
            listedBy.computeIfAbsent(file.resolveSibling(resource).normalize(), _ -> new HashSet<>())
                    .add(file);
        }
    }

    private void flux(String file, String folder) throws IOException {
        deliveries.add(new Delivery(put(file, "path: " + folder + "\n"), folder, true, true));
    }

    private Builds builds() {
        return new Builds(root, new Listings(kustomizations, listedBy, Set.of(), deliveries), _ -> false);
    }

    private boolean isBuilt(String folder) {
        return builds().has(root.resolve(folder).resolve("kustomization.yaml"));
    }

    @Test
    void whereNobodyBuildsAnySomebodyElsewhereDoes() throws IOException {
        kustomization("base", "web.yaml");

        assertThat(isBuilt("base")).isTrue();
    }

    @Test
    void whereAControllerDeliversSomethingElseNobodyDoes() throws IOException {
        kustomization("base", "web.yaml");
        flux("root.yaml", "charts/web");

        assertThat(isBuilt("base")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "deploy.sh, apply deploy/one",
        "skaffold.yaml, '  paths: [\"./deploy/one\"]'",
        "settings.toml, 'path = \"deploy/one\"'",
        "clusters/values.yaml, 'path: deploy/one'",
        "tools/up.py, 'build(f\"{root}/deploy/one\")'",
        "all.sh, 'for each in deploy/*; do'",
        "Makefile, $(MAKE) -C deploy/$(NAME)",
        "ci.yaml, 'url: https://git.example.com/me/it//deploy/one?ref=main'",
        "deploy/run.sh, kustomize build ../deploy/one/kustomization.yaml"
    })
    void whoeverSaysTheFolderUsesItAndNoOther(String by, String line) throws IOException {
        kustomization("deploy/one", "web.yaml");
        kustomization("others/two", "web.yaml");
        put(by, line + "\n");

        assertThat(isBuilt("deploy/one")).isTrue();
        assertThat(isBuilt("others/two")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "deploy.sh, '# apply deploy/one'",
        "README.md, see deploy/one",
        "CODEOWNERS, deploy/one @me",
        ".github/labeler.yml, '- deploy/one'",
        "check.sh, 'find . -not -path deploy/one'",
        "check.sh, ignore deploy/one",
        "deploy.sh, apply deploy/one-more"
    })
    void whoeverSaysItInPassingDoesNot(String by, String line) throws IOException {
        kustomization("deploy/one", "web.yaml");
        kustomization("others/two", "web.yaml");
        put("all.sh", "apply others/two\n");
        put(by, line + "\n");

        assertThat(isBuilt("deploy/one")).isFalse();
    }

    @Test
    void whoeverSpeaksOfSeveralDoesNotMeanWhatIsLeftOut() throws IOException {
        kustomization("apps", "web");
        kustomization("apps/web", "web.yaml");
        kustomization("apps/mail", "mail.yaml");
        kustomization("others/apps/news", "news.yaml");
        put("check.sh", "for each in apps/*; do\n");

        assertThat(isBuilt("apps/web")).isTrue();
        assertThat(isBuilt("apps/mail")).isFalse();
        assertThat(isBuilt("others/apps/news")).isFalse();
    }

    @Test
    void whatIsBuiltBuildsWhatItLists() throws IOException {
        kustomization("overlays/prod", "../../base");
        kustomization("base", "web.yaml", "../parts/queue");
        kustomization("parts/queue", "queue.yaml");
        kustomization("parts/cache", "cache.yaml");
        put("deploy.sh", "apply overlays/prod\n");

        assertThat(isBuilt("parts/queue")).isTrue();
        assertThat(isBuilt("parts/cache")).isFalse();
    }

    @Test
    void anObjectOfFluxThatItsFolderLeavesOutDeliversNothing() throws IOException {
        flux("clusters/home/flux-system/sync.yaml", "./clusters/home");
        kustomization("clusters/home/flux-system", "sync.yaml");
        flux("clusters/home/apps.yaml", "./apps");
        kustomization("apps", "web/flux.yaml");
        flux("apps/web/flux.yaml", "./apps/web/app");
        kustomization("apps/web/app", "web.yaml");
        flux("apps/mail/flux.yaml", "./apps/mail/app");
        kustomization("apps/mail/app", "mail.yaml");

        assertThat(isBuilt("apps")).isTrue();
        assertThat(isBuilt("apps/web/app")).isTrue();
        assertThat(isBuilt("apps/mail/app")).isFalse();
        assertThat(builds().leaveOut(root.resolve("apps/mail/flux.yaml"))).isTrue();
    }

    @Test
    void whoeverListsObjectsOfFluxWasAppliedByHand() throws IOException {
        kustomization("cluster", "apps.yaml");
        flux("cluster/apps.yaml", "./apps/web");
        kustomization("apps/web", "web.yaml");
        kustomization("apps/mail", "mail.yaml");

        assertThat(isBuilt("cluster")).isTrue();
        assertThat(isBuilt("apps/web")).isTrue();
        assertThat(isBuilt("apps/mail")).isFalse();
    }

    @Test
    void aDeepDeliveryEndsAtEachKustomizationOnItsWay() throws IOException {
        flux("flux.yaml", "./apps");
        kustomization("apps/web", "web.yaml");
        kustomization("apps/web/more", "more.yaml");

        assertThat(isBuilt("apps/web")).isTrue();
        assertThat(isBuilt("apps/web/more")).isFalse();
        assertThat(builds().deliver(root.resolve("apps/plain.yaml"))).isTrue();
        assertThat(builds().deliver(root.resolve("apps/web/plain.yaml"))).isFalse();
    }

    @Test
    void noPathLeadsOutOfTheRepository() throws IOException {
        kustomization("deploy/one", "web.yaml");
        put("deploy.sh", "apply ../../../../etc/one /etc/one 'a\\0/one' " + "../".repeat(200) + "one\n");

        assertThat(builds().leaveOut(root.resolve("deploy/one/other.yaml"))).isFalse();
        assertThat(Folders.of("a\0b/c")).isEmpty();
        assertThat(Folders.of("{{ .path }}")).isEmpty();
        assertThat(Folders.of("apps/**")).isEmpty();
        assertThat(Folders.of("${A}/apps/*x*").orElseThrow().match(Path.of("b/c/apps/axb")))
                .isTrue();
        assertThat(Folders.of("apps/*x*").orElseThrow().match(Path.of("b/c/apps/axb")))
                .isFalse();
        assertThat(Folders.of("apps/" + "*a".repeat(100) + "b")).isEmpty();
        assertThat(Folders.of("apps/(a+)+$*").orElseThrow().match(Path.of("apps/" + "a".repeat(2000))))
                .isFalse();
    }
}
