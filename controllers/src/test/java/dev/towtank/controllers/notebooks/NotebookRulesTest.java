package dev.towtank.controllers.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotebookRulesTest {

    private final NotebookRules rules = new NotebookRules();

    private static Json.Obj job(String notebook, String config) {
        return (Json.Obj) YamlText.parse("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: a, namespace: team}
                spec: {notebook: {%s}, podConfig: {containerImage: x, %s}}
                """.formatted(notebook, config));
    }

    private static final String GIT = "path: a.ipynb, git: {url: 'https://x/y', ref: main}";

    @Test
    void credentialsAreAnotherWayToWriteEnvFrom() {
        var filled = rules.defaults(job(GIT, "credentials: [a, b], envFrom: [{configMapRef: {name: c}}]"));

        assertThat(filled.object("spec", "podConfig").has("credentials")).isFalse();
        assertThat(filled.array("spec", "podConfig", "envFrom").toString())
                .isEqualTo(
                        "[{\"configMapRef\":{\"name\":\"c\"}},{\"secretRef\":{\"name\":\"a\"}},{\"secretRef\":{\"name\":\"b\"}}]");
        assertThat(rules.defaults(filled)).isEqualTo(filled);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            volumes: [{name: source, emptyDir: {}}]                          | volumes[0].name: volume name "source" is reserved for internal use; please choose a different name
            volumes: [{name: a, emptyDir: {}}, {name: a, emptyDir: {}}]      | volumes[1].name: duplicate volume name "a"; each volume must have a unique name
            volumes: [{name: a}]                                             | volumes[0]: volume "a" must specify exactly one volume source (persistentVolumeClaim, configMap, secret, or emptyDir)
            volumes: [{name: a, emptyDir: {}, secret: {secretName: s}}]      | volumes[0]: volume "a" specifies multiple volume sources; exactly one must be specified
            volumeMounts: [{name: a, mountPath: /a}]                         | volumeMounts[0].name: volume mount references undefined volume "a"; ensure a volume with this name is defined in spec.podConfig.volumes
            """)
    void refusesWhatTheOperatorsWebhookRefuses(String config, String message) {
        assertThat(rules.refusal(job(GIT, config), null))
                .hasValueSatisfying(refusal -> assertThat(refusal).hasMessageEndingWith(message));
    }

    @Test
    void aNotebookIsInARepositoryOrInAVolume() {
        var volume = "volumes: [{name: v, emptyDir: {}}], volumeMounts: [{name: v, mountPath: /mnt}]";

        assertThat(rules.refusal(job(GIT, ""), null)).isEmpty();
        assertThat(rules.refusal(job("path: /mnt/a.ipynb", volume), null)).isEmpty();
        assertThat(rules.refusal(job("path: /etc/a.ipynb", volume), null)).isPresent();
        assertThat(rules.refusal(job("path: /mnt/../etc/a.ipynb", volume), null))
                .isPresent();
        assertThat(rules.refusal(job("path: /a.ipynb, git: {url: 'https://x/y', ref: main}", ""), null))
                .isPresent();
    }

    /// NVJ-10, NVJ-11: what would be taken and not done is refused by its name.
    @Test
    void whatIsNotDoneIsRefused() {
        assertThat(refusal("modelValidation: {enabled: true, platform: triton, targetModels: [m]}", ""))
                .contains("spec.modelValidation.platform: only kserve can be asked here");
        assertThat(refusal("modelValidation: {enabled: true, platform: kserve}", ""))
                .contains("targetModels");
        assertThat(refusal("timeout: 1m", "mlops.dev/on-success-trigger: '[{kind: Deployment, action: explode}]'"))
                .contains("an action of restart, sync and refresh");
        assertThat(refusal("timeout: 1m", "mlops.dev/block-wave: soon")).contains("\"soon\" is no number of a wave");
        assertThat(refusal("timeout: 1m", "mlops.dev/block-wave: '3', argocd.argoproj.io/sync-wave: '3'"))
                .contains("wave 3 does not come after that of the job itself, which is 3");
        assertThat(refusal("timeout: 1m", "mlops.dev/block-wave: '4', argocd.argoproj.io/sync-wave: '3'"))
                .isEmpty();
        assertThat(refusal("timeout: 1m", "mlops.dev/block-wave: '1'")).isEmpty();
        assertThat(refusal("timeout: 1m", "towtank.dev/retries: sometimes")).contains("only \"always\" is known");
        assertThat(refusal("timeout: 1m", "")).isEmpty();
    }

    /// NVJ-14.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            strategy: s2i                                                       | ''
            strategy: kaniko                                                    | ''
            strategy: tekton                                                    | ''
            strategy: s2i, strategyConfig: {registry: quay.io}                  | .strategyConfig: images stay on this server
            strategy: s2i, fallbackStrategy: fail                               | .fallbackStrategy: to fail without requirements
            strategy: s2i, fallbackStrategy: fail, requirementsFile: r.txt      | ''
            strategy: s2i, requirementsFile: ../r.txt                           | "../r.txt" is no path in the repository
            strategy: s2i, requirementsSources: ["a.txt; rm -rf /"]             | is no path in the repository
            """)
    void whatCannotBeBuiltIsRefusedAndTheRestIsNot(String build, String message) {
        var refusal = refusal("podConfig: {containerImage: x, buildConfig: {enabled: true, " + build + "}}", "");
        if (message.isEmpty()) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal).contains("spec.podConfig.buildConfig", message);
        }
    }

    private static String refusal(String spec, String annotations) {
        var job = (Json.Obj) YamlText.parse(
                """
                metadata: {name: j, namespace: n, annotations: {%s}}
                spec:
                  notebook: {path: a.ipynb, git: {url: "https://x/y", ref: main}}
                  %s
                  %s
                """.formatted(annotations, spec.startsWith("podConfig") ? "" : "podConfig: {containerImage: x}", spec));
        return new NotebookRules().refusal(job, null).map(StatusError::text).orElse("");
    }
}
