package dev.towtank.app.lint.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestDataTest {

    @TempDir
    Path temp;

    private Path put(String path, String text) throws IOException {
        var file = temp.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private boolean isTestData(String path) throws IOException {
        return new TestData(temp).has(put(path, "kind: ConfigMap\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkg/testdata/a.yaml",
                "a/fixtures/deep/a.yaml",
                "tools/rule.canary/a.yaml",
                "test/a.yaml",
                "tests/e2e/a.yaml",
                "e2e-tests/a.yaml",
                "src/test/resources/a.yaml",
                "src/__tests__/a.yaml",
                "a/golden/a.yaml",
                "injector/fake/data/a.yaml",
                "integration_test/a.yaml",
                "policies/invalid_pod.yaml",
                ".github/cases/a.yaml",
                "demo/With_Schema_Error/a.yaml",
                "pods/broken/a.yaml",
                "policies/bad.yaml",
                "policies/bad-pod.yaml",
                "policies/pod.invalid.yaml",
                "policies/pod-expected.json",
                "web/service_test.yaml"
            })
    void isKnownByItsName(String path) throws IOException {
        assertThat(isTestData(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deploy/a.yaml",
                "overlays/test/a.yaml",
                "environments/testing/a.yaml",
                "contest/a.yaml",
                "latest/a.yaml",
                "badger/badges.yaml",
                "examples/test-pod.yaml",
                "tasks/run-tests.yaml",
                "tekton/run-test/task.yaml",
                "tekton/run-tests/task.yaml",
                "apps/error-pages/a.yaml"
            })
    void whatPeopleApplyIsNone(String path) throws IOException {
        assertThat(isTestData(path)).isFalse();
    }

    @Test
    void aStageBesideOthersIsNone() throws IOException {
        put("apps/prod/a.yaml", "");

        assertThat(isTestData("apps/test/a.yaml")).isFalse();
        assertThat(isTestData("lib/test/a.yaml")).isTrue();
    }

    @Test
    void aTestBesideItNamesIt() throws IOException {
        put("pkg/read_test.go", "load(\"one.yaml\"); load(\"data/two.yaml\")");
        put("ui/View.stories.jsx", "import pod from './examples/pod.json'");

        assertThat(isTestData("pkg/one.yaml")).isTrue();
        assertThat(isTestData("pkg/data/two.yaml")).isTrue();
        assertThat(isTestData("ui/examples/pod.json")).isTrue();
        assertThat(isTestData("pkg/none.yaml")).isFalse();
        assertThat(isTestData("pkg/e.yaml")).isFalse();
        assertThat(isTestData("pkg/data/one.yaml")).isFalse();
    }

    @Test
    void scenariosOfTestersAre() throws IOException {
        put("scenarios/first/chainsaw-test.yaml", "");
        put("scenarios/second/00-assert.yaml", "");

        assertThat(isTestData("scenarios/first/install.yaml")).isTrue();
        assertThat(isTestData("scenarios/second/00-install.yaml")).isTrue();
        assertThat(isTestData("scenarios/third/install.yaml")).isFalse();
    }

    @Test
    void aCommentSaysThatItIsWrongOnPurpose() throws IOException {
        var data = new TestData(temp);

        assertThat(data.has(put("a.yaml", "# This Pod is intentionally invalid.\nkind: Pod\n")))
                .isTrue();
        assertThat(data.has(put("b.yaml", "kind: Pod\n# must be rejected by the webhook\n")))
                .isTrue();
        assertThat(data.has(put("c.yaml", "# This one is good on purpose.\nkind: Pod\n")))
                .isFalse();
    }

    @Test
    void whoeverNamesItMeansIt() throws Exception {
        put(".git/HEAD", "");
        var file = put("test/data/invalid/a.yaml", "kind: Pod\n");

        assertThat(SourceFiles.find(List.of(temp), false)).isEqualTo(new SourceFiles.Found(List.of(), 1));
        for (var named : List.of(temp.resolve("test"), temp.resolve("test/data"), file)) {
            assertThat(SourceFiles.find(List.of(named), false)).isEqualTo(new SourceFiles.Found(List.of(file), 0));
        }
        assertThat(SourceFiles.find(List.of(temp), true)).isEqualTo(new SourceFiles.Found(List.of(file), 0));
    }
}
