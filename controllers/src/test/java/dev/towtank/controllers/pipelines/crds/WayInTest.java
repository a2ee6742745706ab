package dev.towtank.controllers.pipelines.crds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.SchemaCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of an object on its way in: by the schema of its version, then by what Tekton's webhooks do.
class WayInTest {

    private static final CrdKinds KINDS =
            new CrdKinds(new SchemaCache(), new TektonKinds(() -> Settings.INITIAL).behaviours());

    private static Kind<Json.Obj> kind(String file, String version) {
        var definition = DefinitionsTest.definition(file);
        return KINDS.served(definition, () -> definition).stream()
                .filter(kind -> kind.version().equals(version))
                .findFirst()
                .orElseThrow();
    }

    /// Why it is not taken; empty where it is.
    private static String refusal(Kind<Json.Obj> kind, String spec, List<String> dropped) {
        var object = (Json.Obj) YamlText.parse("{apiVersion: %s, kind: %s, metadata: {name: x}, spec: %s}"
                .formatted(kind.apiVersion(), kind.kind(), spec));
        var rules = kind.rules();
        var filled = rules.defaults(rules.prune(object, dropped::add));
        return rules.unreadable(filled)
                .or(() -> rules.refusal(filled, null))
                .map(StatusError::text)
                .map(text -> text.substring(text.indexOf("failed: ") + "failed: ".length()))
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tasks | v1 | {steps: [{image: i, resources: {limits: {cpu: 1}}}]} | spec.steps[0].resources
            tasks | v1 | {steps: [{image: i, livenessProbe: {}, tty: true}]} | spec.steps[0].livenessProbe spec.steps[0].tty
            tasks | v1 | {resources: {inputs: []}, steps: [{image: i}]} | spec.resources
            tasks | v1 | {steps: [{image: i, foo: 1}]} | spec.steps[0].foo
            tasks | v1 | {steps: [{image: i, env: [{name: a, valuefrom: {}}]}]} | spec.steps[0].env[0].valuefrom
            tasks | v1beta1 | {steps: [{image: i, computeResources: {}}]} | spec.steps[0].computeResources
            tasks | v1beta1 | {steps: [{image: i, foo: 1}]} | spec.steps[0].foo
            taskruns | v1 | {taskRef: {name: t, bundle: b}} | spec.taskRef.bundle
            taskruns | v1 | {taskRef: {name: t}, stepOverrides: []} | spec.stepOverrides
            taskruns | v1 | {taskRef: {name: t}, workspaces: [{name: w, configMap: {name: c, namespace: n}}]} | spec.workspaces[0].configMap.namespace
            taskruns | v1beta1 | {taskRef: {name: t}, stepSpecs: []} | spec.stepSpecs
            pipelineruns | v1 | {pipelineRef: {name: p}, serviceAccountName: s} | spec.serviceAccountName
            pipelineruns | v1 | {pipelineRef: {name: p}, timeout: 1h} | spec.timeout
            pipelineruns | v1beta1 | {pipelineRef: {name: p}, taskRunTemplate: {}} | spec.taskRunTemplate
            stepactions | v1alpha1 | {image: i, foo: 1} | spec.foo
            """)
    void dropsWhatAVersionDoesNotHave(String file, String version, String spec, String paths) {
        var dropped = new ArrayList<String>();

        assertThat(refusal(kind(file, version), spec, dropped)).isEmpty();
        assertThat(dropped).containsExactlyInAnyOrder(paths.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pipelines | v1 | {tasks: [{name: a, taskRef: {name: t}, when: [{Input: a, Operator: in, Values: [b]}]}]} | missing field(s): spec.tasks[0].when[0]
            pipelines | v1beta1 | {tasks: [{name: a, taskRef: {name: t}, when: [{Input: a, Operator: in, Values: [b]}]}]} | missing field(s): spec.tasks[0].when[0]
            tasks | v1 | {steps: [{ref: {}}]} | missing field(s): spec.steps[0].name
            tasks | v1beta1 | {steps: [{ref: {}}]} | missing field(s): spec.steps[0].name
            tasks | v1 | {steps: [{image: $(params.a)}]} | non-existent variable in "$(params.a)": spec.steps[0].image
            stepactions | v1alpha1 | {image: i, params: [{name: a, default: $(params.a)}]} | param "a" default value has a circular dependency: spec.params
            taskruns | v1beta1 | {taskSpec: {steps: [{image: i, foo: 1}]}} | cannot decode incoming new object: json: unknown field "foo"
            """)
    void refusesWhatIsLeft(String file, String version, String spec, String why) {
        assertThat(refusal(kind(file, version), spec, new ArrayList<>())).isEqualTo(why);
    }
}
