package dev.towtank.app.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A copy of a checkout of Tekton's catalog, made so that its own scripts can try its tests here: in the files of tests
/// addresses lead elsewhere, and versions that are marked as deprecated are not, because the scripts leave those out.
public record CatalogCopy(Path root) {

    /// What the scripts are made of, and what they try.
    private static final List<String> PARTS =
            List.of("test", "vendor/github.com/tektoncd/plumbing/scripts", "task", "stepaction", "pipeline");

    private static final String SCRIPTS = "test/e2e-common.sh";
    /// Among the others, because they look for each other by the path of what runs.
    static final String TRIAL = "test/towtank.sh";

    private static final String TRIAL_TEXT = """
            set -e
            source test/e2e-common.sh
            TMPF=$(mktemp)
            trap 'rm -f "$TMPF"' EXIT
            test_resource_creation "$1"
            """;
    private static final String DEPRECATED = "tekton.dev/deprecated: \"true\"";
    private static final String TRIED_ALL_THE_SAME = "tekton.dev/deprecated: \"yes\"";

    public static boolean isCatalog(Path place) {
        return Files.isRegularFile(place.resolve(SCRIPTS));
    }

    /// @param rewrites beginnings of addresses, and what takes their place
    /// @param into an empty directory
    public static CatalogCopy of(Path checkout, Map<String, String> rewrites, Path into) throws IOException {
        for (var part : PARTS) {
            var from = checkout.resolve(part);
            if (Files.isDirectory(from)) {
                copy(from, into.resolve(part), rewrites);
            }
        }
        Files.writeString(into.resolve(TRIAL), TRIAL_TEXT);
        return new CatalogCopy(into);
    }

    private static void copy(Path from, Path into, Map<String, String> rewrites) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : (Iterable<Path>) files::iterator) {
                var target = into.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(target);
                } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.write(target, changed(file, rewrites));
                }
            }
        }
    }

    /// As Latin-1 every file is text, and comes out as it went in.
    private static byte[] changed(Path file, Map<String, String> rewrites) throws IOException {
        var text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (file.toString().endsWith(".yaml")) {
            text = text.replace(DEPRECATED, TRIED_ALL_THE_SAME);
        }
        if (file.toString().contains("/tests/")) {
            for (var rewrite : rewrites.entrySet()) {
                text = text.replace(rewrite.getKey(), rewrite.getValue());
            }
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Each directory with tests is one example, called `task/<name>/<version>`.
    public List<Example> tests() throws IOException {
        try (var all = Files.walk(root, 4)) {
            return all.filter(each -> each.endsWith("tests") && Files.isDirectory(each))
                    .map(each -> root.relativize(each).getParent())
                    .filter(name -> name != null && name.getNameCount() == 3)
                    .map(name -> new Example(root.resolve(name), name.toString(), Stage.STABLE))
                    .sorted(Comparator.comparing(Example::name))
                    .toList();
        }
    }

    /// What an example is made of, as somebody wrote it.
    static String text(Example example) throws IOException {
        var text = new StringBuilder();
        for (var place : List.of(example.file(), example.file().resolve("tests"))) {
            try (Stream<Path> files = Files.list(place)) {
                for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                    text.append(Example.read(file)).append("\n---\n");
                }
            }
        }
        return text.toString();
    }

    /// Versions of one task bring the same things that are in no namespace, so they are tried one after the other.
    static String taskOf(Example example) {
        return example.name().split("/", -1)[1];
    }

    /// Where the scripts put it.
    static String namespace(Example example) {
        return taskOf(example) + "-" + example.name().split("/", -1)[2].replace('.', '-');
    }
}
