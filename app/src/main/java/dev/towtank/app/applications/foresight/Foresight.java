package dev.towtank.app.applications.foresight;

import dev.towtank.controllers.gitops.Preview;
import java.util.List;
import java.util.stream.Stream;

/// What can be told of a sync out of its objects and what is there before, without doing anything.
public final class Foresight {

    private Foresight() {}

    public static List<Omen> of(Preview.Outlook outlook, World world) {
        var scene = Scene.of(outlook.outline(), outlook.gates(), world);
        return Stream.of(
                        UnprovidedClaims.in(scene),
                        SecretSources.in(scene),
                        DoomedScripts.in(scene),
                        MissingImages.in(scene),
                        MissingPackages.in(scene),
                        ModelsToCome.in(scene))
                .flatMap(omens -> omens)
                .distinct()
                .toList();
    }
}
