package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A chart writes other objects with other values: which of them somebody gives.
final class LintChartValuesTest {

    private static final String WRONG = "data.port must be a text, not a number";
    private static final String FINE = "nothing to complain about";

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void makeAChartThatIsRightWithItsOwnValues() throws IOException {
        tree.begin(temp);
        tree.put("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        tree.put("charts/web/values.yaml", "port: \"80\"\n");
        tree.put("charts/web/values-prod.yaml", "port: \"'80'\"\n");
        tree.put("charts/web/templates/map.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: web}
                data:
                  port: {{ if eq .Values.port "80" }}"80"{{ else }}80{{ end }}
                """);
    }

    @Test
    void whatNobodyGivesIsNothingToComplainAbout() throws IOException {
        assertThat(tree.linted("")).contains(FINE);
        assertThat(tree.linted("", "--infos")).contains(WRONG);

        tree.put("charts/other/values-prod.yaml", "a: b\n");
        tree.put("charts/other/test.sh", "helm template . -f ./values-prod.yaml\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void ofAChartThatIsNamedEveryFileOfValuesIsMeant() {
        assertThat(tree.linted("charts/web")).contains(WRONG);
    }

    @ParameterizedTest
    @CsvSource({
        "deploy.sh, helm upgrade web charts/web -f charts/web/values-prod.yaml",
        "Makefile, helm upgrade web charts/web -f charts/web/values-${STAGE}.yaml",
        "charts/web/README.md, helm install web . --values values-prod.yaml",
        "charts/web/scripts/a.sh, helm install web .. --values ../values-prod.yaml",
        "apps/web.yaml, 'helm: {valueFiles: [\"values-{{ .stage }}.yaml\"]}'"
    })
    void whatSomebodyNamesIsGiven(String file, String text) throws IOException {
        tree.put(file, text + "\n");

        assertThat(tree.linted("")).contains(WRONG);
    }

    @Test
    void whatIsWrongInAnyCaseIsToldOnce() throws IOException {
        tree.put("charts/web/values.yaml", "port: x\n");

        assertThat(tree.linted("", "--infos")).containsOnlyOnce(WRONG);
    }

    /// Bounded, and nothing outside of the repository is looked at.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../../../../../../../../../../../etc/values-prod.yaml",
                "../../../../../../../../../../../charts/web/values-prod.yaml",
                "*values*-*prod*.yaml",
                "[(\\Qvalues-prod.yaml",
                "values-prod.yaml\u0000.yaml.gz"
            })
    void wordsOfStrangersDoNoHarm(String word) throws IOException {
        tree.put(
                "a.sh",
                "helm -f " + word + "\n" + "values".repeat(600) + ".yaml\n" + "{{".repeat(1500) + "values.yaml\n"
                        + "$(".repeat(1500) + "values.yaml\n");
        tree.put("many.sh", "x values-a.yaml\n".repeat(8000));

        assertThat(tree.linted("", "--infos")).contains(WRONG);
    }
}
