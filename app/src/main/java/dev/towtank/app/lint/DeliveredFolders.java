package dev.towtank.app.lint;

import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.standing.Appliers.Delivery;
import dev.towtank.model.Located;
import java.util.stream.Stream;

/// Folders that Argo CD or Flux delivers to a cluster. Of another repository there is no such folder here.
final class DeliveredFolders implements Check {

    @Override
    public void check(Document document, Observations seen) {
        var spec = document.root().at("spec");
        if (spec == null) {
            return;
        }
        var by = document.source().file();
        switch (document.group() + "/" + document.kind()) {
            case "kustomize.toolkit.fluxcd.io/Kustomization" ->
                seen.deliveries.add(new Delivery(by, path(spec.text("path")), true));
            case "argoproj.io/Application" -> sources(spec, by, seen);
            case "argoproj.io/ApplicationSet" -> {
                var template = spec.at("template", "spec");
                if (template != null) {
                    sources(template, by, seen);
                }
            }
            default -> {}
        }
    }

    private static void sources(Located spec, String by, Observations seen) {
        var one = spec.at("source");
        Stream.concat(Stream.ofNullable(one), spec.list("sources").stream())
                .filter(source -> !source.text("path").isEmpty())
                .forEach(source -> {
                    var path = source.text("path");
                    var recurse = source.at("directory", "recurse");
                    boolean isDeep = path.contains("{{")
                            || (recurse != null && recurse.json().display().equals("true"));
                    seen.deliveries.add(new Delivery(by, path(path), isDeep));
                });
    }

    /// As far as it is known before somebody fills it in.
    private static String path(String path) {
        return path.replaceFirst("^\\./|^/", "").replaceFirst("[^/]*(\\{\\{|\\$\\{).*", "");
    }
}
