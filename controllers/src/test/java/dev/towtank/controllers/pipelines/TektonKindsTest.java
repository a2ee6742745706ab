package dev.towtank.controllers.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.KindBehaviour;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TektonKindsTest {

    private final AtomicReference<Settings> settings = new AtomicReference<>(Settings.INITIAL);
    private final TektonKinds kinds = new TektonKinds(settings::get);

    private KindBehaviour behaviour(String kind) {
        return kinds.behaviours().stream()
                .filter(each -> each.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    @Test
    void behavesForEveryKindItDefines() {
        assertThat(TektonKinds.DEFINITIONS.objects().stream()
                        .filter(each -> each.string("kind").equals("CustomResourceDefinition"))
                        .map(each -> each.string("spec", "group") + "/" + each.string("spec", "names", "kind")))
                .containsExactlyInAnyOrderElementsOf(kinds.behaviours().stream()
                        .map(each -> each.group() + "/" + each.kind())
                        .toList());
    }

    @Test
    void takesAChangeOfSettingsAtOnce() {
        var run = yaml("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: x}
                spec: {taskSpec: {steps: [{image: i}]}}
                """);
        var taskRuns = behaviour("TaskRun");
        assertThat(taskRuns.refusal(taskRuns.defaults(run), null)).isEmpty();
        settings.set(Settings.read(Map.of("default-timeout-minutes", "5"), Map.of("disable-inline-spec", "taskrun")));
        assertThat(taskRuns.defaults(run).string("spec", "timeout")).isEqualTo("5m0s");
        assertThat(taskRuns.refusal(taskRuns.defaults(run), null).orElseThrow().text())
                .isEqualTo("admission webhook \"validation.webhook.pipeline.tekton.dev\" denied the request: validation"
                        + " failed: must not set the field(s): spec.taskSpec");
    }

    @Test
    void goesOnWithSettingsThatMakeNoSense() {
        assertThat(Settings.read(Map.of("default-timeout-minutes", "soon"), Map.of("coschedule", "never")))
                .isEqualTo(Settings.INITIAL);
    }

    @Test
    void convertsByItsOwnConverter() {
        var run = yaml("{kind: PipelineRun, metadata: {name: x}, spec: {pipelineRef: {name: p}, timeout: 1h}}");
        assertThat(behaviour("PipelineRun")
                        .converter()
                        .orElseThrow()
                        .convert(run, "v1beta1", "v1")
                        .string("spec", "timeouts", "pipeline"))
                .isEqualTo("1h");
    }

    @Test
    void takesSignaturesOffNewRunsOnly() {
        var run = yaml("{kind: TaskRun, metadata: {name: x, annotations: {chains.tekton.dev/signed: 'true'}}}");
        assertThat(behaviour("TaskRun").prepareCreate(run).object("metadata", "annotations"))
                .isEqualTo(Json.Obj.EMPTY);
        assertThat(behaviour("TaskRun").defaults(run).stringMap("metadata", "annotations"))
                .hasSize(1);
    }
}
