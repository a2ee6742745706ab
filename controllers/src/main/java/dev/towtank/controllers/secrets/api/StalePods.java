package dev.towtank.controllers.secrets.api;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which pods use a Secret, and which of them have old values of it.
public final class StalePods {

    private StalePods() {}

    public static boolean uses(Resource pod, String secret) {
        return inEnvironment(pod).contains(secret)
                || pod.spec().objects("volumes").stream()
                        .anyMatch(volume ->
                                volume.string("secret", "secretName").equals(secret)
                                        || volume.objects("projected", "sources").stream()
                                                .anyMatch(source -> source.string("secret", "name")
                                                        .equals(secret)))
                || pod.spec().objects("imagePullSecrets").stream()
                        .anyMatch(each -> each.string("name").equals(secret));
    }

    /// Names of the Secrets that a pod takes values of by environment variables. Files follow a Secret, these do not.
    public static List<String> inEnvironment(Resource pod) {
        return containers(pod)
                .flatMap(container -> Stream.concat(
                        container.objects("env").stream()
                                .map(variable -> variable.string("valueFrom", "secretKeyRef", "name")),
                        container.objects("envFrom").stream().map(source -> source.string("secretRef", "name"))))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static Stream<Json.Obj> containers(Resource pod) {
        return Stream.of("initContainers", "containers").flatMap(list -> pod.spec().objects(list).stream());
    }

    /// Those whose containers started before the values last changed, in the order of their names.
    public static List<Resource> of(Resource secret, List<Resource> pods) {
        var changed = changed(secret);
        return pods.stream()
                .filter(pod -> inEnvironment(pod).contains(secret.name()))
                .filter(pod -> changed.isPresent() && started(pod).anyMatch(moment -> moment.isBefore(changed.get())))
                .sorted((one, other) -> one.name().compareTo(other.name()))
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
