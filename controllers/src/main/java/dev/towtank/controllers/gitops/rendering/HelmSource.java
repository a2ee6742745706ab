package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.KubeVersion;
import dev.towtank.model.helm.Release;
import dev.towtank.model.helm.Rendered;
import dev.towtank.model.helm.SetValues;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Objects that a chart makes.
final class HelmSource {

    private static final String KUBERNETES = "v1.35.0";
    private static final Set<String> SERVED = Set.of(
            "valueFiles",
            "values",
            "valuesObject",
            "parameters",
            "fileParameters",
            "releaseName",
            "namespace",
            "skipCrds",
            "skipTests",
            "skipSchemaValidation",
            "ignoreMissingValueFiles",
            "kubeVersion",
            "apiVersions");

    private HelmSource() {}

    static List<Json.Obj> render(SourceQuestion question, SourceFiles files, Instant now) {
        var options = question.source().object("helm");
        for (var field : options.keys()) {
            if (!SERVED.contains(field)) {
                throw new RenderError("spec.source.helm." + field + " is not served");
            }
        }
        var name = options.string("releaseName").isEmpty() ? question.application() : options.string("releaseName");
        var namespace = options.string("namespace").isEmpty() ? question.namespace() : options.string("namespace");
        var version = options.string("kubeVersion").isEmpty() ? KUBERNETES : options.string("kubeVersion");
        var rendered = Helm.render(
                Chart.of(SourceRendering.below(files.own(), question.path())),
                values(question, options, files),
                new Helm.Options(
                        Release.install(name, namespace),
                        new Capabilities(
                                KubeVersion.of(version),
                                options.array("apiVersions").strings()),
                        new Ambient(now, ZoneOffset.UTC, new SecureRandom()),
                        Bounds.DEFAULT,
                        !options.flag("skipSchemaValidation")));
        return objects(rendered, options);
    }

    private static List<Json.Obj> objects(Rendered rendered, Json.Obj options) {
        var all = new ArrayList<Json.Obj>();
        if (!options.flag("skipCrds")) {
            rendered.crds().forEach(entry -> all.add(entry.object()));
        }
        rendered.objects().forEach(entry -> all.add(entry.object()));
        rendered.hooks().stream()
                .map(entry -> entry.object())
                .filter(hook -> !options.flag("skipTests") || !isTest(hook))
                .forEach(all::add);
        return all;
    }

    private static boolean isTest(Json.Obj hook) {
        return hook.string("metadata", "annotations", "helm.sh/hook").startsWith("test");
    }

    /// The later counts more: files, values, valuesObject, parameters.
    private static Map<String, @Nullable Object> values(SourceQuestion question, Json.Obj options, SourceFiles files) {
        var values = new TreeMap<String, @Nullable Object>();
        for (var file : options.array("valueFiles").strings()) {
            var found = files.matching(question.path(), file);
            found.forEach((path, content) -> ValueFiles.override(values, path, content));
            if (found.isEmpty() && !options.flag("ignoreMissingValueFiles")) {
                throw new RenderError("the value file " + file + " is not in the repository");
            }
        }
        ValueFiles.override(values, "spec.source.helm.values", bytes(options.string("values")));
        ValueFiles.override(
                values, "spec.source.helm.valuesObject", bytes(YamlText.write(options.object("valuesObject"))));
        for (var parameter : options.objects("parameters")) {
            var text =
                    parameter.string("name") + "=" + parameter.string("value").replace(",", "\\,");
            if (parameter.flag("forceString")) {
                SetValues.setString(text, values);
            } else {
                SetValues.set(text, values);
            }
        }
        for (var parameter : options.objects("fileParameters")) {
            SetValues.setFile(
                    parameter.string("name") + "=" + parameter.string("path"),
                    values,
                    file -> text(question, file, files));
        }
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(SourceQuestion question, String file, SourceFiles files) {
        var found = files.matching(question.path(), file);
        if (found.size() != 1) {
            throw new RenderError("the file " + file + " is not in the repository");
        }
        return new String(found.firstEntry().getValue(), StandardCharsets.UTF_8);
    }
}
