package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The objects that a feature brings with it, in files on its class path: YAML, or, where there is much to read,
/// JSON,
/// which is quicker. They are read when somebody wants to see them; whether they have changed is known without.
public final class Definitions {

    public static final Definitions NONE = new Definitions(Definitions.class, List.of());

    private final Class<?> feature;
    private final List<String> files;
    private volatile @Nullable List<Json.Obj> objects;

    private Definitions(Class<?> feature, List<String> files) {
        this.feature = feature;
        this.files = List.copyOf(files);
    }

    /// @param feature the files are found relative to its package
    /// @param files such as `crds/pipelines.yaml`; a file may hold several documents
    public static Definitions of(Class<?> feature, String... files) {
        return new Definitions(feature, List.of(files));
    }

    /// Of objects that are made, not read.
    public static Definitions of(List<Json.Obj> objects) {
        var made = new Definitions(Definitions.class, List.of());
        made.objects = List.copyOf(objects);
        return made;
    }

    /// In the order of the files.
    public List<Json.Obj> objects() {
        var known = objects;
        if (known == null) {
            known = List.copyOf(read(feature, files));
            objects = known;
        }
        return known;
    }

    /// Changes when the objects do.
    public String fingerprint() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            if (files.isEmpty()) {
                objects().forEach(object -> digest.update(JsonText.write(object).getBytes(StandardCharsets.UTF_8)));
            }
            for (var file : files) {
                digest.update(bytes(feature, file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Json.Obj> read(Class<?> feature, List<String> files) {
        var objects = new ArrayList<Json.Obj>();
        for (var file : files) {
            var text = bytes(feature, file);
            for (var document : file.endsWith(".json") ? List.of(JsonText.parse(text)) : YamlText.parseAll(text)) {
                if (document instanceof Json.Obj object && object.size() > 0) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    private static byte[] bytes(Class<?> feature, String file) {
        try (var in = feature.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no file " + file + " beside " + feature.getName());
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
