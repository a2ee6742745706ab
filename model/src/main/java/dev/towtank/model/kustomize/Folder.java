package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.files.FileTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The folder of one kustomization. Its files lie in it or below; other kustomizations may lie anywhere in the tree.
record Folder(FileTree files, String path, Budget budget) {

    private static final List<String> NAMES = List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

    /// What all kustomizations of a build may read together.
    static final class Budget {
        private static final int MAX_FILES = 5_000;
        private static final long MAX_BYTES = 64L << 20;
        private int readFiles;
        private long readBytes;

        byte[] count(String path, byte[] content) {
            readFiles++;
            readBytes += content.length;
            if (readFiles > MAX_FILES || readBytes > MAX_BYTES) {
                throw new KustomizeError(path + ": a build may read " + MAX_FILES + " files and " + MAX_BYTES
                        + " bytes; this one reads more");
            }
            return content;
        }
    }

    /// A path as written in this folder, from the root of the tree. It may lead up, but not out.
    String resolve(String written) {
        var parts = new ArrayDeque<String>();
        if (written.startsWith("/")) {
            throw new KustomizeError(
                    display() + ": '" + written + "' is absolute; paths are relative to the kustomization");
        }
        for (var part : (path + "/" + written).split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    throw new KustomizeError(display() + ": '" + written + "' leads out of the repository");
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return String.join("/", parts);
    }

    Folder enter(String written) {
        return new Folder(files, resolve(written), budget);
    }

    boolean isKustomization() {
        return NAMES.stream().anyMatch(name -> files.read(at(name)).isPresent());
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    String display() {
        return path.isEmpty() ? "." : path;
    }

    /// The path of the kustomization file.
    String file() {
        return NAMES.stream()
                .map(this::at)
                .filter(file -> files.read(file).isPresent())
                .findFirst()
                .orElse(at(NAMES.getFirst()));
    }

    /// The kustomization file of this folder.
    Json.Obj kustomization() {
        var found =
                NAMES.stream().filter(name -> files.read(at(name)).isPresent()).toList();
        if (found.isEmpty()) {
            throw new KustomizeError(
                    "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization'"
                            + " in directory '" + display() + "'");
        }
        if (found.size() > 1) {
            throw new KustomizeError("Found multiple kustomization files under: " + display());
        }
        var file = at(found.getFirst());
        var parsed = parse(file, text(found.getFirst()));
        if (parsed.size() != 1 || !(parsed.getFirst() instanceof Json.Obj fields)) {
            throw new KustomizeError(file + ": expected one mapping");
        }
        return fields;
    }

    boolean has(String written) {
        return files.read(resolve(written)).isPresent();
    }

    byte[] bytes(String written) {
        var file = resolve(written);
        if (!path.isEmpty() && !file.startsWith(path + "/")) {
            throw new KustomizeError("security; file '" + file + "' is not in or below '" + path + "'");
        }
        Optional<byte[]> content = files.read(file);
        return budget.count(
                file,
                content.orElseThrow(() ->
                        new KustomizeError(display() + ": '" + written + "' doesn't exist: there is no file " + file)));
    }

    String text(String written) {
        return new String(bytes(written), StandardCharsets.UTF_8);
    }

    List<Json> documents(String written) {
        return parse(resolve(written), text(written));
    }

    static List<Json> parse(String file, String text) {
        try {
            return YamlText.parseAllForKustomize(text);
        } catch (JsonText.Malformed e) {
            throw new KustomizeError(file + ": " + e.getMessage());
        }
    }

    List<Json.Obj> objects(String file, List<Json> documents) {
        var objects = new ArrayList<Json.Obj>();
        for (var document : documents) {
            if (!(document instanceof Json.Obj object)) {
                throw new KustomizeError(file + ": expected objects, found " + document);
            }
            if (object.string("kind").endsWith("List") && object.get("items") instanceof Json.Arr items) {
                objects.addAll(items.objects());
            } else {
                objects.add(object);
            }
        }
        return objects;
    }
}
