package dev.towtank.app.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The script by which a shell completes a program's commands and options.
public enum Completion {
    BASH {
        @Override
        public String script(CommandLine line) {
            return BashScript.of(line.getCommandSpec());
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

    /// By the word that the help has for an argument.
    private static final Map<String, String> NAMED = Map.of(
            "RUN", "runs",
            "TASK", "tasks",
            "PIPELINE", "pipelines",
            "IMAGE", "images",
            "KIND", "objects");

    private static final Set<String> FILES = Set.of("FILE", "DIR", "DIRECTORY", "PATH", "JAR");

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
        return labels(argument).map(NAMED::get).filter(Objects::nonNull).findFirst();
    }

    private static Stream<String> labels(ArgSpec argument) {
        return Stream.of(argument.paramLabel().split("\\W+", -1));
    }

    static boolean isFile(ArgSpec argument) {
        return labels(argument).anyMatch(FILES::contains);
    }

    /// Whether the next word is a value of it in any case.
    static boolean needsValue(OptionSpec option) {
        return option.arity().min() > 0;
    }

    /// Whether a value comes after it.
    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }
}
