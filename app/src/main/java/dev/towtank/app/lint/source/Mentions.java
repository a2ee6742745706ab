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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What scripts, instructions, programs and pipelines of a repository say: what one of them writes is not missing, and
/// what one of them applies is meant.
public final class Mentions {

    private static final Pattern READ = Pattern.compile(
            "(?i).*\\.(sh|bash|md|adoc|mk|py|go|js|ts|rb|tf|ya?ml|toml|just)|(gnu)?makefile|justfile|dockerfile|jenkinsfile|[^.]+");
    private static final Pattern WRITES = Pattern.compile(
            "(?i)>|\\b(-o|cp|mv|ln|tee|curl|wget|cat|touch|mkdir|generat\\w*|creat\\w*|copy|renam\\w*|writ\\w*|render\\w*|download\\w*|envsubst|helm|kubectl)\\b");
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

    /// The lines of interest, by the file that they are in.
    public static Map<Path, List<String>> lines(Path root, Predicate<String> isOfInterest) {
        try {
            return files(root).parallelStream()
                    .map(file -> Map.entry(
                            file,
                            text(file)
                                    .lines()
                                    .filter(line -> line.length() <= LONGEST_LINE && isOfInterest.test(line))
                                    .toList()))
                    .filter(each -> !each.getValue().isEmpty())
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static Path root(Path folder) {
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
