package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Functions;
import java.util.ArrayList;

/// Sprig's functions on paths: words with slashes between them, of which no file is asked.
final class PathFunctions {
    static final Functions ALL = build();

    private PathFunctions() {}

    private static Functions build() {
        var all = Functions.builder();
        for (var prefix : new String[] {"", "os"}) {
            all.add(name(prefix, "base"), call -> base(call.string(0)), STRING)
                    .add(name(prefix, "dir"), call -> folder(call.string(0)), STRING)
                    .add(name(prefix, "clean"), call -> clean(call.string(0)), STRING)
                    .add(name(prefix, "ext"), call -> extension(call.string(0)), STRING)
                    .add(name(prefix, "isAbs"), call -> call.string(0).startsWith("/"), STRING);
        }
        return all.build();
    }

    private static String name(String prefix, String name) {
        return prefix.isEmpty() ? name : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    static String base(String path) {
        if (path.isEmpty()) {
            return ".";
        }
        var trimmed = path.replaceAll("/+$", "");
        return trimmed.isEmpty() ? "/" : trimmed.substring(trimmed.lastIndexOf('/') + 1);
    }

    static String folder(String path) {
        return clean(path.substring(0, path.lastIndexOf('/') + 1));
    }

    private static String extension(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 || dot < path.lastIndexOf('/') ? "" : path.substring(dot);
    }

    static String clean(String path) {
        boolean rooted = path.startsWith("/");
        var parts = new ArrayList<String>();
        for (var part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            boolean goesUp = part.equals("..");
            if (goesUp && !parts.isEmpty() && !parts.getLast().equals("..")) {
                parts.removeLast();
            } else if (!goesUp || !rooted) {
                parts.add(part);
            }
        }
        var joined = String.join("/", parts);
        return rooted ? "/" + joined : joined.isEmpty() ? "." : joined;
    }
}
