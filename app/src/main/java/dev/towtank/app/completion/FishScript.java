package dev.towtank.app.completion;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// For fish: one `complete` for every command and every option.
final class FishScript {
    private final String program;
    private final StringBuilder text = new StringBuilder();

    private FishScript(String program) {
        this.program = program;
    }

    static String of(CommandSpec spec) {
        return new FishScript(spec.name()).write(spec);
    }

    private String write(CommandSpec spec) {
        text.append("# What fish completes after ").append(program).append(".\n");
        line("-f");
        for (var option : Completion.options(spec)) {
            option("-n __fish_use_subcommand", option);
        }
        for (var command : Completion.commands(spec)) {
            line("-n __fish_use_subcommand -a " + command.name() + description(Completion.summary(command)));
        }
        for (var command : Completion.commands(spec)) {
            command(command);
        }
        return text.toString();
    }

    private void command(CommandSpec command) {
        var condition = "-n '__fish_seen_subcommand_from " + command.name() + "'";
        for (var parameter : command.positionalParameters()) {
            var choices = Completion.choices(parameter);
            var names = Completion.names(parameter);
            if (names.isPresent()) {
                line(condition + " -a " + quoted(names(names.get())));
            }
            if (!choices.isEmpty()) {
                line(condition + " -a " + quoted(String.join(" ", choices)));
            } else if (Completion.isFile(parameter)) {
                line(condition + " -F");
            }
        }
        Completion.options(command).forEach(option -> option(condition, option));
    }

    private void option(String condition, OptionSpec option) {
        var words = new StringBuilder(condition);
        for (var name : option.names()) {
            words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        var choices = Completion.choices(option);
        if (Completion.takesValue(option)) {
            words.append(Completion.isFile(option) ? " -r -F" : " -x");
        }
        if (Completion.takesValue(option) && !choices.isEmpty()) {
            words.append(" -a ").append(quoted(String.join(" ", choices)));
        }
        if (Completion.takesValue(option)) {
            Completion.names(option).ifPresent(what -> words.append(" -a ").append(quoted(names(what))));
        }
        line(words + description(Completion.summary(option)));
    }

    private String names(String what) {
        return "(" + program + " names " + what + " -- (commandline -opc)[2..-1] 2>/dev/null)";
    }

    private void line(String words) {
        text.append("complete -c ").append(program).append(' ').append(words).append('\n');
    }

    private static String description(String summary) {
        return summary.isEmpty() ? "" : " -d " + quoted(summary);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
