package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.files.FileTree;
import dev.towtank.model.kustomize.Kustomization;
import dev.towtank.model.kustomize.RemoteBases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Objects that a kustomization makes; what the Application says beyond it is an overlay on top.
final class KustomizeSource {

    private static final String OVERLAY = "towtank-overlay";
    private static final Set<String> AS_THEY_ARE =
            Set.of("namePrefix", "nameSuffix", "replicas", "namespace", "patches");
    private static final Set<String> ABOUT_OTHERS = Set.of(
            "forceCommonLabels",
            "forceCommonAnnotations",
            "labelWithoutSelector",
            "labelIncludeTemplates",
            "ignoreMissingComponents");

    private KustomizeSource() {}

    static List<Json.Obj> render(SourceQuestion question, Map<String, byte[]> files, RemoteBases bases) {
        var options = question.source().object("kustomize");
        if (options.size() == 0) {
            return Kustomization.build(FileTree.of(files), question.path(), bases);
        }
        var overlaid = new TreeMap<>(files);
        overlaid.put(
                OVERLAY + "/kustomization.yaml",
                YamlText.write(overlay(question, options, files)).getBytes(StandardCharsets.UTF_8));
        return Kustomization.build(FileTree.of(overlaid), OVERLAY, bases);
    }

    private static Json.Obj overlay(SourceQuestion question, Json.Obj options, Map<String, byte[]> files) {
        var base = question.path().isEmpty() ? ".." : "../" + question.path();
        var overlay = Json.Obj.builder().put("resources", Json.Arr.of(Json.of(base)));
        options.forEach((field, value) -> {
            if (AS_THEY_ARE.contains(field)) {
                overlay.put(field, value);
                return;
            }
            switch (field) {
                case "images" ->
                    overlay.put(
                            "images",
                            new Json.Arr(options.array("images").strings().stream()
                                    .<Json>map(KustomizeSource::image)
                                    .toList()));
                case "components" -> overlay.put("components", components(question, options, files, base));
                case "commonAnnotations" -> {
                    checkNew(question, options, files, "commonAnnotations", "forceCommonAnnotations", "annotation");
                    overlay.put(field, value);
                }
                case "commonLabels" -> {
                    checkNew(question, options, files, "commonLabels", "forceCommonLabels", "label");
                    overlay.put(options.flag("labelWithoutSelector") ? "labels" : field, labels(options));
                }
                default -> {
                    if (!ABOUT_OTHERS.contains(field)) {
                        throw new RenderError("spec.source.kustomize." + field + " is not served");
                    }
                }
            }
        });
        return overlay.build();
    }

    private static Json labels(Json.Obj options) {
        var pairs = options.object("commonLabels");
        return options.flag("labelWithoutSelector")
                ? Json.Arr.of(Json.Obj.of(
                        "pairs",
                        pairs,
                        "includeSelectors",
                        Json.of(false),
                        "includeTemplates",
                        Json.of(options.flag("labelIncludeTemplates"))))
                : pairs;
    }

    private static Json.Arr components(
            SourceQuestion question, Json.Obj options, Map<String, byte[]> files, String base) {
        return Json.Arr.ofStrings(options.array("components").strings().stream()
                .filter(each -> !options.flag("ignoreMissingComponents") || isThere(question, each, files))
                .map(each -> base + "/" + each)
                .toList());
    }

    private static boolean isThere(SourceQuestion question, String component, Map<String, byte[]> files) {
        var folder = Path.of(question.path()).resolve(component).normalize() + "/";
        return files.keySet().stream().anyMatch(file -> file.startsWith(folder));
    }

    /// What the kustomization itself says is not changed unless somebody means to.
    private static void checkNew(
            SourceQuestion question,
            Json.Obj options,
            Map<String, byte[]> files,
            String field,
            String force,
            String what) {
        if (options.flag(force)) {
            return;
        }
        var written = SourceRendering.KUSTOMIZATIONS.stream()
                .flatMap(
                        name -> Optional.ofNullable(files.get(SourceRendering.prefix(question.path()) + name)).stream())
                .findFirst()
                .map(content -> YamlText.parse(new String(content, StandardCharsets.UTF_8)));
        if (written.isPresent() && written.get() instanceof Json.Obj kustomization) {
            for (var name : options.object(field).keys()) {
                if (kustomization.object(field).has(name)) {
                    throw new RenderError(what + " " + name + " already in kustomization file; spec.source.kustomize."
                            + force + " overrides it");
                }
            }
        }
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
