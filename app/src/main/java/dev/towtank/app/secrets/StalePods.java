package dev.towtank.app.secrets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which pods use a Secret, and which of them have old values of it.
final class StalePods {

    private StalePods() {}

    static boolean uses(Resource pod, String secret) {
        return inEnvironment(pod, secret)
                || pod.spec().objects("volumes").stream()
                        .anyMatch(volume ->
                                volume.string("secret", "secretName").equals(secret)
                                        || volume.objects("projected", "sources").stream()
                                                .anyMatch(source -> source.string("secret", "name")
                                                        .equals(secret)))
                || pod.spec().objects("imagePullSecrets").stream()
                        .anyMatch(each -> each.string("name").equals(secret));
    }

    /// Files follow a Secret, environment variables do not.
    private static boolean inEnvironment(Resource pod, String secret) {
        return containers(pod)
                .anyMatch(container -> container.objects("env").stream()
                                .anyMatch(variable -> variable.string("valueFrom", "secretKeyRef", "name")
                                        .equals(secret))
                        || container.objects("envFrom").stream()
                                .anyMatch(source ->
                                        source.string("secretRef", "name").equals(secret)));
    }

    private static Stream<Json.Obj> containers(Resource pod) {
        return Stream.of("initContainers", "containers").flatMap(list -> pod.spec().objects(list).stream());
    }

    /// Names of those whose containers started before the values last changed.
    static List<String> of(Resource secret, List<Resource> pods) {
        var changed = changed(secret);
        return pods.stream()
                .filter(pod -> inEnvironment(pod, secret.name()))
                .filter(pod -> changed.isPresent() && started(pod).anyMatch(moment -> moment.isBefore(changed.get())))
                .map(Resource::name)
                .sorted()
                .toList();
    }

    private static Stream<Instant> started(Resource pod) {
        return pod.status().objects("containerStatuses").stream()
                .map(container -> container.string("state", "running", "startedAt"))
                .filter(text -> !text.isEmpty())
                .map(Timestamps::parseSeconds)
                .flatMap(Optional::stream);
    }

    private static Optional<Instant> changed(Resource secret) {
        return secret.metadata().objects("managedFields").stream()
                .filter(entry -> entry.object("fieldsV1").has("f:data"))
                .map(entry -> Timestamps.parseSeconds(entry.string("time")))
                .flatMap(Optional::stream)
                .max(Instant::compareTo);
    }
}
