package dev.towtank.app.completion;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// For bash: one function. What may come depends on the command, and on the option before the cursor or on how many
/// words there are before it that belong to no option.
final class BashScript {

    private BashScript() {}

    static String of(CommandSpec program) {
        var commands = Completion.commands(program);
        var names = commands.stream().map(CommandSpec::name).collect(Collectors.joining(" "));
        return SCRIPT.replace("PROGRAM", program.name())
                .replace("COMMANDS", names)
                .replace("OPTIONS", names(Completion.options(program).stream()))
                .replace("    KNOWN\n", commands.stream().map(BashScript::known).collect(Collectors.joining()))
                .replace(
                        "    VALUES\n",
                        commands.stream().map(BashScript::values).collect(Collectors.joining()));
    }

    private static String known(CommandSpec command) {
        var options = Completion.options(command);
        return "    %s) options='%s' valued=' %s ' ;;\n"
                .formatted(
                        command.name(),
                        names(options.stream()),
                        names(options.stream().filter(Completion::needsValue)));
    }

    private static String names(Stream<OptionSpec> options) {
        return options.flatMap(option -> Stream.of(option.names())).collect(Collectors.joining(" "));
    }

    private static String values(CommandSpec command) {
        var ofOptions = Completion.options(command).stream()
                .filter(Completion::takesValue)
                .map(option -> value(Stream.of(option.names()), command, option));
        var others = command.positionalParameters().stream()
                .map(parameter -> value(Stream.of(place(parameter)), command, parameter));
        return Stream.concat(ofOptions, others).collect(Collectors.joining());
    }

    private static String place(PositionalParamSpec parameter) {
        return parameter.arity().max() > 1
                ? "[0-9]*"
                : String.valueOf(parameter.index().min());
    }

    private static String value(Stream<String> keys, CommandSpec command, ArgSpec argument) {
        var choices = Completion.choices(argument);
        var what = (choices.isEmpty() ? "" : " choices='" + String.join(" ", choices) + "'")
                + Completion.names(argument).map(names -> " names=" + names).orElse("")
                + (Completion.isFile(argument) ? " files=yes" : "");
        return what.isEmpty()
                ? ""
                : "    " + keys.map(key -> command.name() + "\\ " + key).collect(Collectors.joining(" | ")) + ")" + what
                        + " ;;\n";
    }

    private static final String SCRIPT = """
            # What bash completes after PROGRAM.
            _PROGRAM() {
                local line="${COMP_LINE:0:COMP_POINT}" option='' place=0 options='OPTIONS' valued='' choices='' names='' files=''
                local word="${line##*[[:blank:]]}" typed i each before IFS=$' \\t\\n'
                read -r -a typed <<<"${line%"$word"}"
                case "${typed[1]:-}" in
                '') choices='COMMANDS' ;;
                KNOWN
                esac
                for ((i = 2; i < ${#typed[@]}; i++)); do
                    if [[ ${typed[i]} != -* ]]; then
                        ((++place))
                    elif [[ $valued == *" ${typed[i]} "* ]]; then
                        ((++i < ${#typed[@]})) || option="${typed[-1]}"
                    fi
                done
                if [[ -z $option && $word == --*=* ]]; then
                    option="${word%%=*}" word="${word#*=}"
                fi
                if [[ -z $option && $word == -* ]]; then
                    choices=$options
                else
                    case "${typed[1]:-} ${option:-$place}" in
                    VALUES
                    esac
                fi
                if [[ -n $names ]]; then
                    choices+=" $("${typed[0]/#\\~/$HOME}" names $names -- "${typed[@]:1}" 2>/dev/null)"
                fi
                # To bash, what is behind a colon is a word of its own.
                before="${word%"${word##*:}"}"
                COMPREPLY=()
                # Not compgen: it would carry out what is in a word.
                read -r -d '' -a choices <<<"$choices"
                for each in "${choices[@]}"; do
                    [[ $each != "$word"* ]] || COMPREPLY+=("${each#"$before"}")
                done
                if [[ -n $files && ${#COMPREPLY[@]} -eq 0 ]]; then
                    compopt -o default 2>/dev/null
                fi
            }
            complete -F _PROGRAM PROGRAM
            """;
}
