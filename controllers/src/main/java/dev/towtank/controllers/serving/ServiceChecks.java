package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What of an InferenceService is refused, in KServe's words where it refuses the same.
final class ServiceChecks {

    private static final String NAME_FORM = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile(NAME_FORM);
    // A revision's pods have the name, and thirty characters more.
    private static final int LONGEST_NAME = 33;
    private static final Set<String> AUTOSCALERS = Set.of("hpa", "external", "keda", "none");
    private static final List<String> OTHER_SERVERS =
            List.of("xgboost", "tensorflow", "pytorch", "triton", "onnx", "huggingface", "pmml", "lightgbm", "paddle");
    private static final Map<String, String> NOT_SERVED = Map.of(
            "workerSpec", "models over several nodes are not served on one machine",
            "storageUris", "one storageUri is served",
            "storageContainerName", "models are read by this server's own means; leave it out",
            "logger", "requests are not logged to another place; leave it out",
            "batcher", "requests are not put together; leave it out");

    private ServiceChecks() {}

    static Optional<String> problem(Json.Obj service) {
        var name = service.string("metadata", "name");
        var spec = service.object("spec");
        return first(
                () -> named(name),
                () -> autoscaler(service.string("metadata", "annotations", ServingKinds.GROUP + "/autoscalerClass")),
                () -> mode(service.string("metadata", "annotations", ServingBehaviour.MODE)),
                () -> reloading(service),
                () -> rollout(service.string("metadata", "annotations", Steps.ANNOTATION)),
                () -> part(spec, "transformer"),
                () -> part(spec, "explainer"),
                () -> predictor(name, spec.object("predictor")),
                () -> percent(spec.object("predictor")),
                () -> canaries(service, name));
    }

    @FunctionalInterface
    private interface Check {
        Optional<String> problem();
    }

    private static Optional<String> first(Check... checks) {
        return Stream.of(checks).map(Check::problem).flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> when(boolean isWrong, String why) {
        return isWrong ? Optional.of(why) : Optional.empty();
    }

    private static Optional<String> named(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of(
                    ("the InferenceService \"%s\" is invalid: a InferenceService name must consist of lower case"
                                    + " alphanumeric characters or '-', and must start with alphabetical character. (e.g."
                                    + " \"my-name\" or \"abc-123\", regex used for validation is '%s')")
                            .formatted(name, NAME_FORM));
        }
        return when(
                name.length() > LONGEST_NAME,
                "the InferenceService \"%s\" is invalid: its name has more than %d characters, and names of Services and pods are made of it"
                        .formatted(name, LONGEST_NAME));
    }

    private static Optional<String> autoscaler(String kind) {
        return when(
                !kind.isEmpty() && !AUTOSCALERS.contains(kind),
                "[%s] is not a supported autoscaler class type".formatted(kind));
    }

    private static Optional<String> mode(String mode) {
        return when(
                !mode.equals(ServingBehaviour.STANDARD) && !mode.equals(ServingBehaviour.KNATIVE),
                "%s: %s is not served here; it is Standard or Knative".formatted(ServingBehaviour.MODE, mode));
    }

    private static Optional<String> reloading(Json.Obj service) {
        var wanted = service.string("metadata", "annotations", Reloading.ANNOTATION);
        var uri = service.string("spec", "predictor", "model", "storageUri");
        return first(
                () -> when(
                        !List.of("", "true", "false").contains(wanted),
                        "%s is true or false, not %s".formatted(Reloading.ANNOTATION, wanted)),
                () -> when(
                        wanted.equals("true") && !uri.startsWith("pvc://"),
                        "%s: only files of a claim (pvc://) are watched; give another version another path"
                                .formatted(Reloading.ANNOTATION)));
    }

    private static Optional<String> rollout(String steps) {
        return steps.isBlank() ? Optional.empty() : Steps.problem(steps);
    }

    private static Optional<String> part(Json.Obj spec, String name) {
        return when(spec.has(name), "spec.%s is not served here: only a predictor is; remove it".formatted(name));
    }

    static Optional<String> predictor(String service, Json.Obj predictor) {
        return first(
                () -> servers(predictor),
                () -> NOT_SERVED.entrySet().stream()
                        .filter(field -> predictor.has(field.getKey()))
                        .map(field -> "predictor." + field.getKey() + ": " + field.getValue())
                        .sorted()
                        .findFirst(),
                () -> exactlyOne(predictor),
                () -> environment(service, predictor),
                () -> model(predictor.object("model")),
                () -> custom(predictor),
                () -> numbers(predictor));
    }

    private static Optional<String> servers(Json.Obj predictor) {
        return OTHER_SERVERS.stream()
                .filter(predictor::has)
                .map(name ->
                        ("predictor.%s is not served here: there is a server for sklearn models; give another one as a"
                                        + " container named %s, or as a ServingRuntime")
                                .formatted(name, ServingKinds.CONTAINER))
                .findFirst();
    }

    private static Optional<String> exactlyOne(Json.Obj predictor) {
        int count = (predictor.has("model") ? 1 : 0) + (predictor.has("sklearn") ? 1 : 0);
        boolean isCustom = predictor.objects("containers").stream()
                .anyMatch(container -> container.string("name").equals(ServingKinds.CONTAINER));
        if (count == 0 && !isCustom && !predictor.objects("containers").isEmpty()) {
            return Optional.of(
                    "of several containers of a custom predictor, one has to be named " + ServingKinds.CONTAINER);
        }
        return when(
                count + (isCustom ? 1 : 0) != 1,
                "exactly one of [SKLearn, Model, PodSpec] must be specified in PredictorSpec");
    }

    private static Optional<String> environment(String service, Json.Obj predictor) {
        return Stream.of(
                        Stream.of(predictor.object("model")),
                        predictor.objects("containers").stream(),
                        predictor.objects("initContainers").stream())
                .flatMap(Function.identity())
                .filter(container -> container.objects("env").stream()
                        .anyMatch(variable -> variable.string("name").equals("PYTHONPATH")))
                .map(container ->
                        ("the InferenceService \"%s\" is invalid: setting PYTHONPATH in container \"%s\" is not allowed"
                                        + " for security reasons")
                                .formatted(service, container.string("name")))
                .findFirst();
    }

    private static Optional<String> model(Json.Obj model) {
        if (model.size() == 0) {
            return Optional.empty();
        }
        var protocol = model.string("protocolVersion");
        var uri = model.string("storageUri");
        return first(
                () -> when(
                        !model.string("name").isEmpty() && !model.string("name").equals(ServingKinds.CONTAINER),
                        "the 'name' field is not allowed in standard predictor"),
                () -> when(
                        model.string("modelFormat", "name").isEmpty(),
                        "predictor.model.modelFormat.name is required, such as sklearn"),
                () -> when(
                        protocol.startsWith("grpc"),
                        "predictor.model.protocolVersion %s is not served here: gRPC is not; use v1 or v2"
                                .formatted(protocol)),
                () -> when(
                        !protocol.isEmpty() && !protocol.equals("v1") && !protocol.equals("v2"),
                        "invalid protocol %s. Must be one of [v1, v2]".formatted(protocol)),
                () -> when(model.has("confidential"), "predictor.model.confidential: encrypted models are not served"),
                () -> when(
                        !uri.isEmpty() && !uri.startsWith("pvc://") && !uri.startsWith("s3://"),
                        "storageUri, must be one of: [pvc://, s3://]. StorageUri [%s] is not supported".formatted(uri)),
                () -> Storage.problem(uri),
                () -> when(
                        model.object("storage").has("schemaPath"),
                        "predictor.model.storage.schemaPath: a schema of inputs is not read here; leave it out"),
                () -> when(
                        !uri.isEmpty() && model.object("storage").size() > 0,
                        "predictor.model has a storageUri and storage: give one of them"),
                () -> when(
                        uri.isEmpty() && model.object("storage").size() == 0 && !model.has("image"),
                        "predictor.model needs a storageUri, or storage with a key and a path"));
    }

    private static Optional<String> custom(Json.Obj predictor) {
        return predictor.objects("containers").stream()
                .flatMap(container -> container.objects("env").stream())
                .filter(variable -> variable.string("name").equals("PROTOCOL"))
                .map(variable -> variable.string("value"))
                .filter(protocol -> !protocol.equals("v1") && !protocol.equals("v2"))
                .map("invalid protocol v1, v2. Must be one of [%s]"::formatted)
                .findFirst();
    }

    private static Optional<String> numbers(Json.Obj predictor) {
        long least = predictor.integerOr(1, "minReplicas");
        long most = predictor.integer("maxReplicas");
        return first(
                () -> when(predictor.integer("containerConcurrency") < 0, "parallelism cannot be less than 0"),
                () -> when(least < 0, "'MinReplicas' cannot be less than 0"),
                () -> when(most < 0, "'MaxReplicas' cannot be less than 0"),
                () -> when(most != 0 && least > most, "'MinReplicas' cannot be greater than MaxReplicas"),
                () -> when(least > 20, "'MinReplicas' cannot be greater than 20 on one machine"),
                () -> when(predictor.integer("timeout") < 0, "predictor.timeout cannot be less than 0"));
    }

    private static Optional<String> percent(Json.Obj predictor) {
        long percent = predictor.integer("canaryTrafficPercent");
        return when(
                percent < 0 || percent > 100,
                "predictor.canaryTrafficPercent must be between 0 and 100, got %d".formatted(percent));
    }

    private static Optional<String> canaries(Json.Obj service, String name) {
        var canaries = service.objects("spec", "canary");
        if (canaries.isEmpty()) {
            return Optional.empty();
        }
        var stable = service.object("spec", "predictor");
        if (!service.string("metadata", "annotations", ServingBehaviour.MODE).equals(ServingBehaviour.STANDARD)) {
            return Optional.of("canary is only supported in Standard deployment mode");
        }
        if (!stable.has("model")) {
            return Optional.of(
                    "canary requires a stable predictor with a model (multi-model serving is not supported with canary)");
        }
        var names = new HashSet<String>();
        long sum = 0;
        for (int i = 0; i < canaries.size(); i++) {
            var problem = canary(canaries.get(i), i, names, stable, name);
            if (problem.isPresent()) {
                return problem;
            }
            sum += canaries.get(i).integer("trafficPercent");
        }
        return when(sum > 100, "sum of canary trafficPercent values (%d) must be <= 100".formatted(sum));
    }

    private static Optional<String> canary(
            Json.Obj canary, int index, Set<String> names, Json.Obj stable, String service) {
        var predictor = canary.object("predictor");
        var name = predictor.string("name");
        long percent = canary.integer("trafficPercent");
        long replicas = stable.integerOr(1, "minReplicas");
        return first(
                () -> when(name.isEmpty(), "canary[%d] predictor.name is required".formatted(index)),
                () -> when(!names.add(name), "canary predictor.name \"%s\" is duplicated".formatted(name)),
                () -> when(
                        name.equals(stable.string("name")),
                        "canary predictor.name \"%s\" conflicts with stable predictor name".formatted(name)),
                () -> when(
                        percent < 0 || percent > 100,
                        "canary \"%s\" trafficPercent must be between 0 and 100, got %d".formatted(name, percent)),
                () -> predictor(service, predictor)
                        .map(problem -> "canary \"%s\" predictor: %s".formatted(name, problem)),
                () -> Stream.of("canaryTrafficPercent", "timeout")
                        .filter(predictor::has)
                        .map(field -> "canary \"%s\" must not set %s (that of the stable predictor counts)"
                                .formatted(name, field))
                        .findFirst(),
                () -> Stream.of("maxReplicas", "scaleTarget", "scaleMetric", "autoScaling")
                        .filter(predictor::has)
                        .map(field ->
                                "canary \"%s\" must not set %s (canary uses fixed replicas)".formatted(name, field))
                        .findFirst(),
                () -> when(
                        predictor.integerOr(0, "minReplicas") > replicas,
                        "canary \"%s\" minReplicas (%d) must not exceed stable predictor minReplicas (%d)"
                                .formatted(name, predictor.integer("minReplicas"), replicas)));
    }
}
