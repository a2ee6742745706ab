package dev.towtank.app.applications.foresight;

import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import java.util.Optional;
import java.util.stream.Stream;

/// Model servers that others wait for, while the model itself comes later or never: the claim that it is to be on is
/// new, and
/// nothing before has it.
final class ModelsToCome {

    private static final String ON_CLAIM = "pvc://";
    private static final int DEEPEST = 50;

    private ModelsToCome() {}

    static Stream<Omen> in(Scene scene) {
        return scene.all(ServingKinds.INFERENCE_SERVICE)
                .filter(Scene.Part::holdsUp)
                .flatMap(part -> address(part.spec().object("predictor"))
                        .filter(address -> address.startsWith(ON_CLAIM))
                        .flatMap(address -> of(scene, part, address))
                        .stream());
    }

    /// Also where it is written by the older way, below the name of the format.
    private static Optional<String> address(Json.Obj predictor) {
        return predictor.keys().stream()
                .map(key -> predictor.string(key, "storageUri"))
                .filter(address -> !address.isEmpty())
                .findFirst();
    }

    private static Optional<Omen> of(Scene scene, Scene.Part service, String address) {
        var claim = address.substring(ON_CLAIM.length()).replaceFirst("/.*", "");
        boolean isNew = scene.all(PersistentVolumeClaims.KIND)
                .anyMatch(part -> part.entry().verb() == Outline.Verb.CREATE
                        && part.key().name().equals(claim)
                        && part.key().namespace().equals(service.key().namespace()));
        boolean hasWriter = scene.parts().stream()
                .anyMatch(part -> part.step() < service.step() && mentions(part.object(), claim, 0));
        if (!isNew || hasWriter) {
            return Optional.empty();
        }
        var later = scene.parts().stream()
                .filter(part -> part.step() > service.step() && mentions(part.object(), claim, 0))
                .findFirst();
        return Optional.of(
                Omen.waits(
                        service.title() + " will wait for its model, and all that follows with it: "
                                + address + " is on a claim that is new, and nothing before it writes there"
                                + later.map(part -> "; " + part.title() + ", which has the claim, comes after it")
                                        .orElse("")
                                + ". Annotate it with argocd.argoproj.io/sync-options: SkipHealthCheck=true, or let the model come first."));
    }

    /// Whether a volume or a workspace in it is that of the claim.
    private static boolean mentions(Json value, String claim, int depth) {
        if (depth > DEEPEST) {
            return false;
        }
        return switch (value) {
            case Json.Obj object ->
                object.string("claimName").equals(claim)
                        || object.keys().stream()
                                .anyMatch(key -> Optional.ofNullable(object.get(key))
                                        .filter(each -> mentions(each, claim, depth + 1))
                                        .isPresent());
            case Json.Arr list -> {
                for (var each : list) {
                    if (mentions(each, claim, depth + 1)) {
                        yield true;
                    }
                }
                yield false;
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> false;
        };
    }
}
