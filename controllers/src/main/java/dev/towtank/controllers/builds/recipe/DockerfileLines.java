package dev.towtank.controllers.builds.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The instructions of a Dockerfile.
final class DockerfileLines {

    private static final Set<String> INSTRUCTIONS = Set.of(
            "ADD",
            "ARG",
            "CMD",
            "COPY",
            "ENTRYPOINT",
            "ENV",
            "EXPOSE",
            "FROM",
            "HEALTHCHECK",
            "LABEL",
            "MAINTAINER",
            "ONBUILD",
            "RUN",
            "SHELL",
            "STOPSIGNAL",
            "USER",
            "VOLUME",
            "WORKDIR");
    private static final Pattern HEREDOC = Pattern.compile("<<-?\\s*[\"']?([A-Za-z_][A-Za-z0-9_]*)[\"']?");

    private DockerfileLines() {}

    /// @param number of its first line
    record Instruction(int number, String name, String rest) {}

    static List<Instruction> read(String text, String file) throws RecipeError {
        var all = new ArrayList<Instruction>();
        var lines = text.split("\r?\n", -1);
        for (int i = 0; i < lines.length; i++) {
            int first = i;
            var line = new StringBuilder(lines[i].strip());
            if (line.isEmpty() || line.charAt(0) == '#') {
                continue;
            }
            while (line.charAt(line.length() - 1) == '\\' && i + 1 < lines.length) {
                line.setLength(line.length() - 1);
                var next = lines[++i].strip();
                if (next.startsWith("#") || next.isEmpty()) {
                    line.append('\\');
                } else {
                    line.append(' ').append(next);
                }
            }
            var words = line.toString().split("\\s+", 2);
            var name = words[0].toUpperCase(Locale.ROOT);
            if (!INSTRUCTIONS.contains(name)) {
                throw new RecipeError(file, first + 1, "unknown instruction: " + words[0]);
            }
            if (words.length < 2 || words[1].isBlank()) {
                throw new RecipeError(file, first + 1, name + " requires at least one argument");
            }
            i = afterHeredocs(lines, i, name, words[1], file);
            all.add(new Instruction(first + 1, name, words[1].strip()));
        }
        return all;
    }

    private static int afterHeredocs(String[] lines, int at, String name, String rest, String file) throws RecipeError {
        if (!Set.of("RUN", "COPY", "ADD").contains(name)) {
            return at;
        }
        int line = at;
        var found = HEREDOC.matcher(rest);
        while (found.find()) {
            var end = found.group(1);
            int from = line;
            do {
                if (++line >= lines.length) {
                    throw new RecipeError(file, from + 1, "unterminated heredoc " + end);
                }
            } while (!lines[line].strip().equals(end));
        }
        return line;
    }
}
