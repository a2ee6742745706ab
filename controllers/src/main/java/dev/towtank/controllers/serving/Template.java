package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.controllers.serving.api.ServingPods;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The pods of a revision, before each has a name and a port: what KServe puts into a Deployment.
final class Template {

    static final String PORT_ARGUMENT = "--http_port";

    private static final int PORT = 8080;

    /// Fields of a predictor that are not those of a pod.
    private static final Set<String> NOT_OF_PODS = Set.of(
            "name",
            "model",
            "sklearn",
            "minReplicas",
            "maxReplicas",
            "containerConcurrency",
            "timeout",
            "canaryTrafficPercent",
            "labels",
            "annotations",
            "deploymentStrategy",
            "scaleTarget",
            "scaleMetric",
            "scaleMetricType",
            "autoScaling",
            "containers",
            "initContainers",
            "volumes");

    /// Fields of a model that are not those of its container.
    private static final Set<String> NOT_OF_CONTAINERS =
            Set.of("modelFormat", "storageUri", "runtime", "runtimeVersion", "protocolVersion", "storage", "name");

    private final Resource service;
    private final Json.Obj predictor;
    private final Optional<Resource> runtime;
    private final Credentials credentials;

    private Template(Resource service, Json.Obj predictor, Optional<Resource> runtime, Credentials credentials) {
        this.service = service;
        this.predictor = predictor;
        this.runtime = runtime;
        this.credentials = credentials;
    }

    /// @param runtime for a model; none for a container of the user's own
    static Json.Obj of(Resource service, Json.Obj predictor, Optional<Resource> runtime, Credentials credentials) {
        return new Template(service, predictor, runtime, credentials).whole();
    }

    private Json.Obj whole() {
        var labels = new LinkedHashMap<>(runtimeTexts("labels"));
        labels.putAll(service.labels());
        labels.putAll(predictor.stringMap("labels"));
        var annotations = new LinkedHashMap<>(runtimeTexts("annotations"));
        service.annotations().forEach((name, value) -> {
            if (isForPods(name)) {
                annotations.put(name, value);
            }
        });
        annotations.putAll(predictor.stringMap("annotations"));
        return Json.Obj.of(
                "metadata",
                Json.Obj.of("labels", Json.Obj.ofStrings(labels), "annotations", Json.Obj.ofStrings(annotations)),
                "spec",
                spec());
    }

    /// Those of an InferenceService are passed on to its pods, so that to change one starts a new revision.
    private static boolean isForPods(String annotation) {
        return !annotation.startsWith("towtank.dev/")
                && !annotation.startsWith("internal." + ServingKinds.GROUP)
                && !annotation.equals("kubectl.kubernetes.io/last-applied-configuration")
                && !annotation.equals(ServingBehaviour.MODE)
                && !annotation.equals(Stopping.ANNOTATION)
                && !annotation.equals("modelFormat");
    }

    private Map<String, String> runtimeTexts(String field) {
        return runtime.map(object -> object.spec().stringMap(field)).orElse(Map.of());
    }

    private Json.Obj spec() {
        var spec = Json.Obj.EMPTY;
        if (runtime.isPresent()) {
            for (var field : List.of(
                    "nodeSelector",
                    "affinity",
                    "tolerations",
                    "imagePullSecrets",
                    "hostIPC",
                    "schedulerName",
                    "resourceClaims")) {
                var value = runtime.get().spec().get(field);
                spec = value == null ? spec : spec.with(field, value);
            }
        }
        for (var field : predictor) {
            if (!NOT_OF_PODS.contains(field.getKey())) {
                spec = spec.with(field.getKey(), field.getValue());
            }
        }
        var containers = containers();
        var volumes = new ArrayList<Json>();
        runtime.ifPresent(object -> volumes.addAll(object.spec().objects("volumes")));
        volumes.addAll(predictor.objects("volumes"));
        var first = new ArrayList<Json>();
        var storage = storage();
        if (storage.isPresent()) {
            var parts = StorageParts.of(storage.get(), credentials.variables(service, predictor, storage.get()));
            volumes.add(parts.volume());
            parts.initializer().ifPresent(first::add);
            containers = containers.stream()
                    .map(container -> isMain(container)
                            ? container.with(
                                    "volumeMounts",
                                    container.array("volumeMounts").plus(parts.mount()))
                            : container)
                    .toList();
        }
        first.addAll(predictor.objects("initContainers"));
        spec = spec.with("containers", new Json.Arr(List.copyOf(containers)));
        spec = first.isEmpty() ? spec : spec.with("initContainers", new Json.Arr(first));
        return volumes.isEmpty() ? spec : spec.with("volumes", new Json.Arr(volumes));
    }

    private List<Json.Obj> containers() {
        if (runtime.isEmpty()) {
            return predictor.objects("containers").stream()
                    .map(container -> isMain(container) ? completed(container) : container)
                    .toList();
        }
        var all = new ArrayList<Json.Obj>();
        for (var container : runtime.get().spec().objects("containers")) {
            all.add(isMain(container) ? completed(merged(placeholders(container))) : container);
        }
        predictor.objects("containers").stream()
                .filter(container -> !isMain(container))
                .forEach(all::add);
        return all;
    }

    static boolean isMain(Json.Obj container) {
        return ServingPods.isMain(container);
    }

    private Json.Obj placeholders(Json.Obj container) {
        var text = container;
        for (var field : List.of("args", "command")) {
            if (container.get(field) instanceof Json.Arr values) {
                text = text.with(
                        field, values.map(value -> value instanceof Json.Str(var word) ? Json.of(named(word)) : value));
            }
        }
        return text;
    }

    private String named(String text) {
        return text.replace("{{.Name}}", service.name()).replace("{{.Namespace}}", service.namespace());
    }

    /// The runtime's container with what the model says about it: arguments behind the others, variables by name.
    private Json.Obj merged(Json.Obj container) {
        var model = predictor.object("model");
        var whole = container;
        for (var field : model) {
            var name = field.getKey();
            if (NOT_OF_CONTAINERS.contains(name)) {
                continue;
            }
            whole = switch (name) {
                case "args" -> whole.with(name, joined(whole.array(name), model.array(name)));
                case "env" -> whole.with(name, byName(whole.objects(name), model.objects(name)));
                case "resources" -> whole.with(name, resources(whole.object(name), model.object(name)));
                default -> whole.with(name, field.getValue());
            };
        }
        var version = model.string("runtimeVersion");
        if (!version.isEmpty() && !model.has("image")) {
            var image = whole.string("image");
            int tag = image.lastIndexOf(':');
            whole = whole.with(
                    "image", Json.of((tag > image.lastIndexOf('/') ? image.substring(0, tag) : image) + ":" + version));
        }
        return whole;
    }

    private static Json.Arr joined(Json.Arr some, Json.Arr more) {
        var all = new ArrayList<Json>();
        some.forEach(all::add);
        more.forEach(all::add);
        return new Json.Arr(all);
    }

    private static Json.Arr byName(List<Json.Obj> some, List<Json.Obj> more) {
        var all = new LinkedHashMap<String, Json>();
        some.forEach(variable -> all.put(variable.string("name"), variable));
        more.forEach(variable -> all.put(variable.string("name"), variable));
        return new Json.Arr(List.copyOf(all.values()));
    }

    private static Json.Obj resources(Json.Obj some, Json.Obj more) {
        var all = some;
        for (var kind : more) {
            var merged = all.object(kind.getKey());
            if (kind.getValue() instanceof Json.Obj values) {
                for (var value : values) {
                    merged = merged.with(value.getKey(), value.getValue());
                }
            }
            all = all.with(kind.getKey(), merged);
        }
        return all;
    }

    /// With a port, and a probe that is right only when the model is there: a server that knows its model by name says
    /// so by name.
    private Json.Obj completed(Json.Obj container) {
        var whole = container;
        if (container.objects("ports").isEmpty()) {
            var port = Json.Obj.of(
                    "name", Json.of("user-port"), "containerPort", Json.of(PORT), "protocol", Json.of("TCP"));
            whole = whole.with("ports", Json.Arr.of(port));
        }
        if (!whole.has("readinessProbe")) {
            whole = whole.with("readinessProbe", probe(whole));
        }
        if (!whole.has("terminationMessagePolicy")) {
            whole = whole.with("terminationMessagePolicy", Json.of("FallbackToLogsOnError"));
        }
        long concurrency = predictor.integer("containerConcurrency");
        return concurrency > 0
                ? whole.with(
                        "env",
                        byName(
                                List.of(Json.Obj.of(
                                        "name",
                                        Json.of("MAX_CONCURRENCY"),
                                        "value",
                                        Json.of(Long.toString(concurrency)))),
                                whole.objects("env")))
                : whole;
    }

    private static Json.Obj probe(Json.Obj container) {
        var port = Json.Obj.of(
                "port", Json.of(container.objects("ports").getFirst().integer("containerPort")));
        var how = modelName(container)
                .map(name -> Json.Obj.of("httpGet", port.with("path", Json.of("/v1/models/" + name))))
                .orElseGet(() -> Json.Obj.of("tcpSocket", port));
        return how.with("periodSeconds", Json.of(1)).with("timeoutSeconds", Json.of(5));
    }

    private static Optional<String> modelName(Json.Obj container) {
        return ServerArguments.value(container.array("args").strings(), "--model_name")
                .filter(name -> name.matches("[A-Za-z0-9._-]+"));
    }

    /// The name by which a revision's server knows its model.
    static String modelName(Resource service, Revision revision) {
        return revision.template().objects("spec", "containers").stream()
                .filter(Template::isMain)
                .flatMap(container -> modelName(container).stream())
                .findFirst()
                .orElse(service.name());
    }

    private Optional<Storage> storage() {
        if (runtime.isPresent()) {
            return Storage.of(predictor.object("model"));
        }
        return predictor.objects("containers").stream()
                .filter(Template::isMain)
                .flatMap(container -> container.objects("env").stream())
                .filter(variable -> variable.string("name").equals("STORAGE_URI"))
                .map(variable -> variable.string("value"))
                .findFirst()
                .flatMap(Storage::read);
    }
}
