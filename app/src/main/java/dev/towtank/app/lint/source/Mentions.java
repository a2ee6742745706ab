package dev.towtank.app.lint.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What scripts, instructions, programs and pipelines of a repository say: what one of them writes is not missing, and
/// what one of them applies is meant.
public final class Mentions {

    private static final Pattern READ = Pattern.compile(
            "(?i).*\\.(sh|bash|md|adoc|mk|py|go|js|ts|rb|tf|ya?ml|toml|just)|(gnu)?makefile|justfile|dockerfile|jenkinsfile|\\.gitmodules|[^.]+");
    private static final Pattern WRITES = Pattern.compile(
            "(?i)>|\\b(-o|cp|mv|ln|tee|curl|wget|cat|touch|mkdir|generat\\w*|creat\\w*|copy|renam\\w*|writ\\w*|render\\w*|download\\w*|envsubst|helm|kubectl|kustomize edit|from-literal|from-file)\\b");
    private static final Pattern SCRIPT = Pattern.compile(
            "(?i).*(\\.(sh|bash|mk|py|js|ts|rb|just|toml)|makefile|justfile|dockerfile|jenkinsfile|taskfile\\.ya?ml|\\.gitmodules)|.*/\\.(github|gitlab|circleci|tekton)/.*|.*/\\.gitlab-ci\\.ya?ml");
    private static final Pattern FETCHES = Pattern.compile(
            "(?i)\\b(git|clone|pull|fetch|get|kpt|vendir|submodule|path|curl|wget|unzip|tar|cp|mv|ln|rsync|mkdir|download|generate)\\b");
    private static final Set<String> PASSED_OVER = Set.of(".git", "vendor", "node_modules");
    private static final int MOST = 20_000;
    private static final int LONGEST = 128 * 1024;

    /// Nobody types more; and who looks for a command in a line looks from each of its words on.
    private static final int LONGEST_LINE = 4096;

    private static final int DEEPEST = 12;
    private static final int HIGHEST = 16;

    private Mentions() {}

    /// Whether something in the repository of a folder has a line that writes a file or folder of that name.
    public static boolean ofWriting(Path folder, String name) {
        try {
            return files(root(folder)).stream().anyMatch(file -> writes(file, name));
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether a script, makefile or workflow of the repository speaks of a file, or fetches a folder: it is made
    /// there.
    ///
    /// @param folder that it would be in
    public static boolean ofMaking(Path folder, String name) {
        boolean isFile = name.contains(".");
        var far = isFile ? name : folder.getFileName() + "/" + name;
        try {
            return files(root(folder)).stream()
                    .filter(file -> SCRIPT.matcher(file.toString()).matches())
                    .anyMatch(file -> text(file)
                            .lines()
                            .filter(line -> line.contains(folder.equals(file.getParent()) ? name : far))
                            .anyMatch(line -> isFile || FETCHES.matcher(line).find()));
        } catch (IOException e) {
            return false;
        }
    }

    /// The lines of interest, by the file that they are in.
    public static Map<Path, List<String>> lines(Path root, Predicate<String> isOfInterest) {
        return said(root, line -> isOfInterest.test(line) ? Stream.of(line) : Stream.empty());
    }

    /// What is found in the lines of each file, as often as it is there.
    public static Map<Path, List<String>> said(Path root, Function<String, Stream<String>> inLine) {
        try {
            return files(root).parallelStream()
                    .map(file -> Map.entry(
                            file,
                            text(file)
                                    .lines()
                                    .filter(line -> line.length() <= LONGEST_LINE)
                                    .flatMap(inLine)
                                    .toList()))
                    .filter(each -> !each.getValue().isEmpty())
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        } catch (IOException e) {
            return Map.of();
        }
    }

    /// The repository of a folder; where there is none, the folder itself.
    public static Path root(Path folder) {
        return Stream.iterate(folder.toAbsolutePath().normalize(), each -> each != null, Path::getParent)
                .limit(HIGHEST)
                .filter(each -> Files.exists(each.resolve(".git")))
                .findFirst()
                .orElse(folder);
    }

    private static List<Path> files(Path root) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(root, Set.of(), DEEPEST, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                return PASSED_OVER.contains(String.valueOf(each.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                var name = String.valueOf(file.getFileName());
                if (attributes.isRegularFile()
                        && attributes.size() <= LONGEST
                        && READ.matcher(name).matches()
                        && !SourceFiles.isKustomization(name)) {
                    found.add(file);
                }
                return found.size() < MOST ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static boolean writes(Path file, String name) {
        var text = text(file);
        return text.contains(name)
                && text.lines()
                        .anyMatch(line -> line.contains(name)
                                && WRITES.matcher(line.replace(name, "")).find());
    }

    private static String text(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }
}
