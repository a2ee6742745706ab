package dev.towtank.app.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/// The commands as `--help` lists them: by what one wants to do.
public final class CommandGroups {
    private static final String OTHERS = "Besides";
    private static final int NAME_WIDTH = 13;
    private static final int LINE_WIDTH = 80;

    private static final Map<String, List<String>> GROUPS = groups();

    private CommandGroups() {}

    private static Map<String, List<String>> groups() {
        var groups = new LinkedHashMap<String, List<String>>();
        groups.put("Run and check", List.of("run", "notebook", "lint", "render", "pac", "export", "report", "doctor"));
        groups.put(
                "The server", List.of("up", "down", "status", "kubeconfig", "time", "cluster", "controllers", "spray"));
        groups.put(
                "What is in it",
                List.of("get", "describe", "logs", "runs", "events", "app", "cancel", "secrets", "model"));
        return groups;
    }

    /// Puts the list into the help of the program, in place of one long column.
    public static void show(CommandLine line) {
        line.getHelpSectionMap()
                .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::render);
        line.getHelpSectionMap().remove(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    }

    private static String render(Help help) {
        var left = new TreeMap<>(help.subcommands());
        var text = new StringBuilder();
        GROUPS.forEach((title, names) -> {
            var there = new LinkedHashMap<String, Help>();
            for (var name : names) {
                var found = left.remove(name);
                if (found != null) {
                    there.put(name, found);
                }
            }
            group(text, help, title, there);
        });
        group(text, help, OTHERS, left);
        return text.toString();
    }

    private static void group(StringBuilder text, Help help, String title, Map<String, Help> commands) {
        if (commands.isEmpty()) {
            return;
        }
        text.append("%n%s%n".formatted(help.colorScheme().ansi().string("@|bold " + title + "|@")));
        commands.forEach((name, command) -> {
            var indent = " ".repeat(NAME_WIDTH + 2);
            var padded = "  %-" + NAME_WIDTH + "s";
            var lines = wrap(summary(command));
            text.append(padded.formatted(name)).append(String.join("%n".formatted() + indent, lines));
            text.append("%n".formatted());
        });
    }

    private static String summary(Help command) {
        var lines = command.commandSpec().usageMessage().description();
        return lines.length == 0 ? "" : lines[0].replace("$$", "$");
    }

    private static List<String> wrap(String text) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + word.length() + 1 > LINE_WIDTH - NAME_WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
