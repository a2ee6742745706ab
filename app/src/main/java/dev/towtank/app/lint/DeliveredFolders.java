package dev.towtank.app.lint;

import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.standing.Delivery;
import dev.towtank.model.Located;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Folders that Argo CD or Flux delivers to a cluster. Of another repository there is no such folder here.
final class DeliveredFolders implements Check {

    /// A generator has generators of its own, and those none.
    private static final int DEEPEST = 3;

    @Override
    public void check(Document document, Observations seen) {
        var spec = document.root().at("spec");
        if (spec == null) {
            return;
        }
        var by = Path.of(document.source().file()).toAbsolutePath().normalize();
        switch (document.group() + "/" + document.kind()) {
            case "kustomize.toolkit.fluxcd.io/Kustomization" ->
                seen.deliveries.add(new Delivery(by, spec.text("path"), true, true));
            case "argoproj.io/Application" -> sources(spec, by, seen);
            case "argoproj.io/ApplicationSet" -> {
                var template = spec.at("template", "spec");
                if (template != null) {
                    sources(template, by, seen);
                }
                generated(spec, by, seen, DEEPEST);
            }
            default -> {}
        }
    }

    private static void sources(Located spec, Path by, Observations seen) {
        var one = spec.at("source");
        Stream.concat(Stream.ofNullable(one), spec.list("sources").stream())
                .filter(source -> !source.text("path").isEmpty())
                .forEach(source -> {
                    var recurse = source.at("directory", "recurse");
                    boolean isDeep = isTrue(recurse);
                    seen.deliveries.add(new Delivery(by, source.text("path"), isDeep, false));
                });
    }

    private static void generated(Located within, Path by, Observations seen, int depth) {
        for (var generator : within.list("generators")) {
            generator.list("git", "directories").stream()
                    .filter(folder -> !isTrue(folder.at("exclude")))
                    .forEach(folder -> seen.deliveries.add(new Delivery(by, folder.text("path"), false, false)));
            generator
                    .list("git", "files")
                    .forEach(file -> seen.deliveries.add(
                            new Delivery(by, file.text("path").replaceFirst("/[^/]*$", ""), false, false)));
            for (var combined : new String[] {"matrix", "merge"}) {
                var inner = generator.at(combined);
                if (inner != null && depth > 0) {
                    generated(inner, by, seen, depth - 1);
                }
            }
        }
    }

    private static boolean isTrue(@Nullable Located value) {
        return value != null && value.json().display().equals("true");
    }
}
