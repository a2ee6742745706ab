package dev.towtank.app.lint.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Folders whose page, or whose chart, says at its beginning that nobody keeps it up any more: nobody will mend it.
final class Abandoned {

    private static final List<String> PAGES = List.of("README.md", "readme.md", "README.adoc", "README", "README.rst");
    private static final String CHART = "Chart.yaml";
    private static final int LONGEST = 1500;

    private static final Pattern SAID = Pattern.compile(
            "(?i)"
                    + "\\b(repo(sitory)?|project|charts?|tasks?|folder|directory) (is|are|has been|have been|was|were) (now )?"
                    + "(\\*\\*)?(archived|deprecated|obsolete|abandoned|discontinued|unmaintained|no longer)"
                    + "|\\b(deprecation|archive|archival) notice\\b"
                    + "|^#+ *\\W*(deprecated|archived)\\W*$"
                    + "|\\bis deprecated and\\b|\\bno longer (being )?(maintained|updated|supported|receives)\\b",
            Pattern.MULTILINE);

    private static final Pattern DEPRECATED = Pattern.compile("^deprecated: *true\\b", Pattern.MULTILINE);

    private final Map<Path, Boolean> known = new HashMap<>();

    boolean has(Path file) {
        for (var folder = file.toAbsolutePath().normalize().getParent(); folder != null; folder = folder.getParent()) {
            if (known.computeIfAbsent(folder, Abandoned::isAbandoned)) {
                return true;
            }
            if (Files.exists(folder.resolve(".git"))) {
                return false;
            }
        }
        return false;
    }

    private static boolean isAbandoned(Path folder) {
        return DEPRECATED.matcher(start(folder.resolve(CHART))).find()
                || PAGES.stream()
                        .anyMatch(page ->
                                SAID.matcher(start(folder.resolve(page))).find());
    }

    private static String start(Path file) {
        if (!Files.isRegularFile(file)) {
            return "";
        }
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }
}
