package dev.towtank.node.pods;

import dev.towtank.cluster.pods.StandIn;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMap.Lookup;
import dev.towtank.node.volumes.VolumeProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The images of one pod's containers, and what of them is on its way. Its pod's worker alone uses it.
final class ContainerImages {

    private static final long TOKEN_SECONDS = 3607;

    private final NodeParts parts;
    private final ApiSources sources;
    private final Map<String, ImageMap.Pull> pulls = new HashMap<>();

    ContainerImages(NodeParts parts, ApiSources sources) {
        this.parts = parts;
        this.sources = sources;
    }

    /// What a container can be started on.
    sealed interface Readiness {
        /// @param id for the status: of a real image with its digest, of a stand-in with a mark that says so
        /// @param pulled how it came, where it just has
        record Ready(Image image, String id, Optional<ImageMap.Pulled> pulled) implements Readiness {
            Ready(Image image, Optional<ImageMap.Pulled> pulled) {
                this(image, ContainerImages.id(image), pulled);
            }
        }

        /// @param isNew nobody of this pod waited for it yet
        record Waiting(ImageMap.Pull pull, boolean isNew) implements Readiness {}
    }

    /// @throws StartProblem with the reason and message of the container's waiting state
    Readiness ready(Resource pod, Json.Obj container) throws StartProblem {
        if (needsNone(pod, container)) {
            var reference = container.string("image");
            return new Readiness.Ready(ContainerPlan.unmapped(reference), reference, Optional.empty());
        }
        var name = Containers.name(container);
        var known = pulls.get(name);
        if (known != null) {
            var pulled = known.result();
            if (pulled.isEmpty()) {
                return new Readiness.Waiting(known, false);
            }
            pulls.remove(name);
            return new Readiness.Ready(image(container, pulled.get().found()), pulled);
        }
        var wanted = new ImageMap.Wanted(
                container.string("image"),
                container.string("imagePullPolicy"),
                () -> logins(pod),
                pod.namespace() + "/" + pod.spec().string("serviceAccountName"),
                this::token);
        return switch (parts.images().find(wanted)) {
            case Lookup.Pulling(var pull) -> {
                pulls.put(name, pull);
                yield new Readiness.Waiting(pull, true);
            }
            case Lookup here -> new Readiness.Ready(image(container, here), Optional.empty());
        };
    }

    /// Of the pod's ServiceAccount; nothing where it has none, which the registry will tell.
    private Optional<String> token() {
        try {
            return Optional.of(sources.token("", TOKEN_SECONDS).value());
        } catch (VolumeProblem e) {
            return Optional.empty();
        }
    }

    /// Of a container that runs already: nobody is asked for it.
    Image running(Resource pod, Json.Obj container) throws StartProblem {
        var reference = container.string("image");
        return needsNone(pod, container)
                ? ContainerPlan.unmapped(reference)
                : image(container, parts.images().find(reference, container.string("imagePullPolicy")));
    }

    private boolean needsNone(Resource pod, Json.Obj container) {
        return parts.programs().stream()
                .anyMatch(each -> each.runs(pod, container) && !each.needsImage(pod, container));
    }

    private static String id(Image image) {
        return switch (image.root()) {
            case Image.Root.Layers(var _, var id) -> id;
            case Image.Root.Host _, Image.Root.Directory _ -> StandIn.id(image.name());
            case Image.Root.Engine _ -> image.name();
        };
    }

    private static Image image(Json.Obj container, Lookup lookup) throws StartProblem {
        return switch (lookup) {
            case Lookup.Found(var image) -> image;
            case Lookup.Pulling _ -> throw new StartProblem("ErrImagePull", "the image is on its way");
            case Lookup.NotFound(var reason, var message) -> {
                if (container.string("imagePullPolicy").equals("Never") && !reason.equals("InvalidImageName")) {
                    throw new StartProblem(
                            "ErrImageNeverPull",
                            "Container image \"" + container.string("image")
                                    + "\" is not present with pull policy of Never");
                }
                throw new StartProblem(reason, message);
            }
        };
    }

    /// What the pod's Secrets hold for registries, in both forms; one that cannot be read counts as missing.
    private List<Json.Obj> logins(Resource pod) {
        var logins = new ArrayList<Json.Obj>();
        for (var reference : pod.spec().objects("imagePullSecrets")) {
            sources.secret(reference.string("name")).ifPresent(secret -> {
                auths(secret, ".dockerconfigjson")
                        .map(json -> json.object("auths"))
                        .ifPresent(logins::add);
                auths(secret, ".dockercfg").ifPresent(logins::add);
            });
        }
        return logins;
    }

    private static Optional<Json.Obj> auths(Json.Obj secret, String key) {
        try {
            var text = secret.stringMap("data").get(key);
            return text == null ? Optional.empty() : Optional.of(JsonText.parseObject(Secrets.text(text)));
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }
}
