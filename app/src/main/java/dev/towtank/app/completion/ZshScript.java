package dev.towtank.app.completion;

import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// For zsh: one function, to be found in `$fpath` as `_towtank` or read by the shell's start file.
final class ZshScript {
    private final StringBuilder text = new StringBuilder();

    private ZshScript() {}

    static String of(CommandSpec spec) {
        return new ZshScript().write(spec);
    }

    private String write(CommandSpec spec) {
        var function = "_" + spec.name();
        text.append("#compdef ")
                .append(spec.name())
                .append("\n\n")
                .append(function)
                .append("() {\n");
        text.append("    local state line program=$words[1]\n    local -A opt_args\n    local -a commands\n");
        text.append("    commands=(\n");
        for (var command : Completion.commands(spec)) {
            text.append("        ")
                    .append(quoted(
                            command.name() + ":" + Completion.summary(command).replace(":", "\\:")))
                    .append('\n');
        }
        text.append("    )\n");
        arguments("    ", "_arguments -C", Completion.options(spec), List.of("'1: :->command'", "'*:: :->rest'"));
        text.append("    case $state in\n    command)\n        _describe command commands\n        ;;\n    rest)\n");
        text.append("        case $line[1] in\n");
        Completion.commands(spec).forEach(this::command);
        text.append("        esac\n        ;;\n    esac\n}\n\n");
        // Read as a file of $fpath it is called at once; read by 'source' it is registered.
        text.append("if [[ $funcstack[1] == ")
                .append(function)
                .append(" ]]; then\n    ")
                .append(function);
        text.append(" \"$@\"\nelse\n    compdef ")
                .append(function)
                .append(' ')
                .append(spec.name())
                .append("\nfi\n");
        return text.toString();
    }

    private void command(CommandSpec command) {
        text.append("        ").append(command.name()).append(")\n");
        var parameters = command.positionalParameters().stream()
                .map(parameter -> quoted(
                        (parameter.arity().max() > 1 ? "*:" : parameter.index().min() + 1 + ":")
                                + word(parameter.paramLabel()) + ":" + action(parameter)))
                .toList();
        arguments("            ", "_arguments -s", Completion.options(command), parameters);
        text.append("            ;;\n");
    }

    private void arguments(String indent, String start, List<OptionSpec> options, List<String> others) {
        text.append(indent).append(start);
        options.forEach(
                option -> text.append(" \\\n").append(indent).append("    ").append(option(option)));
        others.forEach(
                other -> text.append(" \\\n").append(indent).append("    ").append(other));
        text.append('\n');
    }

    private static String option(OptionSpec option) {
        var value = Completion.takesValue(option) ? ":" + word(option.paramLabel()) + ":" + action(option) : "";
        var rest = "[" + Completion.summary(option).replace("[", "\\[").replace("]", "\\]") + "]" + value;
        var names = List.of(option.names());
        var repeated = option.isMultiValue();
        if (names.size() == 1) {
            return quoted((repeated ? "*" : "") + names.getFirst() + rest);
        }
        return (repeated ? "'*'" : quoted("(" + String.join(" ", names) + ")")) + "{" + String.join(",", names) + "}"
                + quoted(rest);
    }

    private static String action(ArgSpec argument) {
        var choices = Completion.choices(argument);
        if (!choices.isEmpty()) {
            return "(" + String.join(" ", choices) + ")";
        }
        return Completion.names(argument)
                .map(what -> "($($program names " + what + " -- $words[1,CURRENT-1] 2>/dev/null))")
                .orElse(Completion.isFile(argument) ? "_files" : "");
    }

    private static String word(String label) {
        return label.replaceAll("[^A-Za-z0-9 ]", " ").strip();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
