package dev.towtank.model.helm;

import dev.towtank.model.template.Function;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.TypedMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The version of the Kubernetes that a chart is rendered for, such as `v1.34.0`.
public record KubeVersion(String version, String major, String minor) implements GoObject {

    /// Takes `1.34`, `v1.34.2` and the like.
    public static KubeVersion of(String text) {
        var bare = text.startsWith("v") ? text.substring(1) : text;
        if (!bare.matches("[0-9]{1,9}\\.[0-9]{1,9}(\\.[0-9]{1,9})?([-+][0-9A-Za-z.+-]*)?")) {
            throw new HelmError("\"" + text + "\" is no version of Kubernetes; write it as in v1.34.0");
        }
        var parts = bare.split("[.+-]", 3);
        var full = bare.matches("[0-9]+\\.[0-9]+") ? bare + ".0" : bare;
        return new KubeVersion("v" + full, parts[0], parts[1]);
    }

    @Override
    public String type() {
        return "chartutil.KubeVersion";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "Version" -> new Field(version);
            case "Major" -> new Field(major);
            case "Minor" -> new Field(minor);
            case "GitVersion", "String" -> new Method(Function.of(_ -> version));
            default -> null;
        };
    }

    @Override
    public String text() {
        return version;
    }

    @Override
    public @Nullable Object data() {
        return TypedMap.strings(Map.of("Version", version, "Major", major, "Minor", minor));
    }
}
