package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Mentions;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.SchemaCache;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Objects of kinds that a CustomResourceDefinition among the files defines.
final class CustomAdmission {

    private static final Set<String> PARTS = Set.of("hive.openshift.io", "build.openshift.io", "image.openshift.io");

    /// What a repository has at its top that is about one program, whose kinds are its own.
    private static final List<String> PROGRAM = List.of(
            "go.mod", "Cargo.toml", "pom.xml", "build.gradle", "package.json", "pyproject.toml", "setup.py", "PROJECT");

    private CustomAdmission() {}

    /// @param file nothing where somebody names the definition, or it comes with the program
    record Source(Json.Obj definition, Optional<Path> file) {}

    /// @param files with definitions of the kind
    private record Known(List<Kind<Json.Obj>> kinds, List<Optional<Path>> files) {
        Known() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// @param definitions the CustomResourceDefinitions; of several for one kind any may be the one that counts
    /// @param objects those of all kinds that are not known otherwise
    /// @return those of kinds that are not known at all
    static List<Document> check(List<Source> definitions, List<Document> objects, Observations seen) {
        var makers = new CrdKinds(new SchemaCache(), List.of());
        var kinds = new HashMap<String, Known>();
        var specs = new HashMap<Json.Obj, List<Kind<Json.Obj>>>();
        for (var source : definitions) {
            // Operators are packed with a status in which every name is empty.
            var written = source.definition.without("status");
            // Repositories hold the same one several times, and charts write it once for each file of values.
            boolean isNew = !specs.containsKey(written.object("spec"));
            specs.computeIfAbsent(written.object("spec"), _ -> makers.served(written, () -> written))
                    .forEach(kind -> {
                        var known = kinds.computeIfAbsent(kind.apiVersion() + " " + kind.kind(), _ -> new Known());
                        if (isNew) {
                            known.kinds.add(kind);
                        }
                        known.files.add(source.file);
                    });
        }
        var unknown = new ArrayList<Document>();
        for (var document : objects) {
            var known = kinds.get(document.apiVersion() + " " + document.kind());
            if (known == null) {
                unknown.add(document);
                continue;
            }
            var found = found(document, known.kinds);
            if (!found.isEmpty() && known.files.stream().noneMatch(file -> isMeant(file, document))) {
                found = found.stream().map(finding -> finding.at(Level.INFO)).toList();
            }
            seen.findings.addAll(found);
        }
        return unknown;
    }

    /// Whether a definition is that of the cluster an object is for. Where several things lie side by side in a
    /// repository, another one's may be of another release.
    private static boolean isMeant(Optional<Path> definition, Document object) {
        var file = Path.of(object.source().file()).toAbsolutePath().normalize();
        var folder = file.getParent();
        if (definition.isEmpty() || folder == null) {
            return true;
        }
        var top = Mentions.root(folder);
        return !definition.get().startsWith(top)
                || PROGRAM.stream().anyMatch(name -> Files.exists(top.resolve(name)))
                || top.relativize(definition.get())
                        .getName(0)
                        .equals(top.relativize(file).getName(0));
    }

    /// What the definition says that says least: files often hold those of several releases.
    private static List<Finding> found(Document document, List<Kind<Json.Obj>> known) {
        List<Finding> least = List.of();
        for (int i = 0; i < known.size() && (i == 0 || !least.isEmpty()); i++) {
            var seen = new Observations();
            check(document, known.get(known.size() - 1 - i), seen);
            if (i == 0 || seen.findings.size() < least.size()) {
                least = seen.findings;
            }
        }
        return least.stream()
                .map(finding -> isOfAPart(document, finding) ? finding.at(Level.INFO) : judged(finding))
                .toList();
    }

    /// What is here of these has what our own clusters, builds and images need of them, and no more.
    private static boolean isOfAPart(Document document, Finding finding) {
        return PARTS.contains(document.group())
                && (finding.rule() == Rule.UNKNOWN_FIELD || finding.rule() == Rule.REFUSED);
    }

    /// Which release of the definition a cluster has is in no file; types of fields hardly ever change. What is missing
    /// a webhook of the kind's operator may add.
    private static Finding judged(Finding finding) {
        // Nor does a definition that has not even a spec say what a cluster has.
        if (finding.message().endsWith(": Required value") || finding.message().equals("unknown field \"spec\"")) {
            return finding.at(Level.INFO);
        }
        return finding.level() == Level.ERROR && finding.rule() != Rule.WRONG_TYPE
                ? finding.at(Level.WARNING)
                : finding;
    }

    private static void check(Document document, Kind<Json.Obj> kind, Observations seen) {
        try {
            new ObjectAdmission(document, kind, seen).check();
        } catch (StructuralSchema.Unsupported e) {
            // What is wrong with the definition is told where it stands.
        }
    }
}
