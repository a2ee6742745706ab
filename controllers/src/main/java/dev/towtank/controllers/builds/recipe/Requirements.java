package dev.towtank.controllers.builds.recipe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The packages that a `requirements.txt` asks pip for.
///
/// @param packages by their normalised names, in their order
/// @param more files that it refers to, as it names them
public record Requirements(List<String> packages, List<String> more) {

    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)");
    private static final Pattern VERSION =
            Pattern.compile("(?:===|==|~=|!=|<=|>=|<|>)\\s*[A-Za-z0-9][A-Za-z0-9.*+!_-]*");
    private static final Pattern LINE = Pattern.compile(NAME.pattern() + "\\s*(?:\\[[A-Za-z0-9._,\\s-]*])?\\s*\\(?\\s*("
            + VERSION.pattern() + "(?:\\s*,\\s*" + VERSION.pattern() + ")*)?\\s*,?\\s*\\)?");
    private static final Pattern URL = Pattern.compile("(?:[a-z+]+://|\\.{0,2}/).*|.*\\.(?:whl|tar\\.gz|zip)");
    private static final Set<String> REFERENCES = Set.of("-r", "--requirement", "-c", "--constraint");
    private static final int MOST = 10_000;

    public Requirements {
        packages = List.copyOf(packages);
        more = List.copyOf(more);
    }

    /// Names that pip holds for the same.
    public static String normalised(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    /// @param file its name, for messages
    public static Requirements read(String text, String file) throws RecipeError {
        var packages = new ArrayList<String>();
        var more = new ArrayList<String>();
        var wanted = new HashMap<String, String>();
        int number = 0;
        for (var raw : text.replace("\\\n", " ").split("\r?\n", -1)) {
            number++;
            var line = raw.replaceFirst("(^|\\s)#.*$", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            if (number > MOST) {
                throw new RecipeError(file, number, "more than " + MOST + " lines");
            }
            var words = line.split("[\\s=]+", 2);
            if (REFERENCES.contains(words[0]) && words.length == 2) {
                more.add(words[1]);
            } else if (!line.startsWith("-")
                    && (line.contains(" @ ") || !URL.matcher(line).matches())) {
                add(line, file, number, packages, wanted);
            }
        }
        return new Requirements(packages, more);
    }

    private static void add(String line, String file, int number, List<String> packages, HashMap<String, String> wanted)
            throws RecipeError {
        var asked = line.replaceFirst("\\s*;.*$", "")
                .replaceFirst("\\s+--hash.*$", "")
                .strip();
        var found = LINE.matcher(asked.replaceFirst("\\s*@\\s+\\S+$", ""));
        if (!found.matches()) {
            var hint = asked.matches("[A-Za-z0-9._-]+\\s*=\\s*[^=].*")
                    ? " Hint: = is not a valid operator. Did you mean == ?"
                    : "";
            throw new RecipeError(file, number, "Invalid requirement: '" + asked + "'." + hint);
        }
        var name = normalised(found.group(1));
        var before = wanted.putIfAbsent(name, asked);
        if (before == null) {
            packages.add(name);
        } else if (!before.equals(asked) && !line.contains(";")) {
            throw new RecipeError(
                    file,
                    number,
                    "Double requirement given: " + asked + " (already in " + before + ", name='" + name + "')");
        }
    }
}
