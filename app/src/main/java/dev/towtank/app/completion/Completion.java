package dev.towtank.app.completion;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The script by which a shell completes a program's commands and options.
public enum Completion {
    BASH {
        @Override
        public String script(CommandLine line) {
            var script = AutoComplete.bash(line.getCommandName(), line);
            // It offers constants as Java writes them; users write them small.
            return CHOICES.matcher(script)
                            .replaceAll(found ->
                                    Matcher.quoteReplacement(found.group().toLowerCase(Locale.ROOT)))
                    + BashNames.of(line.getCommandSpec());
        }
    },
    ZSH {
        @Override
        public String script(CommandLine line) {
            return ZshScript.of(line.getCommandSpec());
        }
    },
    FISH {
        @Override
        public String script(CommandLine line) {
            return FishScript.of(line.getCommandSpec());
        }
    };

    private static final Pattern CHOICES = Pattern.compile("(?<=_args=)\\((\"[A-Z_]+\" ?)+\\)");

    public abstract String script(CommandLine line);

    /// The commands that users know of.
    static List<CommandSpec> commands(CommandSpec program) {
        return program.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(command -> !command.usageMessage().hidden())
                .toList();
    }

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    static String summary(CommandSpec command) {
        return first(command.usageMessage().description());
    }

    static String summary(OptionSpec option) {
        return first(option.description());
    }

    /// The first sentence of the first line, without what only the help knows to fill in.
    private static String first(String... lines) {
        var line = lines.length == 0 ? "" : lines[0];
        int end = line.indexOf(". ");
        return (end < 0 ? line : line.substring(0, end))
                .replaceAll("\\s*\\(default: [^)]*\\)", "")
                .replace("$$", "$")
                .replaceAll("\\.$", "");
    }

    /// What may stand for a value, if only a few things may.
    static List<String> choices(ArgSpec argument) {
        var choices = new ArrayList<String>();
        if (argument.completionCandidates() != null) {
            StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                    .map(each -> each.toLowerCase(Locale.ROOT))
                    .forEach(choices::add);
        }
        return choices;
    }

    /// What `towtank names` is asked for where only it knows what there is.
    static Optional<String> names(ArgSpec argument) {
        for (var word : argument.paramLabel().split("\\W+", -1)) {
            switch (word) {
                case "RUN" -> {
                    return Optional.of("runs");
                }
                case "TASK" -> {
                    return Optional.of("tasks");
                }
                case "IMAGE" -> {
                    return Optional.of("images");
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    static boolean isFile(ArgSpec argument) {
        return Stream.of(
                        argument.type(),
                        argument.auxiliaryTypes().length == 0 ? Void.class : argument.auxiliaryTypes()[0])
                .anyMatch(type -> type == Path.class || type == File.class);
    }

    /// Whether a value comes after it.
    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }
}
