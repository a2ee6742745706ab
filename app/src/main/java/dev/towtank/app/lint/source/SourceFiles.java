package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Finds the files to look at, and reads them. Bounded in number and in size; links to directories are not
/// followed.
public final class SourceFiles {

    private static final int MOST_FILES = 50_000;
    private static final int DEEPEST = 64;
    /// How many bytes a file may have.
    public static final int LARGEST = 16 * 1024 * 1024;
    private static final Set<String> PASSED_OVER =
            Set.of(".git", ".hg", ".svn", ".terraform", ".vscode", ".idea", ".devcontainer", "vendor", "node_modules");

    /// What files are called that Kustomize reads.
    public static final List<String> KUSTOMIZATIONS =
            List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

    /// With what files begin that git keeps encrypted, or that people encrypted themselves: git-crypt, Plural, OpenSSL
    /// and
    /// transcrypt, age, GnuPG, Ansible.
    private static final List<String> MARKS_OF_ENCRYPTION = List.of(
            "\0GITCRYPT\0",
            "CHARTMART-ENCRYPTED",
            "Salted__",
            "U2FsdGVkX1",
            "age-encryption.org/",
            "-----BEGIN AGE ENCRYPTED",
            "-----BEGIN PGP MESSAGE",
            "$ANSIBLE_VAULT;");

    private static final int LONGEST_MARK = 32;

    private SourceFiles() {}

    /// What was named cannot be used; the message says what and why.
    public static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }
    }

    /// What is in a file, or why that cannot be said.
    public sealed interface Content {
        record Text(SourceText text) implements Content {}

        record Unreadable(Finding finding) implements Content {}

        /// What templates wrote, and what is wrong with them themselves.
        ///
        /// @param possible what they would write with values that nobody here gives
        record Rendered(List<SourceText> texts, List<SourceText> possible, List<Finding> findings) implements Content {
            public static final Rendered NOTHING = new Rendered(List.of(), List.of(), List.of());

            static Rendered wrong(Finding finding) {
                return new Rendered(List.of(), List.of(), List.of(finding));
            }
        }
    }

    /// @param files in order
    /// @param tests how many others there are that only tests read
    public record Found(List<Path> files, int tests) {}

    /// The files that are named, and those with YAML or JSON below directories that are named.
    ///
    /// @param withTests whether also those that tests read, which may be wrong on purpose
    public static Found find(List<Path> named, boolean withTests) throws Unusable {
        var found = new LinkedHashSet<Path>();
        var tests = new HashSet<Path>();
        for (var path : named) {
            if (Files.isDirectory(path)) {
                var testData = new TestData(path);
                for (var file : below(path)) {
                    boolean isLeftOut = !withTests && testData.has(file);
                    (isLeftOut ? tests : found).add(file);
                }
            } else if (Files.exists(path)) {
                found.add(path);
            } else {
                throw new Unusable(path + ": there is no such file or directory");
            }
        }
        tests.removeAll(found);
        return new Found(List.copyOf(found), tests.size());
    }

    private static List<Path> below(Path directory) throws Unusable {
        var below = new ArrayList<Path>();
        try {
            Files.walkFileTree(directory, Set.of(), DEEPEST, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                    var name = each.getFileName();
                    boolean passes = name != null && PASSED_OVER.contains(name.toString()) && !each.equals(directory);
                    return passes ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (isYaml(file) && Files.isRegularFile(file)) {
                        below.add(file);
                    }
                    return below.size() > MOST_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                    throw new IOException(file + ": " + problem.getMessage(), problem);
                }
            });
        } catch (IOException e) {
            throw new Unusable("cannot look through " + directory + ": " + e.getMessage());
        }
        if (below.size() > MOST_FILES) {
            throw new Unusable(directory + ": there are more than " + MOST_FILES
                    + " files below it; name the directories that you mean");
        }
        below.sort(Comparator.naturalOrder());
        return below;
    }

    private static boolean isYaml(Path file) {
        var name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    }

    /// Whether a file is prose with blocks of YAML in it.
    public static boolean isProse(String file) {
        var name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".md") || name.endsWith(".markdown") || name.endsWith(".txt");
    }

    /// Whether Kustomize reads it.
    public static boolean isKustomization(String file) {
        return file.matches("(.*/)?(kustomization\\.ya?ml|Kustomization)");
    }

    public static Content read(Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                return tooLarge(file.toString());
            }
            return decode(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            return unreadable(file.toString(), 1, "the file cannot be read: " + e.getMessage());
        }
    }

    private static Content tooLarge(String name) {
        return unreadable(name, 1, "the file is larger than 16 MiB");
    }

    public static Content decode(String name, byte[] bytes) {
        if (bytes.length > LARGEST) {
            return tooLarge(name);
        }
        if (isEncrypted(bytes)) {
            return new Content.Unreadable(notForUs(name, "the file is encrypted; it was not checked", ""));
        }
        if (isUtf16(bytes)) {
            return new Content.Unreadable(notForUs(
                    name,
                    "the text is UTF-16, which not every program reads; it was not checked",
                    "Write it in UTF-8."));
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return unreadable(name, line(bytes, i), "this is a binary file");
            }
        }
        return text(bytes)
                .<Content>map(text -> new Content.Text(new SourceText(name, text)))
                .orElseGet(() -> unreadable(name, firstBadLine(bytes), "the text is not UTF-8"));
    }

    /// Whether it begins with the mark of UTF-16, as what PowerShell's `>` writes does.
    private static boolean isUtf16(byte[] bytes) {
        return bytes.length > 1
                && ((bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE)
                        || (bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF));
    }

    private static boolean isEncrypted(byte[] bytes) {
        var start = new String(bytes, 0, Math.min(bytes.length, LONGEST_MARK), StandardCharsets.ISO_8859_1);
        return MARKS_OF_ENCRYPTION.stream().anyMatch(start::startsWith);
    }

    /// What others can read: parsers of YAML must know UTF-16, though some programs before them do not; and whoever has
    /// the key decrypts. Nothing that is certain.
    private static Finding notForUs(String name, String why, String advice) {
        return Finding.of(Rule.UNREADABLE, new SourcePlace(name, 1, 1, 1, "", Set.of()), why, advice)
                .at(Level.INFO);
    }

    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static int firstBadLine(byte[] bytes) {
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(bytes.length);
        decoder.decode(in, out, true);
        return line(bytes, in.position());
    }

    private static int line(byte[] bytes, int until) {
        int line = 1;
        for (int i = 0; i < until; i++) {
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    private static Content unreadable(String file, int line, String why) {
        return new Content.Unreadable(Finding.of(
                Rule.UNREADABLE,
                new SourcePlace(file, line, 1, 1, "", Set.of()),
                why,
                "Name files with YAML in UTF-8."));
    }
}
