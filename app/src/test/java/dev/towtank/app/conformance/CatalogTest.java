package dev.towtank.app.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With scripts that only look at what they are given.
class CatalogTest {

    @TempDir
    private Path checkout;

    @TempDir
    private Path copy;

    private void file(String name, String text) throws IOException {
        var file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<Verdict.Of> results(String script) throws IOException, InterruptedException {
        file("test/e2e-common.sh", script);
        var catalog = CatalogCopy.of(checkout, Map.of("https://far.example/", "http://near.example/"), copy);
        var conformance = new Conformance(
                new FakeApi(),
                InstantSource.fixed(Instant.EPOCH),
                2,
                Duration.ofMinutes(2),
                false,
                Optional.of(new Conformance.Catalog(catalog, copy.resolve("kubeconfig"))),
                _ -> {});
        return conformance.run(catalog.tests());
    }

    @Test
    void itsOwnScriptsJudge() throws IOException, InterruptedException {
        for (var name : List.of("bad", "far", "good")) {
            file("task/" + name + "/0.1/" + name + ".yaml", "kind: Task");
            file("task/" + name + "/0.1/tests/run.yaml", "kind: TaskRun");
        }
        file("stepaction/good/0.2/tests/run.yaml", "kind: TaskRun");
        file("task/untested/0.1/untested.yaml", "kind: Task");

        assertThat(results("""
                        function test_resource_creation() {
                            echo "with $KUBECONFIG in $PWD"
                            echo "test/../vendor/library.sh: line 27: kind: command not found"
                            case $1 in
                                */good/*) return 0 ;;
                                */far/*) echo "curl: (6) Could not resolve host: far.example" ;;
                                *) echo 'it broke' ;;
                            esac
                            exit 1
                        }
                        """))
                .extracting(
                        each -> each.example().name(),
                        each -> each.verdict().word(),
                        each -> each.verdict().reason())
                .satisfiesExactly(
                        bad -> assertThat(bad.toList())
                                .containsExactly(
                                        "task/bad/0.1",
                                        "failed",
                                        "no run is left that failed; the script said: with " + copy + "/kubeconfig in "
                                                + copy + "\nit broke"),
                        far -> assertThat(far.toList())
                                .containsExactly(
                                        "task/far/0.1",
                                        "skipped",
                                        "needs the network: Could not resolve host: far.example"),
                        action -> assertThat(action.toList()).containsExactly("stepaction/good/0.2", "passed", ""),
                        good -> assertThat(good.toList()).containsExactly("task/good/0.1", "passed", ""));
    }

    @Test
    void addressesInTestsLeadElsewhereAndDeprecatedVersionsAreTried() throws IOException, InterruptedException {
        var address = "url: https://far.example/a/b\n";
        file("task/old/0.1/old.yaml", "tekton.dev/deprecated: \"true\"\n" + address);
        file("task/old/0.1/tests/run.yaml", address);
        file("task/old/0.1/tests/fixtures/some.yaml", address);

        assertThat(results("""
                        function test_resource_creation() {
                            grep -q http://near.example/a/b $1/run.yaml
                            grep -q http://near.example/a/b $1/fixtures/some.yaml
                            grep -q https://far.example/a/b $1/../old.yaml
                            ! grep -q 'deprecated: "true"' $1/../old.yaml
                        }
                        """)).extracting(each -> each.verdict().word()).containsExactly("passed");
    }
}
