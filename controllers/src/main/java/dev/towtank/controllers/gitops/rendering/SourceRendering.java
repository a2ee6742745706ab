package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.kustomize.KustomizeError;
import dev.towtank.model.kustomize.RemoteBases;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Makes objects of the files of a repository, by whichever tool they are meant for.
public final class SourceRendering {

    static final List<String> KUSTOMIZATIONS = List.of("kustomization.yaml", "kustomization.yml", "Kustomization");
    private static final int MOST_OBJECTS = 20_000;

    private SourceRendering() {}

    /// @param bases where kustomizations get what is in other repositories
    /// @param now what charts see as the time
    public static Manifests render(SourceQuestion question, SourceFiles all, RemoteBases bases, Instant now) {
        var commit = question.commit();
        var files = all.own();
        var type = type(question, files);
        try {
            if (question.source().string("path").isEmpty() && question.source().has("ref")) {
                return new Manifests(commit, "", List.of(), "");
            }
            if (files.keySet().stream().noneMatch(path -> isBelow(path, question.path()))) {
                throw new RenderError(question.path() + ": app path does not exist");
            }
            var objects = flat(
                    switch (type) {
                        case "Kustomize" -> KustomizeSource.render(question, files, bases);
                        case "Helm" -> HelmSource.render(question, all, now);
                        default -> DirectorySource.render(question, below(files, question.path()));
                    });
            return new Manifests(commit, type, objects, "");
        } catch (RenderError e) {
            return new Manifests(commit, type, List.of(), e.text());
        } catch (HelmError | KustomizeError | JsonText.Malformed e) {
            return new Manifests(commit, type, List.of(), String.valueOf(e.getMessage()));
        }
    }

    private static String type(SourceQuestion question, Map<String, byte[]> files) {
        var prefix = prefix(question.path());
        if (question.source().has("helm") || files.containsKey(prefix + "Chart.yaml")) {
            return "Helm";
        }
        boolean isKustomized = question.source().has("kustomize")
                || KUSTOMIZATIONS.stream().anyMatch(name -> files.containsKey(prefix + name));
        return isKustomized && !question.source().has("directory") ? "Kustomize" : "Directory";
    }

    static String prefix(String path) {
        return path.isEmpty() ? "" : path + "/";
    }

    private static boolean isBelow(String file, String path) {
        return file.startsWith(prefix(path));
    }

    static Map<String, byte[]> below(Map<String, byte[]> files, String path) {
        var prefix = prefix(path);
        var found = new TreeMap<String, byte[]>();
        files.forEach((file, content) -> {
            if (file.startsWith(prefix)) {
                found.put(file.substring(prefix.length()), content);
            }
        });
        return found;
    }

    /// Lists are what is in them.
    private static List<Json.Obj> flat(List<Json.Obj> objects) {
        var all = new ArrayList<Json.Obj>();
        for (var object : objects) {
            if (object.string("kind").endsWith("List") && object.has("items")) {
                all.addAll(object.objects("items"));
            } else if (object.size() > 0) {
                all.add(object);
            }
        }
        for (var object : all) {
            if (object.string("kind").isEmpty() || object.string("apiVersion").isEmpty()) {
                throw new RenderError("an object has no apiVersion or no kind: " + object.keys());
            }
        }
        if (all.size() > MOST_OBJECTS) {
            throw new RenderError("there are " + all.size() + " objects; " + MOST_OBJECTS + " are the most");
        }
        return all;
    }
}
