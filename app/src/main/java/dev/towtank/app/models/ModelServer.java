package dev.towtank.app.models;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.ObjectClient;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// Models of a namespace on a server.
public final class ModelServer {

    private static final String MODELS = "models.towtank.dev";
    private static final String VERSIONS = "modelversions.towtank.dev";
    private static final String SERVICES = "inferenceservices.serving.kserve.io";

    private final ApiClient client;
    private final ObjectClient objects;
    private final String namespace;

    public ModelServer(ApiClient client, String namespace) {
        this.client = client;
        this.objects = new ObjectClient(client, namespace);
        this.namespace = namespace;
    }

    public List<Resource> models() {
        return objects.list(MODELS);
    }

    public Resource model(String name) {
        return objects.find(MODELS, name)
                .orElseThrow(() -> new ClientProblem("There is no model " + name + " in namespace " + namespace
                        + ". 'towtank model list' shows what there is."));
    }

    /// The oldest first.
    public List<Resource> versions(String model) {
        return objects.list(VERSIONS).stream()
                .filter(version -> version.spec().string("model").equals(model))
                .sorted(Comparator.<Resource, Instant>comparing(
                                version -> version.creationTimestamp().orElse(Instant.EPOCH))
                        .thenComparing(Resource::name))
                .toList();
    }

    public Resource version(String model, String version) {
        return objects.find(VERSIONS, model + "-" + version)
                .orElseThrow(() -> new ClientProblem("Model " + model + " has no version " + version
                        + ". 'towtank model history " + model + "' shows what there is."));
    }

    /// What came of letting an InferenceService serve something else.
    ///
    /// @param problem why it does not; empty where it does
    public record Outcome(String revision, String problem) {}

    /// Points the model's InferenceService at a version, and waits until that serves. Where it does not, the
    /// InferenceService
    /// is pointed back.
    public Outcome serve(Resource model, Resource version) {
        var name = model.spec().string("inferenceService");
        var service = name.isEmpty() ? model.name() : name;
        var seen = objects.find(SERVICES, service)
                .orElseThrow(() -> new ClientProblem("There is no InferenceService " + service + " that serves model "
                        + model.name() + ". Create it, or name another in spec.inferenceService of the model."));
        var before = seen.spec().string("predictor", "model", "storageUri");
        var wanted = version.spec().string("storageUri");
        long generation = point(service, wanted);
        var now = objects.await(SERVICES, service, each -> isSettled(each, generation))
                .orElseThrow(() -> new ClientProblem("InferenceService " + service + " was deleted meanwhile."));
        var status = now.status();
        if (!now.spec().string("predictor", "model", "storageUri").equals(wanted)) {
            return new Outcome("", pointedBack(version));
        }
        if (status.string("modelStatus", "transitionStatus").equals("UpToDate")) {
            return new Outcome(status.string("components", "predictor", "latestRolledoutRevision"), "");
        }
        if (!before.isEmpty()) {
            point(service, before);
        }
        return new Outcome("", status.string("modelStatus", "lastFailureInfo", "message"));
    }

    /// Somebody was quicker: the model's own controller, which also tells why.
    private String pointedBack(Resource version) {
        return objects.find(VERSIONS, version.name())
                .map(each -> each.status().string("failure"))
                .filter(why -> !why.isEmpty())
                .orElse("its InferenceService was pointed elsewhere meanwhile");
    }

    private static boolean isSettled(Resource service, long generation) {
        var status = service.status();
        return status.integer("observedGeneration") >= generation
                && status.integer("observedGeneration") == service.generation()
                && !status.string("modelStatus", "transitionStatus").equals("InProgress");
    }

    private long point(String service, String uri) {
        var patch = Json.Obj.EMPTY.with(List.of("spec", "predictor", "model", "storageUri"), Json.of(uri));
        var changed = client.send(
                "PATCH",
                "/apis/serving.kserve.io/v1beta1/namespaces/" + segment(namespace) + "/inferenceservices/"
                        + segment(service),
                "application/merge-patch+json",
                patch);
        return changed.integer("metadata", "generation");
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
