package dev.towtank.app.completion;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// For bash: names of runs, tasks and images, which the program itself knows, before what its commands offer.
final class BashNames {

    private BashNames() {}

    /// @return a function around the one that completes commands and options
    static String of(CommandSpec program) {
        var cases = new ArrayList<String>();
        for (var command : Completion.commands(program)) {
            for (var option : Completion.options(command)) {
                if (Completion.takesValue(option)) {
                    Completion.names(option)
                            .ifPresent(what -> List.of(option.names())
                                    .forEach(name -> cases.add(choice(command.name() + " " + name, what))));
                }
            }
            command.positionalParameters().stream()
                    .flatMap(parameter -> Completion.names(parameter).stream())
                    .findFirst()
                    .ifPresent(what -> cases.add(choice(command.name() + " *", what)));
        }
        return cases.isEmpty()
                ? ""
                : SCRIPT.replace("PROGRAM", program.name()).replace("CASES", String.join("\n", cases));
    }

    private static String choice(String pattern, String what) {
        var words = pattern.endsWith(" *")
                ? "\"" + pattern.substring(0, pattern.length() - 1) + "\"*"
                : "\"" + pattern + "\"";
        return "        " + words + ") what=" + what + " ;;";
    }

    private static final String SCRIPT = """

            # Names that only the program knows, for the word that is being typed and the one before it.
            function _names_PROGRAM() {
                local what='' word="${COMP_WORDS[COMP_CWORD]}"
                if [[ $word != -* && $COMP_CWORD -gt 1 ]]; then
                    case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}" in
            CASES
                    esac
                fi
                COMPREPLY=()
                _complete_PROGRAM
                if [[ -n $what ]]; then
                    COMPREPLY+=($(compgen -W "$("${COMP_WORDS[0]}" names $what 2>/dev/null)" -- "$word"))
                fi
            }
            complete -F _names_PROGRAM -o default PROGRAM PROGRAM.sh PROGRAM.bash
            """;
}
