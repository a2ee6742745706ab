package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.Mentions;
import dev.towtank.app.lint.source.OpenParts;
import dev.towtank.app.lint.source.SourceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which kustomizations of a repository somebody builds: those that people, scripts and settings name, those that
/// controllers deliver, and what these list, near and far. A controller's object that nobody applies delivers nothing.
/// Where nobody builds any, somebody outside of the repository does, and each may be one of them.
final class Builds {

    /// Who names paths without using them: owners, labels, updates, what is ignored.
    private static final Pattern IN_PASSING = Pattern.compile(
            "(?i)codeowners|.*(labeler|renovate|dependabot|mkdocs|release-please)[^/]*|\\.(git|docker|helm)ignore"
                    + "|\\.(sops|pre-commit-config|yamllint)\\.ya?ml|.*\\.(md|markdown|adoc|rst|txt)");

    /// What is said to be left out.
    private static final Pattern EXCEPTED = Pattern.compile("(?i)\\b(exclud|ignor|skip|except)|(^|\\s)!|\\s-not\\s");

    private static final Pattern NO_PART_OF_A_PATH = Pattern.compile("[^\\w./*@+-]+");
    private static final int LONGEST = 300;
    private static final int MOST_PATTERNS = 2000;

    private final Path top;
    private final Listings listings;
    private final Predicate<Path> isTyped;
    private final Set<Path> kustomizations;
    private final Set<Path> built = new HashSet<>();
    private final Map<Delivery, Folders> open = new HashMap<>();
    private final Map<Delivery, Folders> live = new HashMap<>();
    private final Map<Path, List<String>> said;

    /// @param top of the repository
    /// @param isTyped whether a command of the repository applies a file
    Builds(Path top, Listings listings, Predicate<Path> isTyped) {
        this.top = top;
        this.listings = listings;
        this.isTyped = isTyped;
        kustomizations = listings.kustomizations().stream()
                .filter(each -> each.startsWith(top))
                .collect(Collectors.toSet());
        for (var each : listings.deliveries()) {
            if (each.by().startsWith(top)) {
                Folders.of(each.folder()).ifPresent(folders -> open.put(each, folders));
            }
        }
        said = kustomizations.isEmpty() ? Map.of() : said();
        begin();
        follow();
    }

    /// Whether somebody builds it, as far as can be known.
    boolean has(Path kustomization) {
        return !isSomething() || built.contains(kustomization);
    }

    /// Whether anything of the repository is known to be used.
    boolean isSomething() {
        return !built.isEmpty() || !live.isEmpty();
    }

    /// Whether a controller delivers the folder of a file as it is.
    boolean deliver(Path file) {
        return live.entrySet().stream().anyMatch(each -> holds(each.getKey(), each.getValue(), file));
    }

    /// Whether Flux makes a kustomization for it.
    boolean make(Path file) {
        return live.entrySet().stream()
                .anyMatch(each -> each.getKey().isBuilt() && holds(each.getKey(), each.getValue(), file));
    }

    /// Whether a kustomization that somebody builds, in a folder above, could list a file and does not.
    boolean leaveOut(Path file) {
        return !built.isEmpty() && around(file).filter(built::contains).isPresent();
    }

    private Map<Path, List<String>> said() {
        var names = kustomizations.stream()
                .map(each -> String.valueOf(each.resolveSibling("").getFileName()))
                .collect(Collectors.toSet());
        return Mentions.said(
                top,
                line -> paths(line).filter(path -> {
                    var last = path.substring(path.lastIndexOf('/') + 1);
                    return last.contains("*") || names.contains(last);
                }));
    }

    /// The folders that a line may mean, as they are written.
    static Stream<String> paths(String line) {
        var text = line.strip();
        if (!text.contains("/")
                || text.startsWith("#")
                || text.startsWith("//")
                || EXCEPTED.matcher(text).find()) {
            return Stream.empty();
        }
        return NO_PART_OF_A_PATH
                .splitAsStream(OpenParts.starred(text))
                .filter(word -> word.contains("/") && word.length() <= LONGEST)
                .map(word -> word.replaceFirst("/(kustomization\\.ya?ml)?$", ""))
                // From one's own repository, as it is published.
                .map(word -> word.lastIndexOf("//") > 0 ? word.substring(word.lastIndexOf("//") + 2) : word)
                .map(word -> word.replaceFirst("^(\\./)*/*", ""))
                .filter(word -> word.contains("/"));
    }

    private void begin() {
        var deliverers = open.keySet().stream().map(Delivery::by).collect(Collectors.toSet());
        said.forEach((file, words) -> {
            var name = String.valueOf(file.getFileName());
            if (!deliverers.contains(file) && !IN_PASSING.matcher(name).matches()) {
                build(file, words);
            }
        });
        kustomizations.stream()
                .filter(each -> isTyped.test(each) || bootstraps(each, deliverers))
                .forEach(built::add);
    }

    /// Whether it lists objects of controllers, and nothing above has left it out: a person applies it once.
    private boolean bootstraps(Path kustomization, Set<Path> deliverers) {
        return deliverers.stream().anyMatch(each -> listings.of(each).contains(kustomization))
                && !listings.isListed(kustomization, kustomizations)
                && around(kustomization.resolveSibling("")).isEmpty();
    }

    private void follow() {
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (var each : List.copyOf(open.keySet())) {
                var folders = open.get(each);
                if (folders != null && isLive(each, folders)) {
                    isMore = true;
                    open.remove(each);
                    deliver(each, folders);
                }
            }
            isMore |= built.addAll(kustomizations.stream()
                    .filter(each -> !built.contains(each) && listings.isListed(each, built))
                    .toList());
        }
    }

    private void deliver(Delivery delivery, Folders folders) {
        live.put(delivery, folders);
        // What it leaves open is among the deliveries themselves.
        build(
                delivery.by(),
                said.getOrDefault(delivery.by(), List.of()).stream()
                        .filter(word -> !word.contains("*"))
                        .toList());
        kustomizations.stream()
                .filter(each -> begins(delivery, folders, each.resolveSibling("")))
                .forEach(built::add);
    }

    /// Whether a delivery of a folder begins with the kustomization in it.
    private boolean begins(Delivery delivery, Folders folders, Path folder) {
        return folders.match(top.relativize(folder))
                || (delivery.isDeep() && folder.getParent() != null && reaches(delivery, folders, folder.getParent()));
    }

    private boolean holds(Delivery delivery, Folders folders, Path file) {
        return file.getParent() != null && reaches(delivery, folders, file.getParent());
    }

    /// Whether a delivery comes to a folder without anything on its way that has a list of its own.
    private boolean reaches(Delivery delivery, Folders folders, Path folder) {
        for (var each = folder; each != null && each.startsWith(top); each = each.getParent()) {
            if (Appliers.hasAListOfItsOwn(each)) {
                return false;
            }
            if (folders.match(top.relativize(each))) {
                return true;
            }
            if (!delivery.isDeep()) {
                return false;
            }
        }
        return false;
    }

    /// Whether somebody applies the object that says so; one that delivers itself was applied once.
    private boolean isLive(Delivery delivery, Folders folders) {
        var by = delivery.by();
        if (above(by).anyMatch(folder -> folders.match(top.relativize(folder)))) {
            return true;
        }
        var lists = listings.of(by);
        if (!lists.isEmpty()) {
            return lists.stream().anyMatch(built::contains);
        }
        return around(by).isEmpty() || isTyped.test(by) || deliver(by);
    }

    private Stream<Path> above(Path file) {
        return Stream.iterate(file.getParent(), each -> each != null && each.startsWith(top), Path::getParent);
    }

    /// The nearest kustomization that could list a file or folder; that of the whole repository speaks for itself.
    private Optional<Path> around(Path listed) {
        return above(listed)
                .filter(folder -> !folder.equals(top))
                .flatMap(each -> SourceFiles.KUSTOMIZATIONS.stream().map(each::resolve))
                .filter(kustomizations::contains)
                .findFirst();
    }

    private void build(Path by, List<String> words) {
        var patterns = new ArrayList<Folders>();
        for (var word : words.stream().distinct().toList()) {
            Folders.of(word)
                    .ifPresent(folders ->
                            folders.path().ifPresentOrElse(path -> build(by, path), () -> patterns.add(folders)));
        }
        patterns.stream()
                .limit(MOST_PATTERNS)
                .forEach(folders -> kustomizations.stream()
                        .filter(each -> isOneOf(folders, by, each))
                        .forEach(built::add));
    }

    /// Whether somebody who writes of several means this one, too: not where the kustomization around it has left it
    /// out.
    private boolean isOneOf(Folders folders, Path by, Path kustomization) {
        var folder = kustomization.resolveSibling("");
        return above(by).anyMatch(from -> folder.startsWith(from) && folders.match(from.relativize(folder)))
                && (around(folder).isEmpty() || listings.isListed(kustomization, kustomizations));
    }

    private void build(Path by, Path path) {
        above(by)
                .map(folder -> folder.resolve(path).normalize())
                .flatMap(folder -> SourceFiles.KUSTOMIZATIONS.stream().map(folder::resolve))
                .filter(kustomizations::contains)
                .findFirst()
                .ifPresent(built::add);
    }
}
