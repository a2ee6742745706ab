package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The pages in `docs/commands` say what the help says. To write them anew:
/// `TOWTANK_WRITE_PAGES=yes ./mvnw -q -pl app -am test -Dtest=CommandPagesTest`
class CommandPagesTest {

    private static final Path FOLDER = Path.of("../docs/commands");
    private static final Pattern LISTED = Pattern.compile("(?m)^  ([a-z]+) {2,}(\\S.*)$");

    @Test
    void everyCommandHasAPageThatIsItsHelp() throws IOException {
        var pages = pages();
        if (System.getenv("TOWTANK_WRITE_PAGES") != null) {
            for (var page : pages.entrySet()) {
                Files.writeString(Files.createDirectories(FOLDER).resolve(page.getKey()), page.getValue());
            }
        }

        assertThat(there()).containsExactlyElementsOf(pages.keySet());
        for (var page : pages.entrySet()) {
            assertThat(Files.readString(FOLDER.resolve(page.getKey())))
                    .as("docs/commands/%s: TOWTANK_WRITE_PAGES=yes and this test write it anew", page.getKey())
                    .isEqualTo(page.getValue());
        }
    }

    private static List<String> there() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static Map<String, String> pages() {
        var pages = new TreeMap<String, String>();
        var index = new StringBuilder("# Commands\n\nOne page each, made of what `--help` says.\n\n| | |\n|---|---|\n");
        var commands = LISTED.matcher(help());
        while (commands.find()) {
            var name = commands.group(1);
            pages.put(
                    name + ".md",
                    "# towtank " + name + "\n\n```text\n" + help(name).strip() + "\n```\n");
            index.append("| [%s](%s.md) | %s |\n".formatted(name, name, summary(help(name))));
        }
        pages.put("README.md", index.toString());
        return pages;
    }

    /// The first sentence behind the synopsis.
    private static String summary(String help) {
        var text = new StringBuilder();
        for (var line :
                help.lines().skip(1).dropWhile(line -> line.startsWith("  ")).toList()) {
            if (line.isEmpty() || line.startsWith("  ")) {
                break;
            }
            text.append(text.isEmpty() ? "" : " ").append(line);
        }
        int end = text.indexOf(". ");
        return (end < 0 ? text.toString() : text.substring(0, end + 1)).replace("|", "\\|");
    }

    private static String help(String... command) {
        var terminal = new Terminal();
        var words = new String[command.length + 1];
        System.arraycopy(command, 0, words, 0, command.length);
        words[command.length] = "--help";
        assertThat(terminal.run(words)).isZero();
        return terminal.out().replaceAll("(?m) +$", "");
    }
}
