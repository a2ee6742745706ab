package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.Mentions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What scripts, makefiles, pipelines and instructions of a repository apply, as `kubectl apply -f deploy/web.yaml`.
///
/// @param paths files and folders
/// @param trees folders with all below
/// @param ends of paths whose beginning a variable has
record AppliedByHand(Set<Path> paths, Set<Path> trees, Set<String> ends) {

    private static final Pattern COMMAND = Pattern.compile("\\b(kubectl|oc|k|kubecolor|microk8s|k3s|tkn)\\b.*?"
            + "\\b(apply|create|replace)\\b(.*)|\\bk8s_yaml\\((.*)");
    private static final Pattern OPTION =
            Pattern.compile("(?<![\\w-])(?:-[Rnk]*[fk]|--filename|--kustomize)(?:[= ]\\s*|(?=[./\\w]))([^\\s;|&<>)]+)");
    private static final Pattern BUILD = Pattern.compile("\\bkustomize build (?:--?\\S+ +)*([^\\s;|&-][^\\s;|&)]*)");
    /// Of its folder nothing else is applied but what it lists.
    private static final String KUSTOMIZATION = "/kustomization.yaml";

    private static final Pattern DEEP = Pattern.compile("(^|\\s)(-R|--recursive|-Rf)\\b");

    /// From one's own repository, as it is published.
    private static final Pattern PUBLISHED =
            Pattern.compile("https://(?:raw\\.githubusercontent\\.com/[^/]+/[^/]+/(?:refs/heads/)?[^/]+"
                    + "|github\\.com/[^/]+/[^/]+/(?:raw|blob)/(?:refs/heads/)?[^/]+)/(.+)");

    /// What is only known when the command runs.
    private static final Pattern VARIABLE = Pattern.compile("^.*[$<{}%][^/]*/");

    /// @param top of the repository
    static AppliedByHand in(Path top) {
        var found = new AppliedByHand(new HashSet<>(), new HashSet<>(), new HashSet<>());
        Mentions.lines(
                        top,
                        line -> line.contains("apply")
                                || line.contains("create")
                                || line.contains("replace")
                                || line.contains("k8s_yaml")
                                || line.contains("kustomize build"))
                .forEach((file, lines) -> lines.forEach(line -> found.note(top, file, line)));
        return found;
    }

    /// The paths in a line, as they are written.
    static List<String> arguments(String line) {
        var plain = line.replaceAll("[\"'`,\\[\\]]+", " ").replaceAll(" +", " ");
        var found = new ArrayList<String>();
        var build = BUILD.matcher(plain);
        while (build.find()) {
            found.add(build.group(1) + KUSTOMIZATION);
        }
        var command = COMMAND.matcher(plain);
        while (command.find()) {
            if (command.group(4) != null) {
                found.addAll(List.of(command.group(4).strip().split("[ )]+", -1)));
                continue;
            }
            var option = OPTION.matcher(command.group());
            while (option.find()) {
                boolean isBuilt =
                        option.group().startsWith("-k") || option.group().startsWith("--k");
                found.add(option.group(1) + (isBuilt ? KUSTOMIZATION : ""));
            }
        }
        found.removeIf(path -> path.equals("-") || path.isBlank());
        return found;
    }

    boolean has(Path file) {
        var folder = file.getParent();
        return paths.contains(file)
                || (folder != null && paths.contains(folder))
                || trees.stream().anyMatch(file::startsWith)
                || ends.stream().anyMatch(file::endsWith);
    }

    /// Whether there is a command for anything that is there.
    boolean isSomething() {
        return !paths.isEmpty() || !trees.isEmpty();
    }

    private void note(Path top, Path by, String line) {
        boolean isDeep = DEEP.matcher(line).find();
        arguments(line).stream().filter(AppliedByHand::isPath).forEach(path -> note(top, by, path, isDeep));
    }

    private static boolean isPath(String text) {
        try {
            return !Path.of(text).toString().isEmpty();
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void note(Path top, Path by, String argument, boolean isDeep) {
        var published = PUBLISHED.matcher(argument);
        var path = published.matches() ? published.group(1) : argument;
        if (path.contains("://")) {
            return;
        }
        var known = VARIABLE.matcher(path).replaceFirst("").replaceFirst("/?\\*[^/]*$", "");
        if (known.isEmpty() || VARIABLE.matcher(known + "/").find()) {
            return;
        }
        var relative =
                Path.of(known.startsWith("/") ? known.substring(1) : known).normalize();
        for (var folder = by.getParent(); folder != null && folder.startsWith(top); folder = folder.getParent()) {
            var there = folder.resolve(relative).normalize();
            if (there.startsWith(top) && Files.exists(there)) {
                (isDeep ? trees : paths).add(there);
                return;
            }
        }
        // Of a kustomization it says nothing when its folder is not known.
        boolean isOfSomeFolder =
                path.length() > known.length() && !relative.toString().equals(KUSTOMIZATION.substring(1));
        if (relative.getNameCount() > 1 || isOfSomeFolder) {
            ends.add(relative.toString());
        }
    }
}
