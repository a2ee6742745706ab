package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.model.Json;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Files that a kustomization merges into others: what is missing in them is elsewhere.
final class Kustomizations implements Check {

    private static final Set<Rule> OF_WHOLE_OBJECTS = Set.of(
            Rule.REFUSED,
            Rule.NO_KIND,
            Rule.UNKNOWN_KIND,
            Rule.UNSERVED_VERSION,
            Rule.UNDEFINED_VOLUME,
            Rule.UNDEFINED_VARIABLE,
            Rule.MISSING_PARAM);

    /// What is wrong with a file whatever is built of it.
    private static final Set<Rule> OF_TEXTS = Set.of(
            Rule.UNREADABLE,
            Rule.YAML_SYNTAX,
            Rule.DUPLICATE_KEY,
            Rule.DUPLICATE_OBJECT,
            Rule.EMPTY_FILE,
            Rule.UNRENDERABLE,
            Rule.HELM_TEMPLATE,
            Rule.UNKNOWN_SILENCE);

    /// A file that is called a patch is one, whoever applies it.
    private static final Pattern PATCH =
            Pattern.compile("[-_.](patch(es)?|overlay)\\.(ya?ml|json)$|(^|[/\\\\])patches[/\\\\]");

    private static final Pattern LISTED_NO_MORE =
            Pattern.compile("\\s*#[\\s#]*- +(?:path: +)?([\\w./-]+\\.ya?ml)\\b.*");

    /// Without a selector there are two complaints.
    private static final Pattern INCOMPLETE = Pattern.compile(": Required value$|`selector` does not match");

    private static final Pattern SUBJECT = Pattern.compile("subjects\\[\\d+]\\.namespace: Required value");

    @Override
    public void check(Document document, Observations seen) {
        var root = document.root();
        for (var list : new String[] {"patches", "patchesStrategicMerge", "patchesJson6902"}) {
            for (var patch : root.list(list)) {
                var path = patch.json() instanceof Json.Str(var text) ? text : patch.text("path");
                if (!path.isEmpty() && !path.contains("\n")) {
                    beside(document.source().file(), path).ifPresent(seen.patches::add);
                }
            }
        }

        seen.isPatchedByFlux |= document.group().equals("kustomize.toolkit.fluxcd.io")
                && !root.list("spec", "patches").isEmpty();
        if (document.kind().equals("PolicyGenerator")) {
            root.list("policies").stream()
                    .flatMap(policy -> policy.list("manifests").stream())
                    .map(manifest -> manifest.text("path"))
                    .filter(path -> !path.isEmpty())
                    .forEach(path -> beside(document.source().file(), path).ifPresent(seen.parts::add));
        }
        if (isKustomization(document.source().file())) {
            if (document.kind().equals("Component")) {
                seen.components.add(normal(Path.of(document.source().file())));
            }
            if (!root.text("namespace").isEmpty()) {
                beside(document.source().file(), "").ifPresent(seen.namespaced::add);
            }
            document.source().lines().stream()
                    .map(LISTED_NO_MORE::matcher)
                    .filter(Matcher::matches)
                    .forEach(line ->
                            beside(document.source().file(), line.group(1)).ifPresent(seen.parts::add));
            for (var list : new String[] {"resources", "bases", "components"}) {
                root.list(list).forEach(resource -> listed(document, resource.json(), seen));
            }
            root.list("images").forEach(image -> {
                if (image.field("newTag") != null || image.field("digest") != null || image.field("newName") != null) {
                    seen.chosenImages.add(image.text("name"));
                }
            });
        }
    }

    private static void listed(Document document, Json resource, Observations seen) {
        if (resource instanceof Json.Str(var path)) {
            beside(document.source().file(), path).ifPresent(file -> {
                seen.resources.add(file);
                seen.listedBy
                        .computeIfAbsent(file, _ -> new HashSet<>())
                        .add(normal(Path.of(document.source().file())));
            });
        }
    }

    private static Optional<String> beside(String file, String path) {
        try {
            return Optional.of(normal(Path.of(file).resolveSibling(path)));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static String normal(Path path) {
        return path.normalize().toString();
    }

    /// What was found, to be held against each other.
    ///
    /// @param ofFile all by the file that they are about
    /// @param ofOthers rules and messages of what is about no kustomization
    record Found(Map<String, List<Finding>> ofFile, Set<String> ofOthers) {

        static Found of(List<Finding> all) {
            return new Found(
                    all.stream()
                            .collect(Collectors.groupingBy(
                                    each -> normal(Path.of(each.place().file())))),
                    all.stream()
                            .filter(each -> !isKustomization(each.place().file()))
                            .map(Found::gist)
                            .collect(Collectors.toSet()));
        }

        private static String gist(Finding finding) {
            return finding.rule() + " " + finding.message();
        }

        /// Whether what was built has a mistake that a file of it was already told.
        boolean has(Finding finding) {
            return isKustomization(finding.place().file())
                    && finding.rule() != Rule.UNRENDERABLE
                    && ofOthers.contains(gist(finding));
        }
    }

    static boolean isKustomization(String file) {
        return SourceFiles.isKustomization(file);
    }

    /// Whether a kustomization writes what is missing: the namespace of subjects, the version of an image.
    static boolean isFilledIn(Finding finding, Observations seen, Found found) {
        if (OF_TEXTS.contains(finding.rule())) {
            return false;
        }
        return switch (finding.rule()) {
            case REFUSED ->
                (INCOMPLETE.matcher(finding.message()).find()
                                && (isPart(finding, seen) || isPatchedByFlux(finding, seen)))
                        || (SUBJECT.matcher(finding.message()).matches() && isGivenANamespace(finding, seen))
                        || isCompleted(finding, seen, found);
            case WRONG_TYPE, UNDEFINED_VOLUME, UNMATCHED_PORT, UNMATCHED_SELECTOR ->
                isCompleted(finding, seen, found) || isPart(finding, seen);
            case IMAGE_LATEST ->
                seen.chosenImages.stream()
                        .anyMatch(image -> finding.message().contains('"' + image + '"')
                                || (!isKustomization(finding.place().file())
                                        && finding.message().contains('"' + image + ':')));
            default -> isBuiltOtherwise(finding, seen, found);
        };
    }

    /// Whether a kustomization lists the file, or one beside it would write its namespace into it.
    private static boolean isGivenANamespace(Finding finding, Observations seen) {
        var file = finding.place().file();
        return seen.resources.contains(normal(Path.of(file)))
                || beside(file, "").filter(seen.namespaced::contains).isPresent();
    }

    /// Whether a Kustomization of Flux has patches, which it applies to all that the files of kustomizations list.
    private static boolean isPatchedByFlux(Finding finding, Observations seen) {
        var file = normal(Path.of(finding.place().file()));
        return seen.isPatchedByFlux && (isKustomization(file) || seen.resources.contains(file));
    }

    /// Whether nobody sends the object as it is: a policy says what it must have of it, or its kustomization lists
    /// it in a comment, and would complete it or merge it into another.
    private static boolean isPart(Finding finding, Observations seen) {
        var file = normal(Path.of(finding.place().file()));
        for (var folder = Path.of(file); folder != null; folder = folder.getParent()) {
            if (seen.parts.contains(folder.toString())) {
                return true;
            }
        }
        return false;
    }

    /// Whether a mistake is gone when all is built: of a file that is listed, or of a base, which others complete.
    private static boolean isCompleted(Finding finding, Observations seen, Found found) {
        var file = normal(Path.of(finding.place().file()));
        if (isKustomization(file)) {
            return isBase(file, seen);
        }
        var above = above(file, seen);
        var there = above.stream()
                .flatMap(each -> found.ofFile().getOrDefault(each, List.of()).stream())
                .toList();
        // What cannot be built here, because a part of it is elsewhere, may add anything.
        return there.stream().anyMatch(other -> other.rule() == Rule.UNRENDERABLE && other.level() != Level.ERROR)
                || (!above.isEmpty()
                        && there.stream()
                                .noneMatch(other -> other.rule() == Rule.UNRENDERABLE
                                        || (other.rule() == finding.rule()
                                                && other.message().equals(finding.message())
                                                && !isCompleted(other, seen, found))));
    }

    /// Whether all that is built of a file is without the mistake.
    private static boolean isBuiltOtherwise(Finding finding, Observations seen, Found found) {
        var file = normal(Path.of(finding.place().file()));
        return !isKustomization(file)
                && above(file, seen).stream()
                        .flatMap(each -> found.ofFile().getOrDefault(each, List.of()).stream())
                        .noneMatch(other -> other.rule() == Rule.UNRENDERABLE)
                && isCompleted(finding, seen, found);
    }

    /// The kustomizations that a file is a part of, near and far.
    private static Set<String> above(String file, Observations seen) {
        var found = new HashSet<String>();
        var open = new ArrayDeque<String>();
        open.add(file);
        for (var each = open.poll(); each != null; each = open.poll()) {
            for (var kustomization : seen.listedBy.getOrDefault(each, Set.of())) {
                var folder = Path.of(kustomization).getParent();
                if (found.add(kustomization) && folder != null) {
                    open.add(folder.toString());
                }
            }
        }
        return found;
    }

    /// Whether others complete what it makes: they list it, or it says of itself that it is for that.
    private static boolean isBase(String kustomization, Observations seen) {
        var folder = Path.of(kustomization).getParent();
        return seen.components.contains(kustomization)
                || (folder != null && seen.resources.contains(folder.toString()));
    }

    /// What is missing may be added by one of the kustomizations, where there are any.
    static Finding judged(Finding finding, Observations seen) {
        boolean isAdded = finding.rule() == Rule.REFUSED
                && finding.level() == Level.ERROR
                && (finding.message().contains(": Required value")
                        || INCOMPLETE.matcher(finding.message()).find())
                && !(seen.listedBy.isEmpty() && seen.patches.isEmpty());
        return isAdded ? finding.at(Level.WARNING) : finding;
    }

    static boolean isAboutAPart(Finding finding, Set<String> patches) {
        return OF_WHOLE_OBJECTS.contains(finding.rule())
                && isAPart(finding.place().file(), patches);
    }

    static boolean isAPart(String file, Set<String> patches) {
        return PATCH.matcher(file).find() || patches.contains(normal(Path.of(file)));
    }
}
