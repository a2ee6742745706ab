package dev.towtank.model.kinds;

import java.util.Arrays;
import java.util.List;

/// Rules for paths of files that end up inside a volume: none may lead out of it.
final class FilePaths {

    private FilePaths() {}

    /// And without what [#printable] refuses.
    static void withoutBacksteps(Field path) {
        printable(path);
        if (hasBacksteps(path.text())) {
            path.invalid("must not contain '..'");
        }
    }

    static boolean hasBacksteps(String path) {
        return Arrays.asList(path.split("/", -1)).contains("..");
    }

    /// What no kernel can be given as a path, or nobody could read in a message. Upstream leaves it to the runtime,
    /// which refuses a zero byte; here the pod is refused before anything is made for it.
    static void printable(Field path) {
        if (path.text().chars().anyMatch(Character::isISOControl)) {
            path.invalid("must not contain control characters");
        }
    }

    static void relative(Field path) {
        if (path.text().startsWith("/")) {
            path.invalid("must be a relative path");
        }
        withoutBacksteps(path);
    }

    /// Relative, and none of the names that atomically written volumes keep for themselves.
    static void relativeAndNotReserved(Field path) {
        relative(path);
        if (path.text().startsWith("..") && !path.text().startsWith("../")) {
            path.invalid("must not start with '..'");
        }
    }

    static void mode(Field mode) {
        if (mode.isPresent() && (mode.number() > 0777 || mode.number() < 0)) {
            mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
        }
    }

    /// An item of a configMap or secret volume.
    static void keyToPath(Field item) {
        item.at("key").required("");
        relativeAndNotReserved(item.at("path").required(""));
        mode(item.at("mode"));
    }

    static void keysToPaths(Field source) {
        mode(source.at("defaultMode"));
        source.at("items").each(FilePaths::keyToPath);
    }

    static List<String> absolute(String path) {
        return path.startsWith("/") ? List.of() : List.of("must be an absolute path");
    }
}
