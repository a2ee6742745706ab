package dev.towtank.app.lint;

import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.standing.Delivery;
import dev.towtank.app.lint.standing.ListedElements;
import dev.towtank.model.Located;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
            case "argoproj.io/Application" -> sources(spec, Stream::of, by, seen);
            case "argoproj.io/ApplicationSet" -> {
                var template = spec.at("template", "spec");
                if (template != null) {
                    sources(template, path -> ListedElements.inOneOf(path, spec), by, seen);
                }
                generated(spec, UnaryOperator.identity(), by, seen, DEEPEST);
            }
            default -> {}
        }
    }

    private static void sources(Located spec, Function<String, Stream<String>> filled, Path by, Observations seen) {
        var one = spec.at("source");
        Stream.concat(Stream.ofNullable(one), spec.list("sources").stream())
                .filter(source -> !source.text("path").isEmpty())
                .forEach(source -> {
                    boolean isDeep = isTrue(source.at("directory", "recurse"));
                    filled.apply(source.text("path"))
                            .forEach(path -> seen.deliveries.add(new Delivery(by, path, isDeep, false)));
                });
    }

    /// @param filled what other generators make of a path
    private static void generated(
            Located within, UnaryOperator<Stream<String>> filled, Path by, Observations seen, int depth) {
        for (var generator : within.list("generators")) {
            var folders = generator.list("git", "directories").stream()
                    .filter(folder -> !isTrue(folder.at("exclude")))
                    .map(folder -> folder.text("path"));
            var files = generator.list("git", "files").stream()
                    .map(file -> file.text("path").replaceFirst("/[^/]*$", ""));
            filled.apply(Stream.concat(folders, files))
                    .forEach(path -> seen.deliveries.add(new Delivery(by, path, false, false)));
            for (var combined : List.of("matrix", "merge")) {
                var inner = generator.at(combined);
                if (inner != null && depth > 0) {
                    UnaryOperator<Stream<String>> more = combined.equals("matrix")
                            ? paths -> filled.apply(paths.flatMap(path -> ListedElements.inAll(path, inner)))
                            : filled;
                    generated(inner, more, by, seen, depth - 1);
                }
            }
        }
    }

    private static boolean isTrue(@Nullable Located value) {
        return value != null && value.json().display().equals("true");
    }
}
