package dev.towtank.node.pods;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.node.volumes.LocalVolumes;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.VolumeProblem;
import dev.towtank.node.volumes.VolumeSources;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one pod refers to, read from the API when it is needed. Its pod's worker alone uses it.
final class ApiSources implements VolumeSources, Environment.Sources {

    private final NodeParts parts;
    private final Resource pod;
    private final Map<String, Token> tokens = new HashMap<>();

    ApiSources(NodeParts parts, Resource pod) {
        this.parts = parts;
        this.pod = pod;
    }

    @Override
    public Optional<Json.Obj> configMap(String name) {
        return get(ConfigMaps.KIND, name);
    }

    @Override
    public Optional<Json.Obj> secret(String name) {
        return get(Secrets.KIND, name);
    }

    private Optional<Json.Obj> get(Kind<?> kind, String name) {
        return parts.cluster()
                .get(kind, new ObjectName(pod.cluster(), pod.namespace(), name))
                .map(Resource::json);
    }

    @Override
    public NodeValues node() {
        return parts.node().at(parts.podAddress(pod.uid()));
    }

    /// Those that the pod was given last.
    List<String> tokens() {
        return tokens.values().stream().map(Token::value).toList();
    }

    @Override
    public Token token(String audience, long seconds) throws VolumeProblem {
        var key = audience + " " + seconds;
        var known = tokens.get(key);
        if (known != null && parts.timers().instant().isBefore(known.refresh())) {
            return known;
        }
        try {
            var token = requested(audience, seconds);
            tokens.put(key, token);
            return token;
        } catch (StatusError e) {
            throw new VolumeProblem("failed to fetch token: " + e.text());
        }
    }

    private Token requested(String audience, long seconds) {
        var bound = Json.Obj.builder()
                .put("kind", "Pod")
                .put("apiVersion", "v1")
                .put("name", pod.name())
                .put("uid", pod.uid())
                .build();
        var spec = Json.Obj.builder()
                .put("audiences", audience.isEmpty() ? Json.Arr.EMPTY : Json.Arr.of(Json.of(audience)))
                .put("expirationSeconds", seconds)
                .put("boundObjectRef", bound)
                .build();
        var request = Json.Obj.builder()
                .put("apiVersion", "authentication.k8s.io/v1")
                .put("kind", "TokenRequest")
                .put(
                        "metadata",
                        Json.Obj.of(
                                "name",
                                Json.of(pod.spec().string("serviceAccountName")),
                                "namespace",
                                Json.of(pod.namespace())))
                .put("spec", spec)
                .build();
        var answer = parts.cluster()
                .create(ServiceAccounts.KIND, pod.with(request), Cluster.WriteOptions.DEFAULT.on("token"));
        return new Token(answer.status().string("token"), refresh(answer, seconds));
    }

    // At four fifths of its life, so that a program has time to notice the new one.
    private Instant refresh(Resource answer, long seconds) {
        var now = parts.timers().instant();
        try {
            var expires = Instant.parse(answer.status().string("expirationTimestamp"));
            return now.plus(Duration.between(now, expires).multipliedBy(4).dividedBy(5));
        } catch (DateTimeParseException e) {
            return now.plusSeconds(seconds * 4 / 5);
        }
    }

    @Override
    public Path claim(String name) throws VolumeProblem {
        var claim = parts.cluster()
                .get(PersistentVolumeClaims.KIND, new ObjectName(pod.cluster(), pod.namespace(), name))
                .orElseThrow(() -> new VolumeProblem("persistentvolumeclaim \"" + name + "\" not found"));
        var volumeName = claim.spec().string("volumeName");
        if (!claim.status().string("phase").equals("Bound") || volumeName.isEmpty()) {
            throw new VolumeProblem("PVC is not bound");
        }
        var volume = parts.cluster()
                .get(PersistentVolumes.KIND, new ObjectName(pod.cluster(), "", volumeName))
                .orElseThrow(() -> new VolumeProblem("persistentvolume \"" + volumeName + "\" not found"));
        try {
            return LocalVolumes.directory(volume, parts.volumes());
        } catch (IOException e) {
            throw new VolumeProblem("cannot make the directory of persistentvolume \"" + volumeName + "\": " + e);
        }
    }
}
