package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/// The part of a volume that a container mounts.
final class SubPath {

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([^)]*)\\))");

    private SubPath() {}

    static Path in(Path volume, Json.Obj container, Json.Obj mount, Map<String, String> environment)
            throws VolumeProblem {
        var expression = mount.string("subPathExpr");
        var path = expression.isEmpty() ? mount.string("subPath") : expanded(expression, environment);
        if (path.isEmpty()) {
            return volume;
        }
        if (path.startsWith("/")) {
            throw new VolumeProblem("error SubPath `" + path + "` must not be an absolute path");
        }
        for (var part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new VolumeProblem("unable to provision SubPath `" + path + "`: must not contain '..'");
            }
        }
        var whose = " for volumeMount \"" + mount.string("name") + "\" of container \"" + container.string("name")
                + "\"";
        return place(volume, path, whose);
    }

    private static Path place(Path volume, String path, String whose) throws VolumeProblem {
        try {
            // Files of a configMap are links of our own making, into the very volume.
            if (Files.isSymbolicLink(volume.resolve("..data")) && Files.exists(volume.resolve(path))) {
                var real = volume.resolve(path).toRealPath();
                if (real.startsWith(volume.toRealPath())) {
                    return real;
                }
            }
            var place = InnerPath.resolve(volume, path);
            if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                return place;
            }
        } catch (IOException e) {
            throw new VolumeProblem("failed to prepare subPath" + whose);
        }
        try {
            return InnerPath.makeDirectories(volume, path);
        } catch (IOException e) {
            throw new VolumeProblem("failed to create subPath directory" + whose);
        }
    }

    private static String expanded(String expression, Map<String, String> environment) throws VolumeProblem {
        var matcher = REFERENCE.matcher(expression);
        var result = new StringBuilder();
        int last = 0;
        while (matcher.find()) {
            result.append(expression, last, matcher.start());
            last = matcher.end();
            var name = matcher.group(2);
            if (name == null) {
                result.append('$');
                continue;
            }
            var value = environment.get(name);
            if (value == null) {
                throw new VolumeProblem("missing value for \"" + name + "\"");
            }
            result.append(value);
        }
        return result.append(expression.substring(last)).toString();
    }
}
