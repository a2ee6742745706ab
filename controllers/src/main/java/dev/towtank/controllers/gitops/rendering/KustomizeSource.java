package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.files.FileTree;
import dev.towtank.model.kustomize.Kustomization;
import dev.towtank.model.kustomize.RemoteBases;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Objects that a kustomization makes; what the Application says beyond it is an overlay on top.
final class KustomizeSource {

    private static final String OVERLAY = "towtank-overlay";
    private static final Set<String> AS_THEY_ARE =
            Set.of("namePrefix", "nameSuffix", "commonLabels", "commonAnnotations", "replicas", "namespace", "patches");

    private KustomizeSource() {}

    static List<Json.Obj> render(SourceQuestion question, Map<String, byte[]> files, RemoteBases bases) {
        var options = question.source().object("kustomize");
        if (options.size() == 0) {
            return Kustomization.build(FileTree.of(files), question.path(), bases);
        }
        var overlaid = new TreeMap<>(files);
        overlaid.put(
                OVERLAY + "/kustomization.yaml",
                YamlText.write(overlay(question, options)).getBytes(StandardCharsets.UTF_8));
        return Kustomization.build(FileTree.of(overlaid), OVERLAY, bases);
    }

    private static Json.Obj overlay(SourceQuestion question, Json.Obj options) {
        var base = "../" + question.path();
        var overlay = Json.Obj.builder()
                .put("resources", Json.Arr.of(Json.of(question.path().isEmpty() ? ".." : base)));
        options.forEach((field, value) -> {
            if (AS_THEY_ARE.contains(field)) {
                overlay.put(field, value);
            } else if (field.equals("images")) {
                overlay.put(
                        "images",
                        new Json.Arr(options.array("images").strings().stream()
                                .<Json>map(KustomizeSource::image)
                                .toList()));
            } else if (field.equals("components")) {
                overlay.put(
                        "components",
                        Json.Arr.ofStrings(options.array("components").strings().stream()
                                .map(each -> base + "/" + each)
                                .toList()));
            } else {
                throw new RenderError("spec.source.kustomize." + field + " is not served");
            }
        });
        return overlay.build();
    }

    /// `[old=]name[:tag|@digest]`.
    private static Json.Obj image(String text) {
        int equals = text.indexOf('=');
        var wanted = text.substring(equals + 1);
        int at = wanted.indexOf('@');
        int colon = wanted.lastIndexOf(':');
        boolean hasTag = at < 0 && colon > wanted.lastIndexOf('/');
        var name = at >= 0 ? wanted.substring(0, at) : hasTag ? wanted.substring(0, colon) : wanted;
        return Json.Obj.builder()
                .put("name", equals < 0 ? name : text.substring(0, equals))
                .putNonEmpty("newName", equals < 0 ? "" : name)
                .putNonEmpty("newTag", hasTag ? wanted.substring(colon + 1) : "")
                .putNonEmpty("digest", at >= 0 ? wanted.substring(at + 1) : "")
                .build();
    }
}
