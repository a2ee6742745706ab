package dev.towtank.controllers.pipelines.crds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.CustomRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineRunStatus;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.StepAction;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskRunStatus;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.VerificationPolicy;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The definitions in the resources agree with the records, and the server would take them.
class DefinitionsTest {

    record Shape(Class<?> spec, Optional<Class<?>> status) {
        static Shape of(Class<?> spec) {
            return new Shape(spec, Optional.empty());
        }

        static Shape of(Class<?> spec, Class<?> status) {
            return new Shape(spec, Optional.of(status));
        }
    }

    static final Map<String, Shape> STORED = shapes();

    private static Map<String, Shape> shapes() {
        var shapes = new LinkedHashMap<String, Shape>();
        shapes.put("tasks", Shape.of(TaskSpec.class));
        shapes.put("pipelines", Shape.of(PipelineSpec.class));
        shapes.put("taskruns", Shape.of(TaskRunSpec.class, TaskRunStatus.class));
        shapes.put("pipelineruns", Shape.of(PipelineRunSpec.class, PipelineRunStatus.class));
        shapes.put("stepactions", Shape.of(StepAction.Spec.class));
        shapes.put("customruns", Shape.of(CustomRun.Spec.class, CustomRun.Status.class));
        shapes.put("verificationpolicies", Shape.of(VerificationPolicy.Spec.class));
        shapes.put("resolutionrequests", Shape.of(ResolutionRequest.Spec.class, ResolutionRequest.Status.class));
        return shapes;
    }

    static Stream<String> files() {
        return STORED.keySet().stream();
    }

    static Json.Obj schema(Shape shape) {
        var object = Json.Obj.builder()
                .put("apiVersion", Json.Obj.of("type", Json.of("string")))
                .put("kind", Json.Obj.of("type", Json.of("string")))
                .put("metadata", Json.Obj.of("type", Json.of("object")))
                .put("spec", RecordSchema.of(shape.spec));
        // Others may keep notes in a status; what they write is theirs.
        object.put(
                "status",
                shape.status
                        .map(RecordSchema::of)
                        .map(schema ->
                                schema.toBuilder().putAll(RecordSchema.ANYTHING).build())
                        .orElse(RecordSchema.ANY_OBJECT));
        return Json.Obj.of("type", Json.of("object"), "properties", object.build());
    }

    @ParameterizedTest
    @MethodSource("files")
    void describesTheStoredVersionAsTheRecordsDo(String file) {
        var stored = definition(file).objects("spec", "versions").stream()
                .filter(version -> version.flag("storage"))
                .toList();
        assertThat(stored).hasSize(1);
        assertThat(stored.getFirst().object("schema", "openAPIV3Schema"))
                .isEqualTo(schema(STORED.getOrDefault(file, Shape.of(TaskSpec.class))));
    }

    @ParameterizedTest
    @MethodSource("files")
    void isTakenByTheServer(String file) {
        var errors = new FieldError.Collector();
        var rules = CustomResourceDefinitions.KIND.rules();
        var definition = rules.defaults(definition(file));
        rules.validate(definition, errors);
        rules.validateCreate(definition, errors);
        assertThat(errors.errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            tasks, steps[] resources, steps[] computeResources
            tasks, steps[] livenessProbe, steps[] anything
            tasks, sidecars[] resources, sidecars[] computeResources
            tasks, stepTemplate resources, stepTemplate computeResources
            tasks, resources, anything
            taskruns, stepOverrides, stepSpecs
            taskruns, taskRef bundle, sidecarSpecs
            pipelines, tasks[] taskRef bundle, tasks[] anything
            pipelines, finally[] resources, finally[] anything
            pipelineruns, serviceAccountName, taskRunTemplate
            pipelineruns, taskRunSpecs[] taskServiceAccountName, taskRunSpecs[] serviceAccountName
            pipelineruns, timeout, anything
            stepactions, image, anything
            """)
    void theOlderVersionHasTheFieldsOfItsTime(String file, String has, String hasNot) {
        var older = definition(file).objects("spec", "versions").stream()
                .filter(version -> !version.flag("storage"))
                .map(version -> version.object("schema", "openAPIV3Schema", "properties", "spec"))
                .toList();

        assertThat(older).hasSize(1);
        assertThat(field(older.getFirst(), has).isEmpty()).isFalse();
        assertThat(field(older.getFirst(), hasNot).isEmpty()).isTrue();
    }

    private static Json.Obj field(Json.Obj schema, String path) {
        var at = schema;
        for (var word : path.split(" ", -1)) {
            assertThat(at.flag("x-kubernetes-preserve-unknown-fields")).as(path).isFalse();
            at = word.endsWith("[]")
                    ? at.object("properties", word.substring(0, word.length() - 2), "items")
                    : at.object("properties", word);
        }
        return at;
    }

    @Test
    void servesTheVersionsOfTekton() {
        assertThat(STORED.keySet())
                .extracting(file -> file + " "
                        + String.join(
                                ",",
                                definition(file).objects("spec", "versions").stream()
                                        .map(version -> version.string("name") + (version.flag("storage") ? "*" : ""))
                                        .toList()))
                .containsExactlyInAnyOrder(
                        "tasks v1beta1,v1*",
                        "pipelines v1beta1,v1*",
                        "taskruns v1beta1,v1*",
                        "pipelineruns v1beta1,v1*",
                        "stepactions v1alpha1,v1beta1*",
                        "customruns v1beta1*",
                        "verificationpolicies v1alpha1*",
                        "resolutionrequests v1alpha1,v1beta1*");
    }

    @Test
    void hasTheNamesThatPeopleType() {
        assertThat(definition("pipelineruns")
                        .array("spec", "names", "shortNames")
                        .strings())
                .containsExactly("pr", "prs");
        assertThat(definition("taskruns").array("spec", "names", "shortNames").strings())
                .containsExactly("tr", "trs");
        assertThat(STORED.keySet())
                .allSatisfy(file -> assertThat(definition(file)
                                .array("spec", "names", "categories")
                                .strings())
                        .isEqualTo(List.of("tekton", "tekton-pipelines")));
    }

    static Json.Obj definition(String file) {
        var path = "/dev/towtank/controllers/pipelines/crds/" + file + ".json";
        try (var stream = DefinitionsTest.class.getResourceAsStream(path)) {
            assertThat(stream).as(path).isNotNull();
            return JsonText.parseObject(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
