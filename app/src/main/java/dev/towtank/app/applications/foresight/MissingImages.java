package dev.towtank.app.applications.foresight;

import java.util.Set;
import java.util.stream.Stream;

/// Images of pods that nobody has.
final class MissingImages {

    private static final Set<String> WORKLOADS =
            Set.of("Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job");

    private MissingImages() {}

    static Stream<Omen> in(Scene scene) {
        return scene.parts().stream()
                .filter(part -> WORKLOADS.contains(part.key().kind()))
                .flatMap(part -> images(part)
                        .filter(image -> !scene.isBuilt(image))
                        .flatMap(image -> scene.world().missingImage(image).stream()
                                .map(why -> Omen.waits(
                                        "the pods of " + part.title() + " will not start: " + firstSentences(why)))));
    }

    /// Without the lines that could be added to the map of images, which whoever runs it is told.
    private static String firstSentences(String why) {
        return why.lines().findFirst().orElse("").replaceFirst("\\. To run it with .*", ".");
    }

    private static Stream<String> images(Scene.Part part) {
        var pod = PodTemplate.of(part.object());
        return Stream.concat(pod.objects("initContainers").stream(), pod.objects("containers").stream())
                .map(container -> container.string("image"))
                .filter(image -> !image.isEmpty())
                .distinct();
    }
}
