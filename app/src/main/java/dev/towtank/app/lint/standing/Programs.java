package dev.towtank.app.lint.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Programs that read files beside them, or in a folder of theirs: what they read they also complete.
final class Programs {

    private static final Pattern PROGRAM = Pattern.compile(".*\\.(go|js|mjs|ts|py|rb|java|kt|cs|rs)");
    private static final int MOST = 50;
    private static final int LONGEST = 256 * 1024;

    private static final int MOST_FOLDERS = 4;

    /// Of the last folders: findings come file by file, and many folders of long programs would fill the memory.
    private final Map<Path, String> texts = new LinkedHashMap<>(MOST_FOLDERS, 0.75F, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, String> eldest) {
            return size() > MOST_FOLDERS;
        }
    };

    /// Whether a program names the file.
    boolean read(String file) {
        var path = Path.of(file).toAbsolutePath().normalize();
        var folder = path.getParent();
        var name = String.valueOf(path.getFileName());
        return isNamed(name, folder) || (folder != null && isNamed(name, folder.getParent()));
    }

    private boolean isNamed(String name, @Nullable Path folder) {
        if (folder == null) {
            return false;
        }
        var text = texts.computeIfAbsent(folder, Programs::text);
        return text.contains("/" + name) || text.contains('"' + name) || text.contains("'" + name);
    }

    private static String text(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(file ->
                            PROGRAM.matcher(String.valueOf(file.getFileName())).matches())
                    .sorted()
                    .limit(MOST)
                    .map(Programs::start)
                    .collect(Collectors.joining("\n"));
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static String start(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
