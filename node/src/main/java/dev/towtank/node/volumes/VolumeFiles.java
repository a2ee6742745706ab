package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What files a configMap, secret, downwardAPI or projected volume holds now.
final class VolumeFiles {

    private static final int USUAL_MODE = 0644;

    private final Resource pod;
    private final VolumeSources sources;
    private final Map<String, VolumeFile> files = new TreeMap<>();
    private Optional<Instant> refresh = Optional.empty();

    private VolumeFiles(Resource pod, VolumeSources sources) {
        this.pod = pod;
        this.sources = sources;
    }

    /// @param refresh when a file gets old though nothing changes
    record Content(Map<String, VolumeFile> files, Optional<Instant> refresh) {
        Content {
            files = Map.copyOf(files);
        }
    }

    static boolean holds(Json.Obj volume) {
        return List.of("configMap", "secret", "downwardAPI", "projected").stream()
                .anyMatch(volume::has);
    }

    static Content of(Resource pod, Json.Obj volume, VolumeSources sources) throws VolumeProblem {
        var collected = new VolumeFiles(pod, sources);
        if (volume.get("configMap") instanceof Json.Obj source) {
            collected.addConfigMap(source, source.string("name"), mode(source));
        } else if (volume.get("secret") instanceof Json.Obj source) {
            collected.addSecret(source, source.string("secretName"), mode(source));
        } else if (volume.get("downwardAPI") instanceof Json.Obj source) {
            collected.addFields(source, mode(source));
        } else if (volume.get("projected") instanceof Json.Obj projection) {
            for (var source : projection.objects("sources")) {
                collected.addProjected(source, mode(projection));
            }
        }
        return new Content(collected.files, collected.refresh);
    }

    private static int mode(Json.Obj source) {
        return (int) source.integerOr(USUAL_MODE, "defaultMode");
    }

    private void addProjected(Json.Obj source, int mode) throws VolumeProblem {
        if (source.get("configMap") instanceof Json.Obj map) {
            addConfigMap(map, map.string("name"), mode);
        } else if (source.get("secret") instanceof Json.Obj secret) {
            addSecret(secret, secret.string("name"), mode);
        } else if (source.get("downwardAPI") instanceof Json.Obj fields) {
            addFields(fields, mode);
        } else if (source.get("serviceAccountToken") instanceof Json.Obj token) {
            addToken(token, mode);
        } else {
            throw new VolumeProblem("this node cannot project " + String.join(", ", source.keys()));
        }
    }

    private void addConfigMap(Json.Obj source, String name, int mode) throws VolumeProblem {
        var found = sources.configMap(name);
        if (found.isEmpty()) {
            requireOptional(source, "configmap \"" + name + "\" not found");
            return;
        }
        var contents = new TreeMap<String, byte[]>();
        found.get()
                .stringMap("data")
                .forEach((key, text) -> contents.put(key, text.getBytes(StandardCharsets.UTF_8)));
        decode(found.get().stringMap("binaryData"), contents);
        addKeys(source, contents, mode, "configmap references non-existent config key: ");
    }

    private void addSecret(Json.Obj source, String name, int mode) throws VolumeProblem {
        var found = sources.secret(name);
        if (found.isEmpty()) {
            requireOptional(source, "secret \"" + name + "\" not found");
            return;
        }
        var contents = new TreeMap<String, byte[]>();
        decode(found.get().stringMap("data"), contents);
        addKeys(source, contents, mode, "references non-existent secret key: ");
    }

    private static void requireOptional(Json.Obj source, String problem) throws VolumeProblem {
        if (!source.flag("optional")) {
            throw new VolumeProblem(problem);
        }
    }

    private static void decode(Map<String, String> encoded, Map<String, byte[]> contents) {
        encoded.forEach((key, text) -> contents.put(key, Base64.getDecoder().decode(text)));
    }

    private void addKeys(Json.Obj source, Map<String, byte[]> contents, int mode, String missing)
            throws VolumeProblem {
        var items = source.objects("items");
        if (items.isEmpty()) {
            for (var entry : contents.entrySet()) {
                put(entry.getKey(), new VolumeFile(entry.getValue(), mode));
            }
            return;
        }
        for (var item : items) {
            var content = contents.get(item.string("key"));
            if (content != null) {
                put(item.string("path"), new VolumeFile(content, (int) item.integerOr(mode, "mode")));
            } else {
                requireOptional(source, missing + item.string("key"));
            }
        }
    }

    private void addFields(Json.Obj source, int mode) throws VolumeProblem {
        for (var item : source.objects("items")) {
            put(item.string("path"), VolumeFile.of(field(item), (int) item.integerOr(mode, "mode")));
        }
    }

    private String field(Json.Obj item) throws VolumeProblem {
        try {
            if (item.get("fieldRef") instanceof Json.Obj reference) {
                return PodFields.value(pod, reference.string("fieldPath"), sources.node());
            }
            return ResourceFields.value(pod, Json.Obj.EMPTY, item.object("resourceFieldRef"), sources.node());
        } catch (IllegalArgumentException e) {
            throw new VolumeProblem(String.valueOf(e.getMessage()));
        }
    }

    private void addToken(Json.Obj source, int mode) throws VolumeProblem {
        var token = sources.token(source.string("audience"), source.integerOr(3600, "expirationSeconds"));
        refresh = refresh.filter(earlier -> earlier.isBefore(token.refresh())).or(() -> Optional.of(token.refresh()));
        put(source.string("path"), VolumeFile.of(token.value(), mode));
    }

    private void put(String path, VolumeFile file) throws VolumeProblem {
        files.put(InnerPath.checked(path), file);
    }
}
