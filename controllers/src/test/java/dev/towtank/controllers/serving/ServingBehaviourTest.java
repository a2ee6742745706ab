package dev.towtank.controllers.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServingBehaviourTest {

    private final ServingBehaviour behaviour = new ServingBehaviour();

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Json.Obj service(String predictor) {
        return yaml("{metadata: {name: anomaly-detector}, spec: {predictor: %s}}".formatted(predictor));
    }

    private Optional<String> refusal(Json.Obj service) {
        return behaviour.refusal(behaviour.defaults(service), null).map(StatusError::getMessage);
    }

    @Test
    void sklearnBecomesAModel() {
        var defaulted = behaviour.defaults(service("{sklearn: {storageUri: 'pvc://models/a'}}"));

        assertThat(defaulted).isEqualTo(yaml("""
                metadata:
                  name: anomaly-detector
                  annotations: {serving.kserve.io/deploymentMode: Standard, modelFormat: sklearn}
                spec:
                  predictor:
                    automountServiceAccountToken: false
                    model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/a'}
                """));
        assertThat(behaviour.defaults(defaulted)).isEqualTo(defaulted);
        assertThat(refusal(defaulted)).isEmpty();
    }

    @Test
    void theOnlyContainerIsTheOneThatAnswers() {
        var defaulted = behaviour.defaults(service("{containers: [{name: server, image: python}]}"));

        assertThat(defaulted.objects("spec", "predictor", "containers"))
                .extracting(container -> container.string("name"))
                .containsExactly("kserve-container");
        assertThat(refusal(defaulted)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                          | exactly one of
            {model: {modelFormat: {name: sklearn}}, containers: [{name: kserve-container}]} | exactly one of
            {containers: [{name: a}, {name: b}]}                        | one has to be named kserve-container
            {xgboost: {storageUri: 's3://a/b'}}                         | predictor.xgboost is not served here
            {model: {modelFormat: {name: sklearn}, storageUri: 'gs://a/b'}} | storageUri, must be one of: [pvc://, s3://]. StorageUri [gs://a/b] is not supported
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/../b'}} | must not have . or .. in its path
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc:///b'}} | does not name a claim or bucket
            {model: {modelFormat: {name: sklearn}}}                     | needs a storageUri
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b', protocolVersion: grpc-v2}} | gRPC is not
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b', protocolVersion: v3}} | invalid protocol v3. Must be one of [v1, v2]
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b', name: x}} | the 'name' field is not allowed in standard predictor
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b', env: [{name: PYTHONPATH, value: x}]}} | setting PYTHONPATH in container
            {minReplicas: 3, maxReplicas: 2, sklearn: {storageUri: 'pvc://a/b'}} | cannot be greater than MaxReplicas
            {canaryTrafficPercent: 101, sklearn: {storageUri: 'pvc://a/b'}} | must be between 0 and 100, got 101
            {workerSpec: {}, sklearn: {storageUri: 'pvc://a/b'}}        | predictor.workerSpec: models over several nodes
            {model: {modelFormat: {name: sklearn}, storage: {key: a, path: b, schemaPath: c}}} | storage.schemaPath: a schema of inputs is not read here
            {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b', storage: {path: b}}} | give one of them
            {logger: {mode: all}, sklearn: {storageUri: 'pvc://a/b'}}   | predictor.logger
            """)
    void isRefusedByName(String predictor, String why) {
        assertThat(refusal(service(predictor)).orElse("accepted"))
                .startsWith(
                        "admission webhook \"inferenceservice.kserve-webhook-server.validator\" denied the request: ")
                .contains(why);
    }

    @Test
    void partsThatAreNotServedAreNamed() {
        var service = service("{sklearn: {storageUri: 'pvc://a/b'}}");
        for (var part : new String[] {"transformer", "explainer"}) {
            var with = service.with("spec", service.object("spec").with(part, Json.Obj.EMPTY));
            assertThat(refusal(with).orElse("accepted")).contains("spec." + part + " is not served here");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {predictor: {sklearn: {storageUri: 's3://a/b'}}, trafficPercent: 10}            | canary[0] predictor.name is required
            {predictor: {name: new, sklearn: {storageUri: 's3://a/b'}, maxReplicas: 2}, trafficPercent: 10} | canary "new" must not set maxReplicas (canary uses fixed replicas)
            {predictor: {name: new, sklearn: {storageUri: 's3://a/b'}, minReplicas: 2}, trafficPercent: 10} | canary "new" minReplicas (2) must not exceed stable predictor minReplicas (1)
            {predictor: {name: new, sklearn: {storageUri: 's3://a/b'}, canaryTrafficPercent: 2}, trafficPercent: 10} | canary "new" must not set canaryTrafficPercent
            {predictor: {name: new}, trafficPercent: 10}                                    | canary "new" predictor: exactly one of
            """)
    void canariesAreRefused(String canary, String why) {
        var service = yaml("""
                {metadata: {name: a}, spec: {predictor: {sklearn: {storageUri: 'pvc://a/b'}}, canary: [%s]}}
                """.formatted(canary));
        assertThat(refusal(service).orElse("accepted")).contains(why);
    }

    @Test
    void canariesShareAHundredPercent() {
        var service = yaml("""
                metadata: {name: a}
                spec:
                  predictor: {sklearn: {storageUri: 'pvc://a/b'}}
                  canary:
                  - {predictor: {name: one, sklearn: {storageUri: 'pvc://a/c'}}, trafficPercent: 60}
                  - {predictor: {name: two, sklearn: {storageUri: 'pvc://a/d'}}, trafficPercent: 50}
                """);
        assertThat(refusal(service).orElse("accepted"))
                .contains("sum of canary trafficPercent values (110) must be <= 100");
    }

    @Test
    void namesAndModesAreKServes() {
        assertThat(refusal(yaml("{metadata: {name: 1a}, spec: {predictor: {sklearn: {storageUri: 'pvc://a/b'}}}}"))
                        .orElse("accepted"))
                .contains("the InferenceService \"1a\" is invalid: a InferenceService name must consist of");
        var raw = yaml("""
                metadata: {name: a, annotations: {serving.kserve.io/deploymentMode: RawDeployment}}
                spec: {predictor: {sklearn: {storageUri: 'pvc://a/b'}}}
                """);
        assertThat(behaviour.defaults(raw).string("metadata", "annotations", "serving.kserve.io/deploymentMode"))
                .isEqualTo("Standard");
        var old = behaviour.defaults(raw).with("status", yaml("{deploymentMode: Knative}"));
        assertThat(behaviour.refusal(behaviour.defaults(raw), old).map(StatusError::getMessage))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("update rejected: deploymentMode cannot be changed from 'Knative' to 'Standard'"));
    }

    @Test
    void whatHasNoEffectIsSaid() {
        assertThat(behaviour.warnings(service("{maxReplicas: 3, sklearn: {storageUri: 'pvc://a/b'}}")))
                .singleElement()
                .asString()
                .contains("nothing scales by itself");
        assertThat(behaviour.warnings(service("{sklearn: {storageUri: 'pvc://a/b'}}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {towtank.dev/reload-model: 'yes'}       | pvc://a/b | towtank.dev/reload-model is true or false, not yes
            {towtank.dev/reload-model: 'true'}      | s3://a/b  | only files of a claim (pvc://) are watched
            {towtank.dev/rollout: '{steps: [200]}'} | pvc://a/b | towtank.dev/rollout: steps are 1 to 20 whole numbers
            """)
    void annotationsAreChecked(String annotations, String uri, String why) {
        var service = yaml("{metadata: {name: a, annotations: %s}, spec: {predictor: {sklearn: {storageUri: '%s'}}}}"
                .formatted(annotations, uri));
        assertThat(refusal(service).orElse("accepted")).contains(why);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            multiModel: true            | spec.multiModel: Forbidden: servers of many models are not served here
            grpcEndpoint: 'port:8085'   | spec.grpcEndpoint: Forbidden
            replicas: 2                 | spec.replicas: Forbidden
            storageHelper: {}           | spec.storageHelper: Forbidden
            builtInAdapter: {}          | spec.builtInAdapter: Forbidden
            workerSpec: {}              | spec.workerSpec: Forbidden: models over several nodes
            protocolVersions: [grpc-v2] | spec.protocolVersions: Forbidden: gRPC is not served here
            """)
    void runtimesAreRefusedByName(String field, String why) {
        var runtime =
                yaml("{metadata: {name: a}, spec: {containers: [{name: kserve-container}], %s}}".formatted(field));
        assertThat(new RuntimeBehaviour(ServingKinds.SERVING_RUNTIME)
                        .refusal(runtime, null)
                        .map(StatusError::getMessage)
                        .orElse("accepted"))
                .contains(why);
    }
}
