package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Looks for what requests ask for; a look may take as long as a resolver is given.
public final class ResolutionController {

    private static final int WORKERS = 4;

    private final Map<String, Resolver> resolvers;
    private final SettingsCache settings;
    private final Cache secrets;

    private ResolutionController(Caches caches, Map<String, Resolver> resolvers) {
        this.resolvers = Map.copyOf(resolvers);
        this.settings = new SettingsCache(caches);
        this.secrets = caches.of(Secrets.KIND);
    }

    /// @param resolvers by the type that requests name
    public static Controller<ResolutionRequest, ?> of(Caches caches, Map<String, Resolver> resolvers) {
        var lookup = new ResolutionController(caches, resolvers);
        return Controller.of(
                        "resolution-controller",
                        PipelineKinds.RESOLUTION_REQUEST,
                        lookup::look,
                        new ResolutionReconciler())
                .withWorkers(WORKERS);
    }

    private ResolutionReconciler.Finding look(Observed<ResolutionRequest> observed) {
        var request = observed.object();
        var isAnswered = observed.value()
                .status()
                .succeeded()
                .filter(condition -> !condition.isUnknown())
                .isPresent();
        if (isAnswered || request.isDeleting()) {
            return new ResolutionReconciler.Finding.Nothing();
        }
        var type = request.labels().getOrDefault(ResolutionRequest.TYPE_LABEL, "");
        var resolver = resolvers.get(type);
        if (resolver == null) {
            return failed(
                    type,
                    request,
                    "there is no resolver \"%s\" here; there are: %s"
                            .formatted(
                                    type,
                                    String.join(
                                            ", ",
                                            resolvers.keySet().stream().sorted().toList())));
        }
        try {
            var answer = resolver.resolve(question(observed));
            return new ResolutionReconciler.Finding.Found(answer.text(), answer.source());
        } catch (Resolver.Problem e) {
            return failed(type, request, e.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ResolutionReconciler.Finding.Nothing();
        }
    }

    private static ResolutionReconciler.Finding failed(String type, Resource request, String problem) {
        var name = type.isEmpty() ? type : type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1);
        return new ResolutionReconciler.Finding.Failed(
                "error getting \"%s\" \"%s/%s\": %s".formatted(name, request.namespace(), request.name(), problem));
    }

    private Resolver.Question question(Observed<ResolutionRequest> observed) {
        var request = observed.object();
        var params = new LinkedHashMap<String, String>();
        observed.value().spec().params().forEach(param -> {
            if (param.value() instanceof ParamValue.Text(var text)) {
                params.put(param.name(), text);
            }
        });
        return new Resolver.Question(
                params,
                (name, key) -> secret(request, name, key),
                settings.of(request.cluster()).defaults().maximumResolutionTimeout());
    }

    private String secret(Resource request, String name, String key) {
        return secrets.get(new ObjectName(request.cluster(), request.namespace(), name))
                .map(secret -> secret.json().string("data", key))
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8))
                .orElse("");
    }
}
