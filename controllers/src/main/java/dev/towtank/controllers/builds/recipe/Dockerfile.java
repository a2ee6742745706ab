package dev.towtank.controllers.builds.recipe;

import dev.towtank.controllers.builds.recipe.DockerfileLines.Instruction;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a Dockerfile makes: an image, and what it needs for that.
///
/// @param base what its last stage stands on, through all stages
/// @param copies files of the context that it wants
/// @param requirements files of the context that pip is to read: of several in one `if`, the first that is there
/// @param packages that pip is to install, by their normalised names
public record Dockerfile(
        String base,
        Map<String, String> environment,
        Optional<List<String>> entrypoint,
        Optional<List<String>> command,
        String user,
        String workingDirectory,
        List<Copied> copies,
        List<List<String>> requirements,
        List<String> packages) {

    private static final Pattern PAIR =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*)=(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|(?:[^\\s\\\\]|\\\\.)*)");
    private static final Pattern PIP = Pattern.compile("\\bpip[0-9.]*\\s+install\\s+([^;&|]*)");
    private static final Pattern CHOICE = Pattern.compile("^\\s*if\\b.*\\belif\\b", Pattern.DOTALL);
    private static final int MOST_STAGES = 100;

    /// @param line of the Dockerfile that wants it
    public record Copied(int line, String path) {}

    public Dockerfile {
        environment = Map.copyOf(environment);
        copies = List.copyOf(copies);
        requirements = List.copyOf(requirements);
        packages = List.copyOf(packages);
    }

    /// @param file its name, for messages
    /// @param arguments given from outside
    /// @param from in place of what the last `FROM` names; empty for that
    public static Dockerfile read(String text, String file, Map<String, String> arguments, String from)
            throws RecipeError {
        return new Reader(file, arguments).read(DockerfileLines.read(text, file), from);
    }

    private static final class Stage {
        final String base;
        final Map<String, String> environment = new LinkedHashMap<>();
        final Map<String, String> values = new HashMap<>();
        Optional<List<String>> entrypoint = Optional.empty();
        Optional<List<String>> command = Optional.empty();
        String user = "";
        String directory = "";

        Stage(String base) {
            this.base = base;
        }

        /// Goes on from an earlier one.
        Stage(Stage before) {
            this(before.base);
            environment.putAll(before.environment);
            values.putAll(before.environment);
            entrypoint = before.entrypoint;
            command = before.command;
            user = before.user;
            directory = before.directory;
        }
    }

    private static final class Reader {
        private final String file;
        private final Map<String, String> arguments;
        private final Map<String, String> global = new HashMap<>();
        private final Map<String, Stage> stages = new HashMap<>();
        private final List<Copied> copies = new ArrayList<>();
        private final List<List<String>> requirements = new ArrayList<>();
        private final List<String> packages = new ArrayList<>();

        Reader(String file, Map<String, String> arguments) {
            this.file = file;
            this.arguments = arguments;
        }

        Dockerfile read(List<Instruction> instructions, String from) throws RecipeError {
            long last = instructions.stream()
                    .filter(each -> each.name().equals("FROM"))
                    .count();
            Optional<Stage> stage = Optional.empty();
            int number = 0;
            for (var each : instructions) {
                if (each.name().equals("FROM")) {
                    number++;
                    if (number > MOST_STAGES) {
                        throw error(each, "more than " + MOST_STAGES + " stages");
                    }
                    stage = Optional.of(begun(each, number, number == last ? from : ""));
                } else if (stage.isPresent()) {
                    carryOut(each, stage.get());
                } else if (each.name().equals("ARG")) {
                    pairs(each).forEach((name, value) -> global.put(name, arguments.getOrDefault(name, value)));
                } else {
                    throw error(each, "no build stage in current context: FROM comes before " + each.name());
                }
            }
            var end = stage.orElseThrow(() -> new RecipeError(file, 1, "file with no instructions: FROM is missing"));
            return new Dockerfile(
                    end.base,
                    end.environment,
                    end.entrypoint,
                    end.command,
                    end.user,
                    end.directory,
                    copies,
                    requirements,
                    packages);
        }

        private RecipeError error(Instruction at, String message) {
            return new RecipeError(file, at.number(), message);
        }

        private Stage begun(Instruction line, int number, String instead) throws RecipeError {
            var words = Arrays.stream(line.rest().split("\\s+", -1))
                    .filter(word -> !word.startsWith("--"))
                    .toList();
            boolean isNamed = words.size() == 3 && words.get(1).equalsIgnoreCase("AS");
            if (words.size() != 1 && !isNamed) {
                throw error(line, "FROM requires either one or three arguments");
            }
            var base = instead.isEmpty() ? Variables.filled(words.getFirst(), global) : instead;
            if (base.isEmpty()) {
                throw error(line, "base name (" + words.getFirst() + ") should not be blank");
            }
            var before = stages.get(base);
            var stage = before == null ? new Stage(base) : new Stage(before);
            stages.put(Integer.toString(number - 1), stage);
            if (isNamed) {
                stages.put(words.get(2), stage);
            }
            return stage;
        }

        private void carryOut(Instruction line, Stage stage) throws RecipeError {
            switch (line.name()) {
                case "ARG" ->
                    pairs(line).forEach((name, value) -> {
                        var given = arguments.containsKey(name)
                                ? arguments.get(name)
                                : value.isEmpty() ? global.getOrDefault(name, "") : value;
                        stage.values.putIfAbsent(name, Variables.filled(given, stage.values));
                    });
                case "ENV" ->
                    pairs(line).forEach((name, value) -> {
                        var filled = Variables.filled(value, stage.values);
                        stage.environment.put(name, filled);
                        stage.values.put(name, filled);
                    });
                case "WORKDIR" -> {
                    var to = Variables.filled(line.rest(), stage.values);
                    stage.directory = to.startsWith("/") || stage.directory.isEmpty() ? to : stage.directory + "/" + to;
                }
                case "USER" -> stage.user = Variables.filled(line.rest(), stage.values);
                case "ENTRYPOINT" -> {
                    stage.entrypoint = Optional.of(words(line));
                    stage.command = Optional.empty();
                }
                case "CMD" -> stage.command = Optional.of(words(line));
                case "COPY", "ADD" -> copied(line, stage);
                case "RUN" -> run(line);
                default -> {
                    // What a container of ours does not know: EXPOSE, LABEL, VOLUME and the like.
                }
            }
        }

        private List<String> words(Instruction line) throws RecipeError {
            if (!line.rest().startsWith("[")) {
                return List.of("/bin/sh", "-c", line.rest());
            }
            try {
                if (JsonText.parse(line.rest()) instanceof Json.Arr list
                        && list.strings().size() == list.size()) {
                    return list.strings();
                }
            } catch (JsonText.Malformed e) {
                return List.of("/bin/sh", "-c", line.rest()); // as Docker takes it
            }
            throw error(line, line.name() + " must be a list of strings");
        }

        private Map<String, String> pairs(Instruction line) throws RecipeError {
            var pairs = new LinkedHashMap<String, String>();
            var rest = line.rest();
            if (line.name().equals("ENV") && rest.matches("[A-Za-z_][A-Za-z0-9_.-]*\\s+[^=\\s].*")) {
                var parts = rest.split("\\s+", 2);
                return Map.of(parts[0], parts[1]);
            }
            var found = PAIR.matcher(rest);
            int end = 0;
            while (found.find()) {
                if (!rest.substring(end, found.start()).isBlank()) {
                    break;
                }
                pairs.put(found.group(1), unquoted(found.group(2)));
                end = found.end();
            }
            var left = rest.substring(end).strip();
            if (line.name().equals("ARG") && left.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                pairs.put(left, "");
            } else if (!left.isEmpty()) {
                throw error(line, line.name() + " must have two arguments, or name=value: " + left);
            }
            return pairs;
        }

        private static String unquoted(String value) {
            boolean isQuoted = value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
            return isQuoted ? value.substring(1, value.length() - 1).replace("\\\"", "\"") : value;
        }

        private void copied(Instruction line, Stage stage) throws RecipeError {
            var words = new ArrayList<String>();
            for (var word : line.rest().startsWith("[")
                    ? words(line)
                    : List.of(line.rest().split("\\s+", -1))) {
                if (word.startsWith("--from=")) {
                    return; // of an earlier stage, or of another image
                }
                if (!word.startsWith("--")) {
                    words.add(Variables.filled(word, stage.values));
                }
            }
            if (words.size() < 2) {
                throw error(line, line.name() + " requires at least two arguments");
            }
            for (var source : words.subList(0, words.size() - 1)) {
                if (!source.contains("://") && !source.startsWith("<<") && !source.startsWith("git@")) {
                    copies.add(new Copied(line.number(), source));
                }
            }
        }

        private void run(Instruction line) {
            var files = new ArrayList<String>();
            var found = PIP.matcher(line.rest());
            while (found.find()) {
                var words = found.group(1).strip().split("\\s+", -1);
                for (int i = 0; i < words.length; i++) {
                    if (words[i].equals("-r") && i + 1 < words.length) {
                        files.add(words[++i]);
                    } else if (words[i].matches("[\"']?[A-Za-z][A-Za-z0-9._-]*(?:\\[.*])?(?:[=<>~!].*)?[\"']?")) {
                        packages.add(Requirements.normalised(
                                words[i].replaceAll("[\"']", "").replaceFirst("[\\[=<>~!].*$", "")));
                    }
                }
            }
            if (!files.isEmpty() && CHOICE.matcher(line.rest()).find()) {
                requirements.add(List.copyOf(files));
            } else {
                files.forEach(file -> requirements.add(List.of(file)));
            }
        }
    }
}
